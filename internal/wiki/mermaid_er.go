package wiki

import (
	"regexp"
	"strings"
	"sync"
)

const erName = `(?:"[^"]+"|[\pL_][\pL\pN_.-]*)`

var (
	erRelation = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(.*?)\s*(\|o|\|\||\}o|\}\||o\||o\{|\|\{)\s*(--|\.\.|-\.|\.-)\s*(o\||\|\||o\{|\|\{|\|o|\}o|\}\|)\s*([^:]*?)\s*(:.*)?$`)
	})
	erWords  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\s(?:to|optionally to)\s`) })
	erEntity = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^` + erName + `(?:\s*\[\s*(?:"[^"]*"|[^"\[\]]+)\s*\])?(?::::[\w,-]+)?$`)
	})
	erAttribute = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:[^\s~]*~[^~]*~\S*|[\pL_*][\pL\pN_*()\[\]-]*)\s+[\pL_*][\pL\pN_*()\[\]-]*(?:\s+(?:PK|FK|UK)(?:\s*,\s*(?:PK|FK|UK))*)?(?:\s+"[^"]*")?$`)
	})
)

// checkER checks the relations, entities and attributes of an entity relationship diagram.
func checkER(lines []string, first int) *diagramError {
	open := 0 // line of the brace that is open, 1-based
	braces := false
	for i := first; i < len(lines); i++ {
		text := strings.TrimSpace(lines[i])
		if i == first {
			text = strings.TrimSpace(strings.TrimPrefix(text, "erDiagram"))
		}
		is, more := accessibility(text)
		switch {
		case braces:
			braces = !strings.Contains(text, "}")
		case is:
			braces = more
		case text == "":
		case open > 0 && text == "}":
			open = 0
		case open > 0:
			if !erAttribute().MatchString(text) {
				return diagramErrorf(i+1, "the attribute %s is not a type and a name of letters and digits, keys, and a quoted comment", clip(text))
			}
		default:
			opens, problem := erStatement(text)
			if problem != "" {
				return diagramErrorf(i+1, "%s", problem)
			}
			if opens {
				open = i + 1
			}
		}
	}
	if open > 0 {
		return diagramErrorf(open, "the brace of an entity is not closed")
	}
	return nil
}

// erStatement checks one statement outside of entities, and tells whether it opens one.
func erStatement(text string) (opens bool, problem string) {
	word, _, _ := strings.Cut(text, " ")
	switch word {
	case "direction", "title", "classDef", "class", "style":
		return false, ""
	}
	if found := erRelation().FindStringSubmatch(text); found != nil {
		switch {
		case !erEntity().MatchString(found[1]):
			return false, "the entity name " + clip(found[1]) + " is not one word"
		case !erEntity().MatchString(found[5]):
			return false, "the entity name " + clip(found[5]) + " is not one word"
		case found[6] == "":
			return false, "the relation " + clip(text) + " has no label; a colon and a label are required"
		}
		return false, ""
	}
	if erWords().MatchString(text) {
		return false, "" // cardinalities in words
	}
	name, body, opens := strings.Cut(text, "{")
	if opens && strings.HasSuffix(strings.TrimSpace(body), "}") {
		opens, body = false, "" // an entity on one line
	}
	if name = strings.TrimSpace(name); !erEntity().MatchString(name) {
		return false, "no relation and no entity: " + clip(text)
	}
	if opens && strings.TrimSpace(body) != "" && !erAttribute().MatchString(strings.TrimSpace(body)) {
		return false, "the attribute " + clip(body) + " cannot be read"
	}
	return opens, ""
}
