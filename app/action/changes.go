package action

import (
	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/wikidiff"
)

// A PageChange is one page that differs from the base branch: all of what the pull request and the summary may have to cut.
type PageChange struct {
	Path       string            `json:"path"`
	Title      string            `json:"title,omitempty"`
	Change     string            `json:"change" jsonschema:"new, rewritten, removed, or claims when only statements or their evidence differ"`
	Added      int               `json:"added" jsonschema:"lines"`
	Removed    int               `json:"removed" jsonschema:"lines"`
	Statements []StatementChange `json:"statements"`
}

// A StatementChange is one statement of a page that differs.
type StatementChange struct {
	Change    string   `json:"change" jsonschema:"new, altered or dropped"`
	Statement string   `json:"statement" jsonschema:"as it is now; the old one when it was dropped"`
	Was       string   `json:"was,omitempty" jsonschema:"of an altered one"`
	Evidence  []string `json:"evidence" jsonschema:"repo://path#L1-L9"`
}

// changesOf lists the pages of a difference. Lists of pages are not told.
func changesOf(delta *wikidiff.Delta) []PageChange {
	if delta == nil {
		return nil
	}
	var pages []PageChange
	for i := range delta.Pages {
		p := &delta.Pages[i]
		if p.Index() {
			continue
		}
		page := PageChange{Path: string(p.Path), Title: p.Title, Change: p.Change, Added: p.Added, Removed: p.Removed, Statements: []StatementChange{}}
		for _, c := range p.Claims {
			page.Statements = append(page.Statements, statementChange(c))
		}
		pages = append(pages, page)
	}
	return pages
}

func statementChange(c wikidiff.ClaimDelta) StatementChange {
	switch {
	case c.After == nil:
		return StatementChange{Change: "dropped", Statement: c.Before.Statement, Evidence: resources(c.Before)}
	case c.Before == nil:
		return StatementChange{Change: "new", Statement: c.After.Statement, Evidence: resources(c.After)}
	}
	return StatementChange{Change: "altered", Statement: c.After.Statement, Was: c.Before.Statement, Evidence: resources(c.After)}
}

func resources(c *claims.Claim) []string {
	list := []string{}
	for _, e := range c.Evidence {
		list = append(list, e.Resource)
	}
	return list
}
