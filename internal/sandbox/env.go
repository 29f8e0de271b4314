package sandbox

import (
	"maps"
	"path/filepath"
	"slices"
)

// childEnv is the whole environment of a program, built from nothing, sorted.
func (b *Box) childEnv(settings [][2]string) []string {
	env := map[string]string{
		"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": b.dir.home(), "XDG_CONFIG_HOME": b.dir.home(), "TMPDIR": b.dir.work(),
		"LC_ALL": "C.UTF-8", "TZ": "UTC", "TERM": "dumb", "PAGER": "cat",
		"GIT_PAGER": "cat", "GIT_EDITOR": "false",
		"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_CONFIG_GLOBAL": b.dir.gitconfig(),
		"GIT_ATTR_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "false", "SSH_ASKPASS": "false",
		"GIT_SSH_COMMAND": "false", "GIT_PROTOCOL_FROM_USER": "0", "GIT_LFS_SKIP_SMUDGE": "1", "GIT_NO_LAZY_FETCH": "1",
		"GIT_NO_REPLACE_OBJECTS": "1", "GIT_OPTIONAL_LOCKS": "0", "GIT_CEILING_DIRECTORIES": b.dir.path,
	}
	if dir := filepath.Dir(b.git); b.git != "" {
		env["PATH"] += ":" + dir
	}
	maps.Copy(env, settingsEnv(settings))
	out := make([]string, 0, len(env))
	for k, v := range env {
		out = append(out, k+"="+v)
	}
	slices.Sort(out)
	return out
}
