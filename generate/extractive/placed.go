package extractive

import "strings"

// A place says under what a line of a function stands.
type place int

const (
	straightOn  place = iota // reached on every run
	inCondition              // under a condition or in a loop
	inHandler                // where an error is handled
)

// placed tells, as far as indentation shows it, under what a line of a function stands.
func (a *atlas) placed(s symbol, at int) place {
	lines := a.src.lines(s.file.Path)
	if at > len(lines) || s.decl.Start < 1 || at <= s.decl.Start {
		return straightOn
	}
	if s.file.Language == "Go" && postponed(lines[at-1]) {
		return inHandler
	}
	out := straightOn
	depth, top := indent(lines[at-1]), indent(lines[s.decl.Start-1])
	for n := at - 1; n > s.decl.Start; n-- {
		line := lines[n-1]
		if strings.TrimSpace(line) == "" || indent(line) >= depth || strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		if depth = indent(line); depth <= top {
			break
		}
		switch head := strings.TrimSpace(line); {
		case handling(head):
			return inHandler
		case !entered(head):
			out = inCondition
		}
	}
	return out
}

// postponed reports whether a line of Go makes its call at the end of the function or beside it.
func postponed(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "defer ") || strings.HasPrefix(line, "go ")
}

// handling reports whether a block that begins with this line handles an error.
func handling(head string) bool {
	head = strings.TrimLeft(head, "} ")
	for _, w := range []string{"except", "catch", "rescue", "finally", "Err(", "if err != nil", "defer "} {
		if strings.HasPrefix(head, w) {
			return true
		}
	}
	return false
}

// entered reports whether a block that begins with this line is always run.
func entered(head string) bool {
	for _, w := range []string{"try", "with ", "async with ", "unsafe {", "{", "using ", "synchronized"} {
		if strings.HasPrefix(head, w) {
			return true
		}
	}
	return strings.HasSuffix(head, "(") || strings.HasSuffix(head, "[") // a call over several lines
}
