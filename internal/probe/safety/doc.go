// Package safety holds the probes of outside processes, of the clone and of
// dangerous calls.
//
// They share one survey of the Python code: every call that starts a process,
// every place that fetches a repository, and where commands, URLs and folders
// come from. Of it and of the code in other languages the facts are read that
// probes and sheet are views of: starts of processes, dangers, what is opened.
// Only calls count, never text that mentions them; what cannot be
// followed is unknown, never an accusation.
package safety
