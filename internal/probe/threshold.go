package probe

// Threshold says which number decides a probe's answer and where it comes from;
// "" when no number does. The numbers stand in the probes' code; those that a
// person can argue with are listed here in one place.
func (p Probe) Threshold() string {
	for _, group := range []func(string) string{historyThreshold, codeThreshold, projectThreshold, documentThreshold} {
		if said := group(p.ID); said != "" {
			return said
		}
	}
	return ""
}

const designChoice = " (design choice)"

func historyThreshold(id string) string {
	switch id {
	case "git.count":
		return "More than 3 commits (threshold of the original assignment)."
	case "git.bulk":
		return "A commit with 60 % or more of all production lines ever added fails, one with up to 40 % holds, and the share falls evenly in between" + designChoice + "; the median of 59 measured repositories is 25 %. In a history of 200 commits over 180 days such a commit counts half" + designChoice + "."
	case "git.burst":
		return "A history within 60 minutes fails; up to 60 % of gaps under 2 minutes cost nothing" + designChoice + "; the median of 59 measured repositories is 26 %. In a history of 200 commits over 180 days gaps are not weighed" + designChoice + "."
	case "git.message":
		return "A subject needs at least 2 words and 10 characters, and one word that is not a filler" + designChoice + "."
	case "git.atomic":
		return "A commit changes at most 10 files in at most 3 folders" + designChoice + "."
	case "git.churn":
		return "Half of the files are changed by 2 commits or more" + designChoice + "."
	case "git.hygiene":
		return "Files over 5 MiB count" + designChoice + "; tracked files that .gitignore names count from one in 500 on" + designChoice + "."
	case "git.progression":
		return "Two of three steps count half; a beginning that brings everything is weighed at 40 % and 60 % of the code, as in git.bulk" + designChoice + "."
	case "git.secrets":
		return "Up to 48 MiB of older versions are read, for time's sake; a random text counts from 20 characters with 3 digits on" + designChoice + "."
	}
	return ""
}

func codeThreshold(id string) string {
	switch id {
	case "arch.size":
		return "Functions have at most 100 lines and files at most 800; no file has more than half of the code, from 1,000 lines on" + designChoice + "."
	case "code.complexity":
		return "A function has at most 15 decision points" + designChoice + "; McCabe proposed 10 and allowed up to 15 (NIST Special Publication 500-235)."
	case "code.dup":
		return "A copy has 60 tokens in a row with at least 12 different words" + designChoice + "; copy detectors such as PMD's CPD are commonly run with 50 to 100."
	case "code.marks":
		return "Up to 1 admitted defect in 1,000 lines costs nothing, 5 and more cost everything" + designChoice + "; six well-known projects in five languages that were counted have fewer than 0.5."
	case "tests.ratio":
		return "Half as many tests as functions are enough" + designChoice + "."
	case "tests.errors":
		return "3 places that expect an error, or one for each 10 test files where there are fewer" + designChoice + "."
	case "tests.skipped":
		return "Up to 2 % of the tests cost nothing" + designChoice + "."
	case "arch.unused", "err.swallow", "types.coverage", "docs.public", "err.rate", "res.closed", "code.stub", "proc.result", "proc.timeout", "tests.real":
		return "None: the share of what complies counts."
	}
	return ""
}

func projectThreshold(id string) string {
	switch id {
	case "repo.lang":
		return "50 lines of code in a language that is read" + designChoice + ": a script that is shorter shows nothing of how its authors build."
	case "repo.readme":
		return "Four things count, each a quarter" + designChoice + "."
	case "repo.ci", "repo.docker", "repo.build", "repo.release", "deps.runtime":
		return "What is there in part counts half" + designChoice + "."
	case "deps.pinned", "repo.env", "repo.links", "readme.run", "deps.sources", "repo.ignore", "code.debug":
		return "None: the share of what complies counts."
	case "deps.updates", "repo.policy":
		return "None. That it is asked follows OpenSSF Scorecard."
	case "ci.untrusted":
		return "None. The two ways in are those of GitHub's security hardening guide."
	case "self.consistency":
		return "A score of 4 and more that the authors give themselves speaks of something as done" + designChoice + "."
	case "injection.attempt":
		return "None: one place is enough. None of 68 honest projects that were searched had such a text."
	case "proc.shell", "code.danger", "repo.secrets", "cred.url":
		return "None: one place is enough. It limits the score only when input from outside is proven to reach it."
	}
	return ""
}

func documentThreshold(id string) string {
	switch id {
	case "pdf.integrity":
		return "Pages without text count half; 300 words, 3 sections" + designChoice + "."
	case "doc.project":
		return "A document belongs to this repository when half of its names are here, and to another one when under a fifth of at least 5 are. Measured on 36 documents of their own repositories and 14 laid beside others'."
	case "doc.paths":
		return "3 files are enough to be held to; half of the 6 folders with most of the code" + designChoice + "."
	case "doc.reasons":
		return "3 argued decisions are enough" + designChoice + "."
	case "doc.anchored":
		return "Sections of 40 words count; half of them name code" + designChoice + "."
	case "doc.mentions":
		return "A passage of 25 words explains, a shorter one mentions and counts half" + designChoice + "."
	case "doc.boilerplate":
		return "8 words in a row from elsewhere count as copied; from a tenth of the text on they cost" + designChoice + "."
	case "doc.numbers":
		return "Exact counts must be exact; \"about\" allows a tenth" + designChoice + "."
	case "diagram.match":
		return "F1 of what is drawn and what is there counts; of names, half is enough" + designChoice + "."
	case "doc.symbols", "doc.claims", "doc.unwired", "doc.fresh", "doc.limits", "img.inventory", "diagram.graph", "diagram.caption", "diagram.kind":
		return "None: the share of what holds counts."
	}
	return ""
}
