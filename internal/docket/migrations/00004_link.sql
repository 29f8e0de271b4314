-- +goose Up
create table link (
  cohort text not null, hash text not null, submission text not null, author text not null, made bigint not null, until bigint not null, revoked bigint not null,
  primary key (hash));
create index link_of on link (cohort, submission, made);
