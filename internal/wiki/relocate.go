package wiki

import (
	"path"
	"strconv"
	"strings"
)

// Relocate returns the page with its links to source lines moved. Keys and values of moves are repository paths with lines, such as
// "src/a.go#L4-L6" and "src/b.go#L14-L16", or whole files, with or without "repo://". A link matches by what it points at, however it
// is written (#L4 is the same as #L4-L4); lines the link text shows move with it. A link to other lines of a file that moved whole
// follows the file.
func Relocate(b []byte, p PagePath, moves map[string]string) []byte {
	if len(moves) == 0 {
		return b
	}
	table := map[place]place{}
	for from, to := range moves {
		table[parsePlace(from)] = parsePlace(to)
	}
	var edits []edit
	for _, link := range scanPage(b).links {
		from, ok := linkPlace(p, link)
		if !ok {
			continue
		}
		to, ok := table[from]
		if !ok {
			whole, moved := table[place{path: from.path}]
			if !moved {
				continue
			}
			to = place{path: whole.path, start: from.start, end: from.end}
		}
		if to == from {
			continue
		}
		edits = append(edits, edit{link.at, p.LinkTo(to.path, to.start, to.end)})
		if link.kind == inlineLink && link.text.end > link.text.start {
			old := string(b[link.text.start:link.text.end])
			if text := movedText(old, from, to); text != old {
				edits = append(edits, edit{link.text, text})
			}
		}
	}
	return apply(b, edits)
}

// place is a file, or lines of it.
type place struct {
	path       string
	start, end int
}

// parsePlace reads a key or value of moves.
func parsePlace(s string) place {
	uri, isURI := strings.CutPrefix(s, "repo://")
	name := uri
	var p place
	if at := strings.LastIndex(uri, "#"); at >= 0 {
		if start, end, ok := parseLines(uri[at+1:]); ok {
			p.start, p.end, name = start, end, uri[:at]
		}
	}
	if isURI {
		name = unescapePercent(name)
	}
	p.path = name
	return p
}

// linkPlace returns what a link points at, if that is a file outside the page and the link can be rewritten.
func linkPlace(p PagePath, link mdLink) (place, bool) {
	t := resolveDest(p, link.dest)
	if link.kind == autoLink || link.at.end <= link.at.start || t.external || t.outside || t.raw == "" || t.path == "" {
		return place{}, false
	}
	if !t.hasHash {
		return place{path: t.path}, true
	}
	start, end, ok := parseLines(t.fragment)
	return place{path: t.path, start: start, end: end}, ok
}

// movedText moves the path and the lines a link text shows. Each form is replaced only where it stands as a whole.
func movedText(text string, from, to place) string {
	if from.path != to.path {
		text = replaceWhole(text, from.path, to.path)
		if path.Base(from.path) != path.Base(to.path) {
			text = replaceWhole(text, path.Base(from.path), path.Base(to.path))
		}
	}
	if from.start == 0 || to.start == 0 {
		return text
	}
	first, last := strconv.Itoa(from.start), strconv.Itoa(from.end)
	newFirst, newLast := strconv.Itoa(to.start), strconv.Itoa(to.end)
	forms := [][2]string{
		{"L" + first + "-L" + last, "L" + newFirst + "-L" + newLast},
		{"L" + first + "-" + last, "L" + newFirst + "-" + newLast},
		{"L" + first + "–L" + last, "L" + newFirst + "–L" + newLast},
		{":" + first + "-" + last, ":" + newFirst + "-" + newLast},
		{":" + first + "–" + last, ":" + newFirst + "–" + newLast},
	}
	if from.start == from.end {
		forms = append(forms, [2]string{"L" + first, "L" + newFirst}, [2]string{":" + first, ":" + newFirst})
	}
	for _, form := range forms {
		if moved := replaceWhole(text, form[0], form[1]); moved != text {
			return moved
		}
	}
	return text
}

// replaceWhole replaces old where no letter, digit or path character adjoins it.
func replaceWhole(text, old, replacement string) string {
	var b strings.Builder
	for {
		at := strings.Index(text, old)
		if at < 0 {
			b.WriteString(text)
			return b.String()
		}
		end := at + len(old)
		whole := (at == 0 || !adjoins(text[at-1]) || old[0] == ':') && (end == len(text) || !adjoins(text[end]))
		b.WriteString(text[:at])
		if whole {
			b.WriteString(replacement)
		} else {
			b.WriteString(old)
		}
		text = text[end:]
	}
}

func adjoins(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '-' || c == '/' || c >= 0x80
}
