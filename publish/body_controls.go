package publish

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/wikiwright/wikiwright/internal/wiki"
)

// controls are the boxes that a person ticked in the body.
type controls struct {
	Regenerate bool            // make all pages of this pull request anew
	Stop       bool            // leave this pull request alone until the box is cleared
	Reject     []wiki.PagePath // pages whose changes are to be dropped, in code-unit order
}

const (
	controlRegenerate = "regenerate"
	controlStop       = "stop"
	controlReject     = "reject="
)

// box returns a task list item with a hidden id.
func box(id string, ticked bool, label string) string {
	mark := " "
	if ticked {
		mark = "x"
	}
	return "- [" + mark + "] <!-- wikiwright:" + id + " -->" + label + "\n"
}

func rejectID(page wiki.PagePath) string { return controlReject + url.QueryEscape(page.RepoPath()) }

var boxPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\s*[-*+] \[([ xX])\] <!-- wikiwright:(\S{1,1000}) -->`)
})

// parseControls reads which boxes are ticked in a body that people may have edited. What it does not know it leaves out.
func parseControls(body string) controls {
	var c controls
	for _, found := range boxPattern().FindAllStringSubmatch(body, -1) {
		if found[1] == " " {
			continue
		}
		switch id := found[2]; {
		case id == controlRegenerate:
			c.Regenerate = true
		case id == controlStop:
			c.Stop = true
		case strings.HasPrefix(id, controlReject):
			if path, err := url.QueryUnescape(strings.TrimPrefix(id, controlReject)); err == nil && path != "" {
				c.Reject = append(c.Reject, wiki.PagePath("/"+path))
			}
		}
	}
	slices.Sort(c.Reject)
	c.Reject = slices.Compact(c.Reject)
	return c
}
