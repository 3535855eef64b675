package survey

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// otherPurpose marks a command whose body shows that it does none of the things that commands are listed for, whatever its name says.
const otherPurpose = "other"

// purposeOfTask classifies a target, script or task by what it runs and by its name. The body decides where it shows what is done: a `fmt` that
// only compares is a check, a `proto` that downloads a tool sets something up. Where it says nothing, or several things, the name counts.
func purposeOfTask(name string, body []string) string {
	named, does := purposeOfName(name), bodyPurposes(body)
	has := func(purpose string) bool { return slices.Contains(does, purpose) }
	only := func(purpose string) bool { return len(does) == 1 && has(purpose) }
	switch lower := strings.ToLower(name); {
	case has(otherPurpose), ciName()(lower), onlyTalks(body):
		return otherPurpose
	case checksOne()(lower) && purposeOfName(lower[len("check-"):]) != "lint":
		return otherPurpose // one check of many, of which people need the one that runs all
	case debugName()(lower):
		return "debug"
	case has("update"), updateName()(lower) && (named == "" || named == "generate" || named == "install" || named == "release"):
		return "update"
	case benchName()(lower) && named != "build", only("bench"):
		return "bench"
	case strings.HasSuffix(lower, "-check") && named != "test":
		return "lint"
	case installsPart()(lower), only("setup"):
		return "setup"
	case named == "format" && has("lint") && !has("format"):
		return "lint"
	case only("test") && named != "lint" && named != "generate" && named != "docs":
		return "test"
	case named == "test" && (only("docs") || only("build") || only("lint")):
		return does[0]
	case named == "clean" && len(body) > 0 && !has("clean") && len(does) > 0:
		return otherPurpose
	}
	if named == "" && len(does) == 1 {
		return does[0]
	}
	return named
}

var (
	ciName     = sync.OnceValue(func() func(string) bool { return regexp.MustCompile(`^ci[-_:]`).MatchString })
	checksOne  = sync.OnceValue(func() func(string) bool { return regexp.MustCompile(`^check[-_]\w`).MatchString })
	debugName  = sync.OnceValue(func() func(string) bool { return regexp.MustCompile(`(^|[-_:])debug($|[-_:])`).MatchString })
	updateName = sync.OnceValue(func() func(string) bool {
		return regexp.MustCompile(`(^|[-_:])(update|upgrade|bump|pin)s?($|[-_:])`).MatchString
	})
	benchName = sync.OnceValue(func() func(string) bool {
		return regexp.MustCompile(`(^|[-_:])(bench|benchmarks?|benches)($|[-_:])`).MatchString
	})
	installsPart = sync.OnceValue(func() func(string) bool {
		return regexp.MustCompile(`^(\w+[-:]install|install[-_:](\w*(tools?|protoc|rust|lint)\w*|go\w+))$`).MatchString
	})
	onlyEcho  = sync.OnceValue(func() func(string) bool { return regexp.MustCompile(`^(echo|printf|true|:)\b`).MatchString })
	downloads = sync.OnceValue(func() func(string) bool { return regexp.MustCompile(`^(curl|wget|unzip|tar)\b`).MatchString })
	// A formatter that is told to look and not to write.
	formatCheck = sync.OnceValue(func() func(string) bool {
		return regexp.MustCompile(`\b(gofmt|goimports|gofumpt)\s+(-\w+\s+)*-[dl]+\b|` +
			`\b(prettier|black|isort|fmt|format|rustfmt|oxfmt|biome|clang-format)\b.*\s(--check|--list-different|--dry-run|-l|--diff|--check-only)(\s|$)`).MatchString
	})
	formatWrite = sync.OnceValue(func() func(string) bool { return regexp.MustCompile(`\s-\w*w\b|--write\b`).MatchString })
	comparison  = sync.OnceValue(func() func(string) bool { return regexp.MustCompile(`^git diff\b.*--(exit-code|quiet)`).MatchString })
	benchFlag   = sync.OnceValue(func() func(string) bool {
		return regexp.MustCompile(`\s-bench[= ]|^cargo bench|(^|[/_-])bench(mark)?(_|-|\b)`).MatchString
	})
	renews = sync.OnceValue(func() func(string) bool {
		return regexp.MustCompile(`--update-?[sS]napshots?\b|\s-update\b|^(go get|cargo update|npm update|pnpm (up|update)|uv lock\b.*--upgrade|pre-commit autoupdate)\b.*(\s-u\b|update|--upgrade)`).MatchString
	})
	// What removes more than the output of a build is no cleaning up.
	destroys = sync.OnceValue(func() func(string) bool {
		return regexp.MustCompile(`\brm\b.*\s["']?(~|/(usr|etc|opt|home|var|root)\b|\$[({]?HOME\b)|\buninstall\b|git (clean|reset)\b|\bdrop (database|table)\b`).MatchString
	})
)

// bodyPurposes returns the purposes of the steps of a body, each once, in order.
func bodyPurposes(body []string) []string {
	var out []string
	for _, line := range body {
		for _, step := range steps(line) {
			if p := purposeOfStep(step); p != "" && !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	for _, aside := range []string{"clean", "setup", "install"} { // what is removed, fetched or installed on the way serves the rest
		if len(out) > 1 {
			out = slices.DeleteFunc(out, func(p string) bool { return p == aside })
		}
	}
	return out
}

func purposeOfStep(step string) string {
	switch {
	case destroys()(step):
		return otherPurpose
	case formatCheck()(step) && !formatWrite()(step), comparison()(step):
		return "lint"
	case benchFlag()(step):
		return "bench"
	case renews()(step):
		return "update"
	case downloads()(step):
		return "setup"
	case strings.HasPrefix(step, "rm "):
		return "clean"
	}
	return purposeOfLine(step)
}

var makeTool = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$[({](\w+)[)}]`) })

// steps splits a line of a recipe or script into the commands it runs, without what make adds in front of them.
func steps(line string) []string {
	line = makeTool().ReplaceAllStringFunc(line, func(v string) string {
		switch name := strings.Trim(v, "$(){}"); name {
		case "GO", "MAKE", "NPM", "PNPM", "YARN", "CARGO", "PYTHON", "PYTEST", "GOFMT", "DOCKER":
			return strings.ToLower(name)
		}
		return v
	})
	var out []string
	for step := range strings.SplitSeq(strings.NewReplacer("&&", "\x00", "||", "\x00", ";", "\x00").Replace(line), "\x00") {
		step = strings.TrimSpace(strings.Trim(strings.TrimLeft(strings.TrimSpace(step), "@-+("), ")"))
		if step == "" || strings.HasPrefix(step, "cd ") || strings.HasPrefix(step, "exit") || strings.HasPrefix(step, "#") {
			continue
		}
		out = append(out, step)
	}
	return out
}

// onlyTalks reports a body that prints and does nothing.
func onlyTalks(body []string) bool {
	talks := false
	for _, line := range body {
		for _, step := range steps(line) {
			if !onlyEcho()(step) {
				return false
			}
			talks = true
		}
	}
	return talks
}
