package wiki

import (
	"regexp"
	"strings"
	"sync"
)

var (
	stateArrow = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(.+?)\s*-->\s*([^:]*?(?::::[\w-]+)?)\s*(:.*)?$`) })
	stateName  = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:\[\*\]|\[H\*?\]|[^\s:{}\[\]"<>;-][^\s:{}\[\]"<>;]*)(?::::[\w-]+)?$`)
	})
	stateDecl = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^state\s+(?:"[^"]*"\s+as\s+\S+|"[^"]*"|[^\s"{}]+(?:\s+as\s+\S+)?)\s*(?:<<\w+>>|\[\[\w+\]\])?\s*(\{)?\s*(\})?$`)
	})
	stateNote = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^note\s+(?:(?:left|right) of\s+[^:\s]+\s*(:.*)?|"[^"]*"\s+as\s+\S+\s*(:.*)?)$`)
	})
)

// checkState checks the transitions, composite states and notes of a state diagram.
func checkState(lines []string, first int) *diagramError {
	var open []int // 1-based lines of the braces that are open
	note, braces := 0, false
	for i := first; i < len(lines); i++ {
		text, _, _ := strings.Cut(lines[i], " %%")
		text = strings.TrimSpace(text)
		if i == first {
			text = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(text, "stateDiagram"), "-v2"))
		}
		is, more := accessibility(text)
		switch {
		case note > 0:
			if strings.EqualFold(strings.Join(strings.Fields(text), " "), "end note") {
				note = 0
			}
		case braces:
			braces = !strings.Contains(text, "}")
		case is:
			braces = more
		case text == "}":
			if len(open) == 0 {
				return diagramErrorf(i+1, "a brace closes nothing")
			}
			open = open[:len(open)-1]
		case strings.HasPrefix(strings.ToLower(text), "note "):
			found := stateNote().FindStringSubmatch(text)
			if found == nil {
				return diagramErrorf(i+1, "a note needs the form note right of A")
			}
			if found[1] == "" && found[2] == "" && !strings.Contains(text, `"`) {
				note = i + 1
			}
		default:
			opens, problem := stateStatement(text)
			if problem != "" {
				return diagramErrorf(i+1, "%s", problem)
			}
			if opens {
				open = append(open, i+1)
			}
		}
	}
	switch {
	case note > 0:
		return diagramErrorf(note, "a note is not closed by end note")
	case len(open) > 0:
		return diagramErrorf(open[len(open)-1], "the brace of a state is not closed")
	}
	return nil
}

// stateStatement checks one statement, and tells whether it opens a composite state.
func stateStatement(text string) (opens bool, problem string) {
	word, _, _ := strings.Cut(text, " ")
	switch word {
	case "", "--", "direction", "classDef", "class", "style", "hide", "scale", "click":
		return false, ""
	case "state":
		found := stateDecl().FindStringSubmatch(text)
		if found == nil {
			return false, "the state " + clip(text) + " cannot be read; a name with spaces needs quotes and as"
		}
		return found[1] != "" && found[2] == "", ""
	}
	if found := stateArrow().FindStringSubmatch(text); found != nil {
		for _, name := range found[1:3] {
			if !stateName().MatchString(name) {
				return false, "the state name " + clip(name) + " is not one word"
			}
		}
		return false, ""
	}
	name, _, described := strings.Cut(text, ":")
	switch {
	case stateName().MatchString(strings.TrimSpace(name)) || described && stateName().MatchString(text):
		return false, ""
	case strings.Contains(name, "->"):
		return false, "the arrow of a state diagram is written with two hyphens"
	}
	return false, "no transition and no state: " + clip(text)
}
