package sandbox

import (
	"context"
	"fmt"
	"regexp"
	"strconv"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

var gitVersion = regexp.MustCompile(`^git version ([0-9]+)\.([0-9]+)(\.[0-9A-Za-z.]+)?`)

// Check starts one child (git version) so that Report can say which layers are in force; later calls cost nothing.
// Errors: those of Run, and *Refusal git_old below git 2.31, where GIT_CONFIG_COUNT is missing.
func (b *Box) Check(ctx context.Context) error {
	b.mu.Lock()
	done := b.checked
	b.mu.Unlock()
	if done {
		return nil
	}
	res, err := b.Run(ctx, Command{Args: []string{"version"}})
	if err != nil {
		return err
	}
	m := gitVersion.FindSubmatch(res.Stdout)
	if m == nil {
		return fmt.Errorf("asking git for its version: unexpected answer %q", safetext.Text(string(res.Stdout), 60))
	}
	major, errMajor := strconv.Atoi(string(m[1]))
	minor, errMinor := strconv.Atoi(string(m[2]))
	version := string(m[1]) + "." + string(m[2]) + string(m[3])
	if errMajor != nil || errMinor != nil || major < 2 || major == 2 && minor < 31 {
		return Refuse("git_old", "git %s is too old: 2.31 is the oldest that can be run safely", version)
	}
	b.mu.Lock()
	b.checked = true
	b.mu.Unlock()
	b.record.mu.Lock()
	b.record.git = version
	b.record.mu.Unlock()
	return nil
}
