package repo

import (
	"errors"
	"os"
	"os/exec"
	"testing"
)

// The light cases once more in each mode of the fall-back order, in a process from which layers were taken. Outside of make laws that is
// the weakest mode alone.
func TestAttacksInEachMode(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program many times")
	}
	if len(withoutLayers()) > 0 {
		t.Skip("is in such a mode itself")
	}
	modes := []string{"ns,landlock,seccomp"}
	if os.Getenv("AUTOMATON_LAWS") != "" {
		modes = append(modes, "ns", "landlock", "seccomp")
	}
	for _, layers := range modes {
		t.Run(layers, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestD(01|02|12|13|15|16|25|29)", "-test.short", "-test.count=1")
			cmd.Env = append(os.Environ(), without+"="+layers)
			out, err := cmd.CombinedOutput()
			if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == cannotCode {
				t.Skipf("%s", out)
			}
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
