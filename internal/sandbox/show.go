package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// showWait is how long a browser may take to say that it cannot show a page. One
// that is still at work then is left to itself.
const showWait = 2 * time.Second

// Show opens a page of ours in the user's browser: the one that BROWSER names, or
// the desktop's. It is an absolute path, or the address of our own server. The browser is not a child of the
// sandbox: it has the user's rights and, of the environment, what a desktop
// needs, but none of our secrets. No shell reads the path, and nothing waits
// until the browser ends.
func Show(path string, getenv func(string) string) error {
	if !filepath.IsAbs(path) && !strings.HasPrefix(path, "http://") && !strings.HasPrefix(path, "https://") {
		return fmt.Errorf("opening %q: neither an absolute path nor the address of a server", path)
	}
	var tried []error
	for _, words := range browsers(path, getenv) {
		err := show(words, getenv)
		if err == nil {
			return nil
		}
		tried = append(tried, err)
	}
	return fmt.Errorf("opening %q: %w", path, errors.Join(tried...))
}

// browsers are the commands to try, in order. BROWSER lists some, with %s where
// the page belongs.
func browsers(path string, getenv func(string) string) [][]string {
	var out [][]string
	for _, entry := range filepath.SplitList(getenv("BROWSER")) {
		words, placed := strings.Fields(entry), false
		for i := range words {
			placed = placed || strings.Contains(words[i], "%s")
			words[i] = strings.ReplaceAll(words[i], "%s", path)
		}
		if len(words) > 0 && !placed {
			words = append(words, path)
		}
		if len(words) > 0 {
			out = append(out, words)
		}
	}
	switch {
	case len(out) > 0:
	case runtime.GOOS == "darwin":
		out = [][]string{{"open", path}}
	case runtime.GOOS == "windows":
		out = [][]string{{"rundll32", "url.dll,FileProtocolHandler", path}}
	default:
		out = [][]string{{"xdg-open", path}}
	}
	return out
}

// show starts one command and gives it a moment to fail.
func show(words []string, getenv func(string) string) error {
	c := exec.Command(words[0], words[1:]...) //nolint:gosec // what the user's own environment names
	c.Env = desktop(getenv)
	c.SysProcAttr = apart()
	if err := c.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	patience, cancel := context.WithTimeout(context.Background(), showWait)
	defer cancel()
	select {
	case err := <-ended:
		if err != nil {
			return fmt.Errorf("%s: %w", words[0], err)
		}
	case <-patience.Done():
	}
	return nil
}

// desktop is the environment of a browser.
func desktop(getenv func(string) string) []string {
	out := []string{}
	for _, key := range []string{
		"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "TMPDIR", "TERM",
		"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "DESKTOP_SESSION", "KDE_FULL_SESSION", "KDE_SESSION_VERSION",
		"XDG_RUNTIME_DIR", "XDG_CURRENT_DESKTOP", "XDG_SESSION_TYPE", "XDG_SESSION_DESKTOP", "XDG_DATA_DIRS", "XDG_DATA_HOME", "XDG_CONFIG_DIRS", "XDG_CONFIG_HOME", "XDG_CACHE_HOME",
		"WSL_DISTRO_NAME", "WSL_INTEROP", "SystemRoot", "SystemDrive", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "ProgramFiles", "ProgramData", "TEMP", "TMP",
	} {
		if v := getenv(key); v != "" {
			out = append(out, key+"="+v)
		}
	}
	return out
}
