package repo

import "errors"

// TargetOptions configures ParseTarget. The zero value is usable.
type TargetOptions struct {
	// AllowHosts are hosts beside sandbox.DefaultHosts.
	AllowHosts []string
}

// Target is a repository that was named and may be read. Exactly one of URL, Local and Bundle is set.
type Target struct {
	URL    string // https://HOST/PATH, lower-case scheme and host, no credentials, no trailing slash
	Host   string // of URL
	Local  string // absolute folder, links resolved
	Bundle string // absolute file, links resolved
	// Rewritten is the form that was given when URL is another spelling of it (git@…, ssh://…), to tell the user.
	Rewritten string
}

// ParseTarget reads what the user named, by security.md 3.1: a folder or bundle file, a file: URL, an https URL of a
// listed host, or its ssh spelling, which becomes https. Nothing is started or connected to.
//
// Errors: *sandbox.Refusal with a code url_… or local_…; foreign text is quoted, and nothing is quoted of a target that
// holds a user name or password.
func ParseTarget(raw string, o TargetOptions) (Target, error) {
	return Target{}, errors.New("not ready")
}
