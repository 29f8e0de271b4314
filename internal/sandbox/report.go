package sandbox

// Report says what was in force for the children and workers that a Box started (security.md 4.1).
type Report struct {
	// Layers in force for all of them: env, flags, rlimits, pgroup, uid, ns, landlock:ABI, seccomp, worker.
	Layers []string `json:"layers"`
	// Missing are the layers that at least one child went without.
	Missing []Missing `json:"missing,omitempty"`
	Git     string    `json:"git,omitempty"` // git's version, once it is known
	// Egress is the proxy's log: "ALLOW|DENY host:port reason", at most 200 lines.
	Egress []string `json:"egress,omitempty"`
}

// Missing is one layer that was not in force, and why.
type Missing struct {
	Layer  string `json:"layer"`
	Reason string `json:"reason"`
}
