package publish

import (
	"strings"
)

// sections returns the text of the pull request in the order in which a maintainer needs it.
func (d *bodyData) sections(level int) string {
	parts := []string{d.Header, d.stateLine()}
	var b strings.Builder
	for _, part := range parts {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(part)
	}
	return b.String()
}

func (d *bodyData) stateLine() string {
	switch d.Bundle.State {
	case StateComplete:
		return "**Complete.**"
	case StatePartial:
		return "**Partial.**"
	}
	return "**" + string(d.Bundle.State) + ".**"
}
