package impact

import "fmt"

// MaxAnnotations is how many annotations of a kind GitHub shows for a step.
const MaxAnnotations = 10

// An Annotation is a remark at a line of a file. All of its text is foreign.
type Annotation struct {
	File    string
	Line    int // 0 for the file as a whole
	Title   string
	Message string
}

// Annotations returns remarks at the changed lines, at most [MaxAnnotations], and how many there are more. Statements that the same line
// makes stale share one.
func (r *Report) Annotations() (list []Annotation, more int) {
	type place struct {
		file string
		line int
	}
	at := map[place]int{}
	var all []Annotation
	extra := map[int]int{}
	for _, page := range r.Pages {
		for _, f := range page.Findings {
			key := place{f.File, f.Line}
			if i, ok := at[key]; ok {
				extra[i]++
				continue
			}
			at[key] = len(all)
			all = append(all, Annotation{File: f.File, Line: f.Line, Title: "The wiki cites this",
				Message: fmt.Sprintf("%s says: %s", page.Path, f.Statement)})
		}
	}
	for i, n := range extra {
		all[i].Message += fmt.Sprintf(" (and %s more)", count(n, "statement"))
	}
	if len(all) > MaxAnnotations {
		return all[:MaxAnnotations], len(all) - MaxAnnotations
	}
	return all, 0
}
