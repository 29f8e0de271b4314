-- +goose Up
create table meta (key text not null primary key, value text not null);

create table cohort (
  id text not null primary key, created bigint not null, tool text not null, law bigint not null, rubric text not null, checks text not null,
  bench text not null, terms text not null, roster text not null, state text not null, generation bigint not null, published bigint not null);

create table submission (
  cohort text not null, id text not null, seq bigint not null, listed bigint not null, folder text not null, host text not null,
  request text not null, spec text not null, state text not null, reason text not null, class text not null, attempt bigint not null,
  not_before bigint not null, pinned text not null, run text not null, leased_by text not null, leased_until bigint not null, changed bigint not null,
  primary key (cohort, id), unique (cohort, folder));
create index submission_open on submission (cohort, state, seq);
create index submission_changed on submission (cohort, changed);

create table run (
  key text not null primary key, cohort text not null, submission text not null, request text not null, repo_url text not null, commit_id text not null,
  pdf text not null, tool text not null, state text not null, status text not null, record text not null, began bigint not null, ended bigint not null,
  millis bigint not null, overall bigint, low bigint, high bigint, coverage bigint, capped_by text not null, gate text not null, needs text not null,
  faults bigint not null, calls bigint not null, tokens bigint not null, cost bigint not null, parent text not null);
create index run_of on run (cohort, submission, began);

create table ruling (
  run text not null, seq bigint not null, criterion text not null, final bigint, exact bigint, low bigint, high bigint, status text not null,
  spread bigint not null, prosecutor bigint, defense bigint, techlead bigint, overruled text not null,
  primary key (run, criterion));

create table finding (
  run text not null, label text not null, criterion text not null, question text not null, outcome text not null, place text not null, quote text not null,
  primary key (run, label));
create index finding_alike on finding (question, quote);

create table standing (
  cohort text not null, submission text not null, run text not null, overall bigint, low bigint, high bigint, capped_by text not null, needs text not null,
  human bigint not null, machine bigint, seq bigint not null, published bigint not null,
  primary key (cohort, submission));
create index standing_by_score on standing (cohort, overall, submission);

create table journal (run text not null, task text not null, outcome bytea not null, at bigint not null, primary key (run, task));

create table blob (digest text not null primary key, size bigint not null, stored bigint not null, codec text not null, created bigint not null);
create table piece (digest text not null, n bigint not null, bytes bytea not null, primary key (digest, n));
create table file (owner text not null, name text not null, digest text not null, primary key (owner, name));
create index file_blob on file (digest);


