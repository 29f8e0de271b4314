-- +goose Up
create table decision (
  cohort text not null, seq bigint not null, at bigint not null, author text not null, kind text not null, submission text not null, criterion text not null,
  record text not null, body text not null, prev text not null, hash text not null,
  primary key (cohort, seq), unique (cohort, prev));
create index decision_on on decision (cohort, submission, seq);

-- The criteria whose score is another one than the ruling of the run, or that a person marked.
create table standing_ruling (
  cohort text not null, submission text not null, criterion text not null, final bigint, exact bigint, human bigint not null,
  primary key (cohort, submission, criterion));

alter table standing add column gate text not null default '';
update standing set gate = coalesce((select run.gate from run where run.key = standing.run), '');

create table link (
  cohort text not null, hash text not null, submission text not null, author text not null, made bigint not null, until bigint not null, revoked bigint not null,
  primary key (hash));
create index link_of on link (cohort, submission, made);
