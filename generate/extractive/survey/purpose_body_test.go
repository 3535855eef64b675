package survey

import (
	"strings"
	"testing"
)

func TestPurposeOfTask(t *testing.T) {
	tests := []struct{ name, body, want string }{
		{"fmt", "gofmt -w .", "format"},
		{"fmt", "test -z $(shell gofmt -l $(SRC)) || (gofmt -d $(SRC); exit 1)", "lint"},
		{"format", "prettier --check .", "lint"},
		{"debug-build", "VITE_TEST_BUILD=1 vitest run -c vitest.config.e2e.ts", "debug"},
		{"build-e2e", "vitest run -c vitest.config.e2e.ts", "test"},
		{"serve", "pytest tests", "test"},
		{"bench", "./tool-benchmark", "bench"},
		{"bench_db", "go run ./bench\ngo tool pprof x", "bench"},
		{"test", "go test -bench=. ./...", "bench"},
		{"protoc", "echo installing\ncurl -s -o x $(URL)\nunzip x\nrm x", "setup"},
		{"ui-install", "cd ui && pnpm install", "setup"},
		{"install", "install -m 755 prog /usr/bin", "install"},
		{"install_deps", "go get -v ./...", "install"},
		{"update-actions", "", "update"},
		{"update-golden", "go test ./cmd -run TestX -update", "update"},
		{"snapshot", "jest --updateSnapshot", "update"},
		{"clean", "rm -rf $(BIN)", "clean"},
		{"clean", "rm -rf ~/.cargo", "other"},
		{"clean_environment", "./uninstall.sh --uninstall", "other"},
		{"lint", "echo 'nothing to do'", "other"},
		{"build-types-check", "tsc --project tsconfig.check.json", "lint"},
		{"ci-publish", "tsx publish.ts", "other"},
		{"check-generated", "git diff --exit-code", "other"},
		{"check-types", "tsc --noEmit", "lint"},
		{"build", "cd web && npm ci\ncd web && npm run build", "build"},
		{"docs", "$(GO) run ./cmd/prog --write-documentation > docs/x.md", "docs"},
		{"typecheck", "", "lint"},
		{"parser", "", ""},
	}
	for _, tc := range tests {
		var body []string
		if tc.body != "" {
			body = strings.Split(tc.body, "\n")
		}
		if got := purposeOfTask(tc.name, body); got != tc.want {
			t.Errorf("%s with %q: got %q, want %q", tc.name, tc.body, got, tc.want)
		}
	}
}

func TestPurposeOfLine_checks(t *testing.T) {
	for line, want := range map[string]string{
		"cargo fmt --all --check": "lint", "cargo fmt --all": "format", "gofmt -l .": "lint", "gofmt -w .": "format", "go test -bench=. ./...": "bench",
		"go test ./...": "test", "cargo bench": "bench", "make benchmark": "bench",
	} {
		if got := purposeOfLine(line); got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}

func TestMakefilePrerequisites(t *testing.T) {
	data := `all: fmt test
fmt:
	gofmt -d .
test:
	go test ./...
check: test
assets: tools build
build:
	go build ./...
tools:
	curl -o x y
install: $(BIN)
distclean: clean_environment
	rm -f x
clean_environment: uninstall
uninstall:
ifdef X
	rm -rf ~/.cargo
endif
`
	want := []string{
		"other | make all | fmt test | 1", "lint | make fmt | gofmt -d . | 2-3", "test | make test | go test ./... | 4-5", "test | make check |  | 6",
		"build | make assets |  | 7", "build | make build | go build ./... | 8-9", "install | make install |  | 12",
		"other | make distclean | rm -f x | 13-14", "other | make clean_environment | uninstall | 15",
	}
	got := brief(readMakefile("Makefile", []byte(data)))
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("targets: got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
