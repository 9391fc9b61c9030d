# Everything from a fresh clone. It needs only Go, Node and make.
SHELL := /bin/sh
# Without make's built-in rules, which it would try on each source of the panel.
MAKEFLAGS += --no-builtin-rules
# Static binaries without the machine's paths. Everything except the race detector, which needs cgo, shares these settings, so that the
# build, the linter and the code generator compile each package once.
export CGO_ENABLED := 0
export GOFLAGS := -trimpath
# A tag such as v0.2.0, without its v, or the commit.
VERSION := $(patsubst v%,%,$(shell git describe --tags --always --dirty 2>/dev/null || echo unknown))
GO_BUILD = go build -ldflags '-s -w -X main.version=$(VERSION)' -o bin/agentchat ./cmd/agentchat

.DEFAULT_GOAL := help
.PHONY: help run build compile dev test test-go test-raced test-unraced test-e2e test-panel test-long test-broken test-deploy trial-ha check check-go check-panel generate bench \
	clean compiler postgres panel panel-packages release screenshots demo-data

# The panel's packages are installed when the lock file changes, and the panel is built when one of its sources changes.
PACKAGES := frontend/node_modules/.package-lock.json
PANEL := frontend/dist/index.html
PANEL_SOURCES = $(shell find frontend/src frontend/scripts graph/schema rest/openapi.yaml examples/streaming -type f 2>/dev/null) \
	$(wildcard frontend/*.html frontend/*.json frontend/*.ts)

# step TITLE,LOG,COMMAND runs a command. In make run, it prints one line, and the command's output only if it fails.
step = $(if $(QUIET),@echo '$(1) ...'; mkdir -p bin; { $(3); } >bin/$(2).log 2>&1 || { cat bin/$(2).log >&2; exit 1; },$(3))

# The linter is built once for all clones of a user.
LINTER_VERSION := v2.6.2
LINTER := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/agentchat/golangci-lint-$(LINTER_VERSION)

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

run: ## build everything and start it with the demo account
	@$(MAKE) -s QUIET=1 -j3 postgres panel-packages $(if $(wildcard bin/agentchat),,compile)
	@$(MAKE) -s QUIET=1 build
	@exec ./bin/agentchat serve --demo

build: panel ## build the panel and the binary, as bin/agentchat
	$(call step,Building the service,build,$(GO_BUILD))

# Compiles the binary while npm downloads. build then adds the panel, or finds that nothing has changed.
compile:
	$(call step,Compiling the service,compile,$(GO_BUILD))

release: panel ## with VERSION=0.2.0: build archives, Debian packages, an image, checksums and a bill of materials in bin/release
ifneq ($(origin VERSION),command line)
	@echo "Name the version: make release VERSION=0.2.0" >&2; exit 2
else
	@.ci/release $(VERSION)
endif

dev: postgres build ## run the binary with demo data, and the panel with hot reload on port 5173
	@frontend/scripts/dev.sh

test: compiler postgres build ## run all tests: Go with a real PostgreSQL, the panel's units, and a real browser
	@$(MAKE) --no-print-directory test-go
	@$(MAKE) --no-print-directory test-panel

# make check vets. These packages share no state and would take more than a minute under the race detector: password hashes, search
# matching, JSON Schema validation and the reader of API descriptions.
RACE_EXEMPT := $(patsubst %,-gcflags=%=-race=false,golang.org/x/crypto/argon2 golang.org/x/crypto/blake2b agentchat/internal/find \
	agentchat/internal/schema golang.org/x/text/... github.com/getkin/kin-openapi/... github.com/santhosh-tekuri/jsonschema/...)

TEST_FLAGS := -vet=off -shuffle=on -timeout 20m
# By default, the race detector waits for a second at the end of every test program.
RACE := CGO_ENABLED=1 GOFLAGS= GORACE=atexit_sleep_ms=10 go test -race $(RACE_EXEMPT) $(TEST_FLAGS)
# Packages whose goroutines share state. make test-long races the others, which takes minutes more.
RACED := ./internal/chat ./internal/fair ./internal/httpapi ./internal/llm/circuit ./internal/memory ./internal/server \
	./internal/share

# One PostgreSQL serves all test programs.
WITH_POSTGRES := go run ./internal/store/storetest/cluster

test-go: compiler postgres panel ## run every Go test
	@$(WITH_POSTGRES) $(MAKE) --no-print-directory test-raced test-unraced test-e2e

test-raced:
	$(RACE) -p 2 $(RACED)

# In reverse order, because internal/store takes longest and would run alone at the end.
test-unraced:
	go test $(TEST_FLAGS) -p 2 $$(go list ./... | grep -vxF "$$(go list $(RACED) ./internal/e2e)" | sort -r)

# Whole services with their real time limits, which they would miss next to another package. They keep two cores busy.
test-e2e:
	go test $(TEST_FLAGS) ./internal/e2e

compiler:
	@echo '#include <stdlib.h>' | $$(go env CC) -x c -fsyntax-only - 2>/dev/null || \
		{ echo "The race detector needs a C compiler: install the packages gcc and libc6-dev (on a Mac: xcode-select --install)" >&2; exit 1; }

test-panel: postgres build ## run the panel's unit tests, and the browser journeys against the real binary
	npm --prefix frontend test
	npm --prefix frontend run e2e

test-long: compiler postgres build ## run what make test leaves out: other races, crashes, a soak, fairness, more end-to-end tests; an hour or two
	$(RACE) -p 3 $$(go list ./... | grep -vxF "$$(go list $(RACED) ./internal/e2e ./internal/schema)")
	@.ci/long
	npm --prefix frontend run e2e:long
	@.ci/fresh all

test-deploy: postgres panel ## test a release, the guides, and the configurations of deploy/ with their programs; about twelve minutes
	@.ci/deploy

trial-ha: postgres panel ## break a PostgreSQL pair under Patroni in five ways, ROUNDS times each, under load; about twelve minutes
	@.ci/trial-ha

test-broken: postgres ## break the service on purpose, one way at a time, and expect failing tests
	@.ci/broken

demo-data: build ## create an account with a month of data in the running service; SEED repeats the calls of an earlier run
	@node frontend/scripts/working-day.mjs $(SEED)

screenshots: build ## take pictures of every page of the panel, into frontend/screenshots
	cd frontend && npx playwright test --config playwright.screenshots.config.ts

check: ## run linters, and check import rules, formatting and generated code
	@$(MAKE) --no-print-directory -j2 check-go check-panel

check-go: $(LINTER)
	go mod verify
	$(LINTER) run ./...
	.ci/generated
	.ci/hygiene

check-panel: panel-packages
	npm --prefix frontend run check

$(LINTER):
	@mkdir -p $(@D)
	GOBIN=$(@D) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINTER_VERSION)
	@mv $(@D)/golangci-lint $@

generate: panel-packages ## regenerate the GraphQL code from graph/schema, Go and TypeScript
	go tool gqlgen generate
	npm --prefix frontend run codegen

panel: $(PANEL) ## build the panel, into frontend/dist

$(PANEL): $(PACKAGES) $(PANEL_SOURCES)
	$(call step,Building the panel,panel,npm --prefix frontend run build)

panel-packages: $(PACKAGES)

$(PACKAGES): frontend/package.json frontend/package-lock.json
	@command -v npm >/dev/null && node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' || \
		{ echo "The panel needs Node 20.19 or newer: install it from https://nodejs.org" >&2; exit 1; }
	$(call step,Installing the packages of the panel,packages,npm --prefix frontend ci --no-audit --no-fund --no-update-notifier --loglevel=error)
	@touch $(PACKAGES)

bench: postgres ## run the benchmarks; with BASE=commit, compare the service with that commit (docs/performance.md)
ifdef BASE
	go run ./internal/bench -base $(BASE) $(BENCH)
else
	go test -run '^$$' -bench . -benchmem ./...
endif

postgres: ## install PostgreSQL's programs if they are missing
	@deploy/postgres/install

clean: ## remove build results; data stays
	rm -rf bin
	find frontend/dist -mindepth 1 ! -name placeholder.html -delete
