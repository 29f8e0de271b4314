package attack

import "path/filepath"

// programs are repositories that name programs to be run: hooks, configuration, submodules, promisor remotes.
func programs() []Repository {
	return []Repository{
		{ID: "D01", Name: "hooks", build: hooks},
		{ID: "D01", Name: "hooks-bare-layout", Local: true, build: hooksInTree},
		{ID: "D02", Name: "evil-config", build: evilConfig},
		{ID: "D02", Name: "evil-worktree-config", Local: true, build: worktreeConfig},
		{ID: "D12", Name: "submodule", build: submodules},
		{ID: "D29", Name: "lazy-fetch", build: lazyFetch},
	}
}

var hookNames = []string{
	"post-checkout", "post-merge", "reference-transaction", "pre-auto-gc", "post-index-change", "fsmonitor-watchman", "pre-receive", "update",
	"post-update", "upload-pack", "post-rewrite", "pre-push", "proc-receive", "push-to-checkout", "post-command",
}

func hooks(m *maker) {
	m.simple(map[string]string{"a.py": plainSrc})
	for _, name := range hookNames {
		m.program("hooks/" + name)
		m.program("elsewhere/" + name)
	}
	m.write("config", "[core]\n\trepositoryformatversion = 0\n\thooksPath = "+m.git("elsewhere")+"\n")
}

// hooksInTree has a second, bare repository in its work tree, with hooks of its own.
func hooksInTree(m *maker) {
	m.simple(map[string]string{"a.py": plainSrc})
	for _, name := range hookNames {
		m.file(filepath.Join(m.dir, "hooks", name), "#!/bin/sh\n"+m.touch("tree-"+name)+"\n", 0o755)
	}
	m.file(filepath.Join(m.dir, "HEAD"), "ref: refs/heads/main\n", 0o644)
	m.file(filepath.Join(m.dir, "config"), "[core]\n\tbare = true\n\thooksPath = hooks\n\tfsmonitor = "+m.touch("tree-fsmonitor")+"\n", 0o644)
	m.file(filepath.Join(m.dir, "refs", "x"), "", 0o644)
	m.file(filepath.Join(m.dir, "objects", "x"), "", 0o644)
}

func evilConfig(m *maker) {
	m.simple(map[string]string{
		"a.py": plainSrc, ".gitattributes": "* filter=pwn diff=pwn merge=pwn ident working-tree-encoding=UTF-16\n", ".lfsconfig": "[lfs]\n\turl = ext::" + m.touch("lfs") + "\n",
	})
	m.write("info/attributes", "* filter=pwn diff=pwn merge=pwn\n")
	m.write("config", m.evilSettings())
	m.file(filepath.Join(m.dir, ".git", "extra"), "[core]\n\tpager = "+m.touch("included")+"\n", 0o644)
}

// evilSettings names every program that git's configuration can name.
func (m *maker) evilSettings() string {
	t := m.touch
	return "[core]\n\trepositoryformatversion = 1\n\tfsmonitor = " + t("fsmonitor") + "\n\tsshCommand = " + t("ssh") + "\n\tpager = " + t("pager") +
		"\n\teditor = " + t("editor") + "\n\tgitProxy = " + t("gitproxy") + "\n\talternateRefsCommand = " + t("altrefs") + "\n\taskPass = " + t("askpass") +
		"\n\tworktree = /etc\n\tattributesFile = /etc/passwd\n" +
		"[uploadpack]\n\tpackObjectsHook = " + t("packobjects") + ";\n" +
		"[filter \"pwn\"]\n\tsmudge = " + t("smudge") + "; cat\n\tclean = " + t("clean") + "; cat\n\tprocess = " + t("process") + "\n\trequired = true\n" +
		"[filter \"lfs\"]\n\tsmudge = " + t("lfs-smudge") + "\n\tprocess = " + t("lfs-process") + "\n" +
		"[diff]\n\texternal = " + t("extdiff") + "\n[diff \"pwn\"]\n\ttextconv = " + t("textconv") + "\n\tcommand = " + t("diffcmd") + "\n" +
		"[merge \"pwn\"]\n\tdriver = " + t("merge") + "\n[credential]\n\thelper = \"!" + t("cred") + "\"\n" +
		"[alias]\n\tlog = \"!" + t("alias-log") + "\"\n\tls-tree = \"!" + t("alias-lstree") + "\"\n\tcat-file = \"!" + t("alias-catfile") +
		"\"\n\trev-list = \"!" + t("alias-revlist") + "\"\n\trev-parse = \"!" + t("alias-revparse") + "\"\n\tdiff-tree = \"!" + t("alias-difftree") + "\"\n" +
		"[pager]\n\tlog = " + t("pager-log") + "\n\tls-tree = " + t("pager-lstree") + "\n[gpg]\n\tprogram = " + t("gpg") + "\n[gpg \"ssh\"]\n\tprogram = " + t("gpgssh") +
		"\n[log]\n\tshowSignature = true\n[trailer \"x\"]\n\tcommand = " + t("trailer") + "\n[interactive]\n\tdiffFilter = " + t("difffilter") + "\n" +
		"[sequence]\n\teditor = " + t("sequence") + "\n[browser \"x\"]\n\tcmd = " + t("browser") + "\n[mailmap]\n\tfile = /etc/passwd\n[gc]\n\tauto = 1\n" +
		"[extensions]\n\tpartialClone = origin\n[remote \"origin\"]\n\turl = ext::sh -c " + t("ext") + "\n\tpromisor = true\n\tuploadpack = " + t("remoteup") +
		"\n\tvcs = ext\n[protocol \"ext\"]\n\tallow = always\n[include]\n\tpath = extra\n[includeIf \"gitdir:/\"]\n\tpath = extra\n" +
		"[url \"ext::sh -c " + t("insteadof") + " \"]\n\tinsteadOf = https://\n"
}

func worktreeConfig(m *maker) {
	m.simple(map[string]string{"a.py": plainSrc})
	m.write("config", "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n\trefStorage = files\n")
	m.write("config.worktree", m.evilSettings())
}

func submodules(m *maker) {
	modules := "[submodule \"x\"]\n\tpath = x\n\turl = ext::sh -c touch% " + m.canary + "-submodule\n\tupdate = !" + m.touch("update") + "\n" +
		"[submodule \"y\"]\n\tpath = \"y\r\"\n\turl = file:///etc\n" +
		"[submodule \"../../hooks\"]\n\tpath = z\n\turl = -u./pwn\n\tbranch = --upload-pack=" + m.touch("branch") + "\n"
	sub := "1111111111111111111111111111111111111111"
	m.commit(m.tree(sorted([]entry{
		{asFile, "a.py", m.blob(plainSrc)}, {asFile, ".gitmodules", m.blob(modules)},
		{asSub, "x", sub}, {asSub, "y\r", sub}, {asSub, "z", sub},
		{asTree, "deep", m.tree(entry{asSub, "w", sub})},
	})...), "submodules\n")
	m.write("modules/x/config", m.evilSettings())
	m.program("modules/x/hooks/post-checkout")
}

func lazyFetch(m *maker) {
	_, blobs := m.simple(map[string]string{"a.py": plainSrc, "b.py": "y = 2\n"})
	m.remove(m.git(loose(blobs["b.py"])))
	m.write("config", "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n[remote \"origin\"]\n\turl = ext::sh -c touch% "+m.canary+
		"-lazy\n\tpromisor = true\n\tpartialclonefilter = blob:none\n[protocol \"ext\"]\n\tallow = always\n")
	m.write("objects/pack/x.promisor", "")
}
