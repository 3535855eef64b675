package wiki

import (
	"regexp"
	"strings"
	"sync"
)

var (
	sequenceMessage = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(.+?)\s*(?:<<-->>|<<->>|-->>|->>|-->|->|--x|-x|--\)|-\)|--?\|[\\/]|--?[\\/]{1,2}|[\\/]\|?--?)\s*(?:\(\))?\s*([+-]?)\s*([^:]+?)\s*(:.*)?$`)
	})
	sequenceNote = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^note\s+(?:left of|right of|over)\s+[^:]+:.*$`)
	})
	sequenceActor = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:create\s+)?(?:participant|actor)\s+\S.*$`)
	})
)

// checkSequence checks the statements of a sequence diagram. A semicolon ends a statement, also in the middle of a message.
func checkSequence(lines []string, first int) *diagramError {
	var blocks []string
	braces := false
	for i := first; i < len(lines); i++ {
		text := lines[i]
		if i == first {
			text = strings.TrimPrefix(strings.TrimSpace(text), "sequenceDiagram")
		}
		if braces {
			braces = !strings.Contains(text, "}")
			continue
		}
		if is, open := accessibility(strings.TrimSpace(text)); is {
			braces = open
			continue
		}
		for statement := range strings.SplitSeq(entity().ReplaceAllString(text, "x"), ";") {
			var message string
			if blocks, message = sequenceStatement(strings.TrimSpace(statement), blocks); message != "" {
				return diagramErrorf(i+1, "%s", message)
			}
		}
	}
	if len(blocks) > 0 {
		return diagramErrorf(len(lines), "the block %s is not closed by end", blocks[len(blocks)-1])
	}
	return nil
}

// sequenceStatement checks one statement and returns the blocks that are open behind it.
func sequenceStatement(text string, blocks []string) (open []string, problem string) {
	word, _, _ := strings.Cut(text, " ")
	word = strings.ToLower(strings.TrimSuffix(word, ":"))
	if text == "" || strings.HasPrefix(text, "#") {
		return blocks, ""
	}
	if found := sequenceMessage().FindStringSubmatch(text); found != nil && word != "note" && word != "participant" && word != "actor" && word != "create" {
		switch {
		case strings.EqualFold(found[1], "end") || strings.EqualFold(found[3], "end"):
			return blocks, "end cannot be the name of a participant"
		case found[4] == "":
			return blocks, "the message " + clip(text) + " has no text; a colon and the text are required"
		}
		return blocks, ""
	}
	switch word {
	case "loop", "alt", "opt", "par", "par_over", "critical", "break", "rect", "box":
		return append(blocks, word), ""
	case "end":
		if len(blocks) == 0 {
			return blocks, "end closes no block"
		}
		return blocks[:len(blocks)-1], ""
	case "else", "and", "option":
		if len(blocks) == 0 {
			return blocks, word + " is outside of every block"
		}
		return blocks, ""
	case "activate", "deactivate", "destroy", "autonumber", "title", "link", "links", "properties", "details":
		return blocks, ""
	case "note":
		if sequenceNote().MatchString(text) {
			return blocks, ""
		}
		return blocks, "a note needs the form Note over A: text"
	}
	if sequenceActor().MatchString(text) {
		return blocks, ""
	}
	return blocks, "no statement: " + clip(text)
}
