// Package docket keeps cohorts in a database: who is to be judged, where each submission stands, the journals of
// audits at work, the records of those that ended, and an index of their scores. It is the only package with SQL.
//
// The database is SQLite, one file in the cohort's folder, or Postgres, where many cohorts and processes share one.
// Both run the same statements. What ends a case is one transaction: after a crash it has happened or it has not.
// Names and addresses of people are not in it.
package docket
