-- +goose Up
-- How a submission is opened by machines that do not have the roster, as JSON; empty: only the one that has it judges.
alter table submission add column asked text not null default '';

-- What all machines together may spend on models, and what they hold of it.
create table purse (
  cohort text not null primary key, cap bigint not null, cap_tokens bigint not null, shared bigint not null, shared_tokens bigint not null,
  paid bigint not null, paid_tokens bigint not null);
create table share (
  id text not null primary key, cohort text not null, holder text not null, cost bigint not null, tokens bigint not null, until bigint not null);
create index share_until on share (cohort, until);
