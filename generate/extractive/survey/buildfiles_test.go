package survey

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// brief is one command as "purpose | line | runs | first line of proof".
func brief(cs []Command) []string {
	purposes(cs)
	var out []string
	for _, c := range cs {
		out = append(out, c.Purpose+" | "+c.Line+" | "+c.Runs+" | "+line(c.Ref))
	}
	return out
}

func TestMakefile(t *testing.T) {
	data := `VERSION := 1
.PHONY: build test
build: deps ## Build the binary
	@echo building
	go build ./...
test lint:
	go test ./...
	go vet ./...
out/x.o: x.c
	cc x.c
lib.a: x.o
step-two:
	true
help: ## Show help
	@grep x
%.o: %.c
`
	want := []string{
		"build | make build | Build the binary | 3-5",
		"test | make test |  | 6-8",
		"lint | make lint |  | 6-8",
	}
	if diff := cmp.Diff(want, brief(readMakefile("Makefile", []byte(data)))); diff != "" {
		t.Errorf("targets (-want +got):\n%s", diff)
	}
}

func TestTaskRunners(t *testing.T) {
	tests := []struct {
		name string
		got  []Command
		want []string
	}{
		{"justfile", readJustfile("justfile", []byte("set shell := [\"sh\"]\n# Run the tests\ntest *args:\n    cargo test\n[private]\nhidden:\n    x\nx := 'y'\n")),
			[]string{"test | just test | Run the tests | 3"}},
		{"taskfile", readTaskfile("Taskfile.yml", []byte("version: 3\ntasks:\n  build:\n    cmds: [go build .]\n  lint:\n    desc: Check style\n  inner:\n    internal: true\n")),
			[]string{"build | task build | go build . | 3-4", "lint | task lint | Check style | 5-6"}},
		{"rakefile", readRakefile("Rakefile", []byte("desc 'Run specs'\ntask :spec do\nend\ntask :other\n")), []string{"test | rake spec | Run specs | 2"}},
		{"tox", readTox("tox.ini", []byte("[tox]\nenvlist = py\n[testenv:style]\ncommands = pre-commit run\n")), []string{"lint | tox -e style | pre-commit run | 3"}},
		{"nox", readNox("noxfile.py", []byte("import nox\n@nox.session\ndef lint(session):\n    pass\ndef helper(x):\n    pass\n")), []string{"lint | nox -s lint |  | 3"}},
		{"cargo", readCargoAliases(".cargo/config.toml", ".", []byte("[alias]\nxtask = \"run -p xtask --\"\n")), []string{"run | cargo xtask | cargo run -p xtask -- | 2"}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, brief(tt.got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestPurposes(t *testing.T) {
	names := map[string]string{
		"build": "build", "build-test-image": "build", "test:unit": "test", "check": "test", "check-links": "lint", "fmt": "format", "docs-build": "docs",
		"unittest": "test", "release": "release", "gen-proto": "generate", "dev": "dev", "start": "run", "clean": "clean", "typecheck": "lint", "protest": "",
		"merge": "", "install_deps": "install",
	}
	for _, name := range sortedKeys(names) {
		if got := purposeOfName(name); got != names[name] {
			t.Errorf("purposeOfName(%q) = %q, want %q", name, got, names[name])
		}
	}
	lines := map[string]string{
		"go test -race ./...": "test", "CGO_ENABLED=0 go build ./cmd/x": "build", "make": "build", "make -C docs html": "", "make CC=gcc lint": "lint",
		"uv run --locked --group dev tox run": "test", "npm ci": "install", "pnpm run build": "build", "cargo clippy --all": "lint", "sudo make install": "install",
		"./gradlew check": "test", "git push": "", "python -m pytest tests": "test", "docker compose up": "run", "bundle exec rspec": "test",
	}
	for _, l := range sortedKeys(lines) {
		if got := purposeOfLine(l); got != lines[l] {
			t.Errorf("purposeOfLine(%q) = %q, want %q", l, got, lines[l])
		}
	}
}

func TestGitHubWorkflow(t *testing.T) {
	data := `name: CI
on:
  push:
    branches: [main]
  pull_request:
jobs:
  test:
    name: Tests on ${{ matrix.os }}
    runs-on: x
    steps:
      - uses: actions/checkout@v4
      - run: go vet ./...
      - name: many
        working-directory: sub
        run: |
          if true; then
            go build
          fi
          go test ./...
          echo done
          make ${{ matrix.target }}
          cc a \
            b
`
	w, cs := readWorkflow(".github/workflows/ci.yml", []byte(data))
	want := &Workflow{
		Name: "CI", File: ".github/workflows/ci.yml", On: []string{"push (branches: main)", "pull_request"},
		Jobs: []Fact{{"test: go vet ./...; go test ./...", Ref{".github/workflows/ci.yml", 7, 23}}}, Ref: Ref{".github/workflows/ci.yml", 1, 1},
	}
	if diff := cmp.Diff(want, w); diff != "" {
		t.Errorf("workflow (-want +got):\n%s", diff)
	}
	wantCommands := []Command{
		{Purpose: "lint", Line: "go vet ./...", Source: "CI step", Ref: Ref{w.File, 12, 12}, Dir: "."},
		{Purpose: "test", Line: "go test ./...", Source: "CI step", Ref: Ref{w.File, 19, 19}, Dir: "sub"},
	}
	if diff := cmp.Diff(wantCommands, cs); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
}

func TestOtherPipelines(t *testing.T) {
	tests := []struct{ file, data, name, job string }{
		{".gitlab-ci.yml", "stages: [a]\nunit:\n  script:\n    - make test\n.hidden:\n  script: x\n", "gitlab-ci", "unit: make test"},
		{".circleci/config.yml", "jobs:\n  build:\n    steps:\n      - checkout\n      - run:\n          command: cargo test\n", "circleci/config", "build: cargo test"},
		{"azure-pipelines.yml", "jobs:\n- job: Win\n  steps:\n  - script: dotnet test\n", "azure-pipelines", "Win: dotnet test"},
		{".travis.yml", "script:\n  - npm test\n", "travis", "script: npm test"},
	}
	for _, tt := range tests {
		w, _ := readWorkflow(tt.file, []byte(tt.data))
		if w == nil || len(w.Jobs) != 1 {
			t.Errorf("%s: %+v, want one job", tt.file, w)
			continue
		}
		if w.Name != tt.name || w.Jobs[0].Text != tt.job {
			t.Errorf("%s: name %q job %q, want %q and %q", tt.file, w.Name, w.Jobs[0].Text, tt.name, tt.job)
		}
	}
	if w, _ := readWorkflow(".gitlab-ci.yml", []byte(":\n\t- [")); w != nil {
		t.Errorf("broken pipeline read as %+v", w)
	}
}

func TestContainers(t *testing.T) {
	data := "FROM golang:1.24 AS build\nRUN go build\nEXPOSE 1\n# c\nFROM --platform=linux/amd64 alpine:3\nENV A=1 \\\n    B=2\nEXPOSE 8080\nENTRYPOINT [\"/app\"]\n"
	want := []Container{{
		Name: "Dockerfile", File: "Dockerfile", Base: "alpine:3", Ref: Ref{"Dockerfile", 5, 5},
		Facts: []Fact{{"ENV A=1 B=2", Ref{"Dockerfile", 6, 7}}, {"EXPOSE 8080", Ref{"Dockerfile", 8, 8}}, {`ENTRYPOINT ["/app"]`, Ref{"Dockerfile", 9, 9}}},
	}}
	if diff := cmp.Diff(want, readDockerfile("Dockerfile", []byte(data))); diff != "" {
		t.Errorf("image (-want +got):\n%s", diff)
	}
	compose := "services:\n  web:\n    build: .\n    ports:\n      - \"80:8080\"\n    environment:\n      A: b\n    depends_on: [db]\n  db:\n    image: postgres:16\n"
	wantServices := []Container{
		{Name: "web", File: "compose.yml", Ref: Ref{"compose.yml", 2, 2}, Facts: []Fact{
			{"build .", Ref{"compose.yml", 3, 3}}, {"ports 80:8080", Ref{"compose.yml", 5, 5}}, {"environment A=b", Ref{"compose.yml", 7, 7}},
			{"depends_on db", Ref{"compose.yml", 8, 8}},
		}},
		{Name: "db", File: "compose.yml", Base: "postgres:16", Ref: Ref{"compose.yml", 9, 9}},
	}
	if diff := cmp.Diff(wantServices, readCompose("compose.yml", []byte(compose))); diff != "" {
		t.Errorf("services (-want +got):\n%s", diff)
	}
}

func TestLicences(t *testing.T) {
	mit := "Copyright x\n\nPermission is hereby granted, free of charge, to any person\nobtaining a copy of this software. THE SOFTWARE IS PROVIDED \"AS IS\"."
	tests := []struct{ text, want string }{
		{mit, "MIT"},
		{"Apache License\nVersion 2.0, January 2004\n 3. Grant of Patent License.", "Apache-2.0"},
		{"Redistribution and use in source and binary forms, with this list of conditions. Neither the name of", "BSD-3-Clause"},
		{"Redistribution and use in source and binary forms, this list of conditions", "BSD-2-Clause"},
		{"Mozilla Public License Version 2.0 1. Definitions. Apache License Version 2.0, January 2004 Grant of Patent License", ""},
		{"You may do as you please.", ""},
	}
	for _, tt := range tests {
		if got := recogniseLicence([]byte(tt.text)); got != tt.want {
			t.Errorf("recogniseLicence(%.30q…) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestLicenceName(t *testing.T) {
	for in, want := range map[string]string{"Apache License, Version 2.0": "Apache-2.0", "The MIT License": "MIT", "BSD-3-Clause": "BSD-3-Clause", "Own": "Own"} {
		if got := licenceName(in); got != want {
			t.Errorf("licenceName(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestEnvSample(t *testing.T) {
	data := "# Port the server listens on.\nPORT=8080\nAPI_SECRET=abc\nDATABASE_URL=postgres://u:p@h/db\n#LOG_LEVEL=info\n"
	got := readEnvSample(".env.example", []byte(data))
	want := []ConfigItem{
		{Kind: "env", Name: "PORT", Default: "8080", Usage: "Port the server listens on.", Refs: []Ref{{".env.example", 2, 2}}},
		{Kind: "env", Name: "API_SECRET", Refs: []Ref{{".env.example", 3, 3}}},
		{Kind: "env", Name: "DATABASE_URL", Refs: []Ref{{".env.example", 4, 4}}},
		{Kind: "env", Name: "LOG_LEVEL", Default: "info", Refs: []Ref{{".env.example", 5, 5}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("variables (-want +got):\n%s", diff)
	}
	for _, item := range readEnvSample(".env", []byte("PORT=8080\n")) {
		if item.Default != "" {
			t.Errorf("value of a real .env shown: %+v", item)
		}
	}
}

func TestCommandLine(t *testing.T) {
	if got := commandLine("make\ntest"); got != "" {
		t.Errorf("two lines accepted: %q", got)
	}
	if got := commandLine(strings.Repeat("x", maxCommand+1)); got != "" {
		t.Errorf("long line accepted: %d bytes", len(got))
	}
	if got, want := commandLine(" make\x1b[0m  test "), "make[0m test"; got != want {
		t.Errorf("commandLine = %q, want %q", got, want)
	}
}
