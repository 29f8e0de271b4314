package sandbox

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// gitSettings are given to every git child twice: in our global file, because git strips
// GIT_CONFIG_COUNT when it starts upload-pack for another repository, and by environment, because that overrides a
// repository's own file.
var gitSettings = [][2]string{
	// no programs
	{"core.hooksPath", "/dev/null"}, {"core.fsmonitor", "false"}, {"core.sshCommand", "false"}, {"core.askPass", "false"},
	{"core.pager", "cat"}, {"core.gitProxy", ""}, {"core.alternateRefsCommand", "true"}, {"diff.external", ""},
	{"gpg.program", "false"}, {"credential.helper", ""}, {"credential.interactive", "false"},
	{"filter.lfs.smudge", ""}, {"filter.lfs.clean", ""}, {"filter.lfs.process", ""}, {"filter.lfs.required", "false"},
	{"init.templateDir", ""},
	// names, attributes; attr.tree: newer git reads attributes from HEAD in a bare repository, an invalid tree means none
	{"core.symlinks", "false"}, {"core.protectHFS", "true"}, {"core.protectNTFS", "true"},
	{"core.attributesFile", "/dev/null"}, {"core.excludesFile", "/dev/null"}, {"attr.tree", "none"},
	{"log.mailmap", "false"}, {"log.showSignature", "false"}, {"color.ui", "false"},
	// transports; by name, too, since a repository's own file may allow one by name
	{"protocol.allow", "never"}, {"protocol.ext.allow", "never"}, {"protocol.fd.allow", "never"}, {"protocol.file.allow", "never"},
	{"protocol.ssh.allow", "never"}, {"protocol.git.allow", "never"}, {"protocol.http.allow", "never"}, {"protocol.version", "2"}, {"transfer.bundleURI", "false"}, {"transfer.advertiseSID", "false"},
	{"transfer.credentialsInUrl", "die"}, {"submodule.recurse", "false"}, {"fetch.recurseSubmodules", "false"},
	// http
	{"http.followRedirects", "initial"}, {"http.sslVerify", "true"}, {"http.lowSpeedLimit", "1000"},
	{"http.lowSpeedTime", "20"}, {"http.maxRequests", "2"}, {"http.cookieFile", ""},
	// memory
	{"core.bigFileThreshold", "4m"}, {"core.packedGitLimit", "128m"}, {"core.deltaBaseCacheLimit", "32m"},
	{"pack.windowMemory", "64m"}, {"pack.threads", "1"}, {"index.threads", "1"},
	{"core.commitGraph", "false"}, {"core.multiPackIndex", "false"}, {"core.preloadIndex", "false"},
	// checks and quiet
	{"transfer.fsckObjects", "true"}, {"fetch.fsckObjects", "true"},
	{"gc.auto", "0"}, {"maintenance.auto", "false"}, {"advice.detachedHead", "false"}, {"safe.bareRepository", "all"},
}

// legacyFsck are checks that honest old repositories fail and that cannot hurt a repository that is never checked out.
var legacyFsck = []string{
	"zeroPaddedFilemode", "badTimezone", "missingSpaceBeforeDate", "missingSpaceBeforeEmail", "badEmail", "missingEmail",
	"missingNameBeforeEmail", "badFilemode", "zeroPaddedDate", "multipleAuthors", "nulInCommit", "badDate",
	"badDateOverflow", "missingTaggerEntry", "badTagName", "gitmodulesUrl", "gitmodulesPath", "gitmodulesName",
	"gitmodulesUpdate", "gitmodulesParse", "gitmodulesSymlink", "gitmodulesLarge", "gitmodulesBlob", "gitattributesLarge",
	"gitattributesLineLength", "gitattributesBlob", "gitattributesSymlink", "gitignoreSymlink", "mailmapSymlink",
}

// baseSettings are gitSettings, the fsck exceptions, and where certificates are.
func baseSettings(caFile string) [][2]string {
	out := slices.Clone(gitSettings)
	for _, id := range legacyFsck {
		out = append(out, [2]string{"fetch.fsck." + id, "ignore"})
	}
	if caFile != "" {
		out = append(out, [2]string{"http.sslCAInfo", caFile})
	}
	return out
}

// settingsEnv hands settings over by GIT_CONFIG_COUNT, where no process list shows them.
func settingsEnv(settings [][2]string) map[string]string {
	env := map[string]string{"GIT_CONFIG_COUNT": strconv.Itoa(len(settings))}
	for i, kv := range settings {
		n := strconv.Itoa(i)
		env["GIT_CONFIG_KEY_"+n], env["GIT_CONFIG_VALUE_"+n] = kv[0], kv[1]
	}
	return env
}

// settingsFile writes settings in git's file format. Keys are ours: section[.subsection].name.
func settingsFile(settings [][2]string) []byte {
	var b strings.Builder
	for _, kv := range settings {
		key, value := kv[0], strconv.Quote(kv[1])
		first, last := strings.IndexByte(key, '.'), strings.LastIndexByte(key, '.')
		if first == last {
			fmt.Fprintf(&b, "[%s]\n\t%s = %s\n", key[:first], key[last+1:], value)
		} else {
			fmt.Fprintf(&b, "[%s %q]\n\t%s = %s\n", key[:first], key[first+1:last], key[last+1:], value)
		}
	}
	return []byte(b.String())
}
