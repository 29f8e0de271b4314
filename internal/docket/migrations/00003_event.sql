-- +goose Up
create table event (run text not null, seq bigint not null, lines text not null, at bigint not null, primary key (run, seq));
