# Everything from a fresh clone: Go, Node and make are all that has to be there.
SHELL := /bin/sh
GOLANGCI_LINT := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.6.2
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
LDFLAGS := -s -w -X main.version=$(VERSION)

.DEFAULT_GOAL := help
.PHONY: help run build test check lint generate bench clean postgres

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

run: postgres build ## build everything and start it with the demo account
	@exec ./bin/agentchat serve --demo

build: ## build the binary, as bin/agentchat
	@mkdir -p bin
	go build -trimpath -ldflags '$(LDFLAGS)' -o bin/agentchat ./cmd/agentchat

test: postgres ## run every test on a real PostgreSQL that the tests start themselves
	go test -race -shuffle=on -timeout 18m ./...

check: lint ## linters, import rules, formatting, and generated code that is up to date
	go mod verify
	go vet ./...
	.ci/generated
	.ci/hygiene

generate: ## regenerate the GraphQL code from graph/schema
	go tool gqlgen generate

lint:
	go run $(GOLANGCI_LINT) run ./...

bench: postgres ## run the benchmarks
	go test -run '^$$' -bench . -benchmem ./...

postgres: ## make sure that PostgreSQL's programs are there
	@deploy/postgres/install

clean: ## remove what was built; data stays
	rm -rf bin
