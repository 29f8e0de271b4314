package sandbox

// DefaultHosts returns the hosts that are always on the list (security.md 3.1).
func DefaultHosts() []string {
	return []string{"github.com", "gitlab.com", "bitbucket.org", "codeberg.org"}
}
