package survey

import (
	"regexp"
	"sort"
	"strings"
	"sync"
)

// commandLine folds a command to one line; "" when it is no command a person types: empty, too long, or with unprintable text.
func commandLine(s string) string {
	s = strings.TrimSpace(s)
	if strings.ContainsAny(s, "\n\r") {
		return ""
	}
	s = clean(s)
	if len(s) > maxCommand {
		return ""
	}
	return s
}

// shortRun keeps what a command runs where that is one short line, else "".
func shortRun(s string) string {
	s = clean(s)
	if len(s) > 120 {
		return ""
	}
	return s
}

var purposeWords = sync.OnceValue(func() []purposeWord {
	word := func(purpose, words string) purposeWord {
		return purposeWord{purpose, regexp.MustCompile(`(?i)(^|[-_:./])(` + words + `)($|[-_:./0-9])`)}
	}
	return []purposeWord{
		word("lint", `check|verify|lint|linter|lints|vet|typecheck|type-check|types?|typing|mypy|pyright|eslint|clippy|check-?style|staticcheck|style|phpstan|rubocop|golangci`),
		word("format", `fmt|format|formatting|prettier|black|isort|gofmt|tidy|fix`),
		word("clean", `clean|distclean|clobber|purge`),
		word("docs", `docs?|documentation|man|storybook`),
		word("release", `release|publish|dist|deploy|tarball|snapshot|goreleaser|upload`),
		word("generate", `gen|generate|codegen|proto|protobuf|protoc|mocks?|update|regenerate|bindings`),
		word("test", `tests?|spec|specs|unit|unittest|integration|e2e|coverage|cover|pytest|jest|vitest|fuzz`),
		word("bench", `bench|benchmarks?|benches`),
		word("install", `install|setup|bootstrap|deps|dependencies|init|vendor|requirements`),
		word("dev", `dev|develop|development|watch|hot|serve`),
		word("run", `run|start|server|up|preview`),
		word("build", `build|compile|all|bundle|package|image|docker|binary|bin|make|assets|wheel|sdist`),
	}
})

type purposeWord struct {
	purpose string
	re      *regexp.Regexp
}

// purposeOfName classifies the name of a target, script or task; "" when the name says nothing. The verb in front decides:
// "build:test-app" builds, "test:build" tests.
func purposeOfName(name string) string {
	if name == "check" || strings.HasSuffix(name, ":check") {
		return "test" // the custom of make and of Gradle
	}
	best, at := "", len(name)+1
	for _, w := range purposeWords() {
		if loc := w.re.FindStringSubmatchIndex(name); loc != nil && loc[4] < at {
			best, at = w.purpose, loc[4]
		}
	}
	return best
}

var purposeTools = sync.OnceValue(func() []purposeWord {
	tool := func(purpose, words string) purposeWord {
		return purposeWord{purpose, regexp.MustCompile(`^(` + words + `)(\s|$)`)}
	}
	return []purposeWord{
		tool("test", `go test|cargo (nextest|test)|pytest|python3? -m (pytest|unittest)|(npx |pnpm exec |yarn )?(jest|vitest|mocha)|ctest|(\./)?mvnw? (test|verify)|mvn .*\b(test|verify)|(\./)?gradlew? .*\b(test|check)|dotnet test|rspec|rake test|phpunit|(\./)?vendor/bin/phpunit|\./phpunit|\./simple-phpunit|meson test|tox|nox|make (check|test)|prove|swift test|mix test|bats`),
		tool("lint", `go vet|golangci-lint|staticcheck|cargo clippy|cargo check|cargo deny|eslint|ruff check|ruff|flake8|mypy|pylint|pyright|tsc --noEmit|rubocop|phpstan|shellcheck|pre-commit|yamllint|clang-tidy`),
		tool("format", `gofmt|goimports|cargo fmt|rustfmt|prettier|black|isort|ruff format|clang-format|php-cs-fixer|dotnet format`),
		tool("generate", `go generate|buf generate|protoc`),
		tool("install", `go install|pip3? install|python3? -m pip install|uv (sync|pip install|add)|poetry (install|add)|npm (install|ci|i)|yarn install|pnpm (install|i|add)|yarn add|yarn|bundle install|composer (install|require)|cargo install|brew install|apt(-get)? install|sudo (apt|dnf|make install)|make install|gem install|dotnet (restore|add|tool)|conda install|go get`),
		tool("release", `goreleaser|cargo publish|npm publish|twine|poetry publish|docker push`),
		tool("docs", `mkdocs|sphinx-build|cargo doc|typedoc|vitepress|docusaurus`),
		tool("build", `go build|cargo build|cmake|(\./)?mvnw? (.*\b)?(package|install|compile)|(\./)?gradlew? .*\b(build|assemble)|dotnet (build|publish|pack)|docker build|docker buildx|meson (setup|compile)|ninja|npm run build|pnpm (run )?build|yarn (run )?build|python3? -m build|poetry build|tsc|vite build|rollup|webpack|(\./)?configure|(\./)?autogen\.sh|bazel build|swift build`),
		tool("run", `(\./)?mvnw? spring-boot:run|(\./)?gradlew? (bootRun|run)|go run|cargo run|docker run|docker[ -]compose up|flask run|npm start|yarn start|dotnet run|uvicorn|gunicorn|python3? manage\.py runserver|rails (s|server)|php artisan serve`),
		tool("dev", `npm run dev|pnpm (run )?dev|yarn dev|vite|next dev|nodemon`),
	}
})

// purposeOfLine classifies a whole command line by the tool it calls.
func purposeOfLine(line string) string {
	line = stripEnvPrefix(line)
	switch {
	case formatCheck()(line) && !formatWrite()(line):
		return "lint"
	case benchFlag()(line):
		return "bench"
	}
	for _, w := range purposeTools() {
		if w.re.MatchString(line) {
			return w.purpose
		}
	}
	if rest, ok := strings.CutPrefix(line+" ", "make "); ok {
		return purposeOfMake(rest)
	}
	for _, runner := range []string{"npm run ", "pnpm run ", "yarn run ", "pnpm ", "yarn ", "npm ", "bun run ", "just ", "task ", "rake ", "composer ",
		"hatch run ", "poe ", "tox -e ", "nox -s ", "cargo "} {
		if rest, ok := strings.CutPrefix(line, runner); ok {
			name, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
			return purposeOfName(name)
		}
	}
	return ""
}

// purposeOfMake classifies a call of make by its first target; without one it builds.
func purposeOfMake(args string) string {
	skip := false
	for word := range strings.FieldsSeq(args) {
		switch {
		case skip:
			skip = false
		case word == "-C" || word == "-f":
			skip = true
		case strings.HasPrefix(word, "-") || strings.ContainsAny(word, `='"`):
		default:
			return purposeOfName(word)
		}
	}
	return "build"
}

var envPrefix = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([A-Z_][A-Z0-9_]*=\S*\s+)+`) })

// stripEnvPrefix drops variable assignments and wrappers in front of the program.
func stripEnvPrefix(line string) string {
	line = strings.TrimPrefix(envPrefix().ReplaceAllString(line, ""), "sudo ")
	for _, runner := range []string{"uv run ", "poetry run ", "pdm run ", "pipenv run ", "bundle exec "} {
		if rest, ok := strings.CutPrefix(line, runner); ok {
			return strings.Join(skipOptions(strings.Fields(rest)), " ")
		}
	}
	return line
}

// skipOptions drops the options of a wrapper, with the values of those that take one.
func skipOptions(words []string) []string {
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		n := 1
		switch words[0] {
		case "--group", "--only-group", "--no-group", "--with", "--extra", "--python", "-p":
			n = 2
		}
		words = words[min(n, len(words)):]
	}
	return words
}

// purposes classifies commands in place: by what they run where that is known, else by the name that people gave them, else by the tool.
func purposes(commands []Command) {
	for i := range commands {
		c := &commands[i]
		if runsOneTest()(c.Line) {
			c.Purpose = "test-one"
		}
		if c.Purpose == "" {
			c.Purpose = taskPurpose(c)
		}
		if c.Purpose == "" {
			c.Purpose = purposeOfLine(c.Line)
		}
		if c.Purpose == "" && c.Source != "CI step" {
			c.Purpose = purposeOfLine(c.Runs)
		}
	}
}

// runsOneTest reports a call of a test script of the repository that chooses single tests.
var runsOneTest = sync.OnceValue(func() func(string) bool {
	return regexp.MustCompile(`^(\./)?([\w.-]+/)*[\w.-]*tests?[\w.-]*( .*)? --?(single|only|filter|grep|case|test-name|match)[ =]\w`).MatchString
})

func taskPurpose(c *Command) string {
	switch c.Source {
	case "CI step", "README", "document":
		return ""
	case "package.json script", "Cargo alias":
		return purposeOfTask(lastWord(c.Line), []string{c.Runs})
	}
	return purposeOfTask(lastWord(c.Line), nil) // Runs is what its author says about it
}

// sortCommands orders commands by where they are defined.
func sortCommands(cs []Command) {
	sort.SliceStable(cs, func(i, j int) bool {
		a, b := cs[i], cs[j]
		if a.Ref.Path != b.Ref.Path {
			return a.Ref.Path < b.Ref.Path
		}
		if a.Ref.Start != b.Ref.Start {
			return a.Ref.Start < b.Ref.Start
		}
		return a.Line < b.Line
	})
}
