// Package safety holds the probes of outside processes, of the clone and of
// dangerous calls.
//
// They share one survey of the Python code: every call that starts a process,
// every place that fetches a repository, and where commands, URLs and folders
// come from. Only calls count, never text that mentions them; what cannot be
// followed is unknown, never an accusation.
package safety
