# Targets of the repository. `make` or `make help` lists them.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c

# The command, the control plane and the plain tests are built without cgo, so that they share one build cache and
# the binaries are static. Race tests switch it on.
export CGO_ENABLED ?= 0

GOLANGCI_LINT := go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.12.2
MODULES := controlplane runtime kubebuilder
BIN := $(CURDIR)/bin

# timed NAME COMMAND runs COMMAND and prints how long NAME took.
timed = start=$$SECONDS; $(2); echo "=== $(1): $$((SECONDS - start)) s"

.PHONY: help
help: ## List the targets.
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build the commands into bin/.
	@mkdir -p $(BIN)
	cd kubebuilder && go build -o $(BIN)/kubebuilder . && go build -o $(BIN)/controller-gen ./cmd/controller-gen

.PHONY: install
install: ## Install kubebuilder and controller-gen where `go install` puts programs.
	cd kubebuilder && go install . ./cmd/controller-gen

.PHONY: controlplane
controlplane: build ## Build the Kubernetes control plane (minutes the first time, nothing when current).
	$(BIN)/kubebuilder cluster build

.PHONY: demo
demo: build controlplane ## Do the main job as a user would, in a folder of its own, and check each step.
	PATH="$(BIN):$$PATH" ./demo/demo.sh

.PHONY: test
test: build controlplane ## Run the tests of all modules, on the real control plane where they need one.
	@$(call timed,controlplane tests,(cd controlplane && go vet . && go test .))
	@$(call timed,runtime tests,(cd runtime && go vet ./... && go test -timeout 15m ./...))
	@$(call timed,kubebuilder tests,(cd kubebuilder && go vet ./... && PATH="$(BIN):$$PATH" go test -timeout 20m ./...))

.PHONY: test-all
test-all: test ## Run the slow whole as well: the runtime with the race detector.
	@$(call timed,runtime race tests,(cd runtime && CGO_ENABLED=1 go test -race -timeout 30m ./...))

.PHONY: lint
lint: ## Run the linters on all modules.
	@for module in $(MODULES); do \
		echo "=== lint $$module"; \
		(cd $$module && $(GOLANGCI_LINT) run --config ../.golangci.yml ./...); \
	done
