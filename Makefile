# Names the commands of this repository; the work is in .ci/ and in the Go programs.
# The toolchain is set here, so that a machine with another Go and GOTOOLCHAIN=local works as well.
export GOTOOLCHAIN := go1.27.3
export CGO_ENABLED ?= $(shell command -v $${CC:-cc} >/dev/null 2>&1 && echo 1 || echo 0)

REPO ?= .

.PHONY: wiki test build check bench fmt

## wiki: write or update the wiki of REPO (default: this repository)
wiki: build
	./wikiwright update --repo "$(REPO)"

## build: the program, ./wikiwright
build:
	CGO_ENABLED=0 go build -trimpath -o wikiwright ./cmd/wikiwright

## test: everything that must pass before a change lands
test:
	.ci/test

## check: format, vet, staticcheck, module hygiene and known vulnerabilities only
check:
	.ci/check

## bench: speed and memory as ratios against git, sha256sum, ctags and create-pull-request (see docs/performance.md)
bench: build
	go run ./bench $(BENCH)

fmt:
	gofmt -w $$(git ls-files '*.go')
