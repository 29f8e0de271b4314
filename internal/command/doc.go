// Package command reads command lines as READMEs and reports print them: which files, modules, targets, scripts and
// flags of the project each names, and whether the project has them.
//
// It works on text and on questions about a tree of files. It must not run anything, read files by itself, know
// documents or courts, and it says nothing of programs that come from elsewhere. What it cannot tell stays open.
package command
