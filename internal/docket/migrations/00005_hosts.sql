-- +goose Up
-- How many submissions are fetched from a host, and which hosts asked to wait, is asked at every claim.
create index submission_fetched on submission (host) where state = 'fetching';
create index submission_busy on submission (host) where class = 'busy';
