package claims

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/internal/wiki"
)

// schemaVersion is the version of the sidecar format.
const schemaVersion = 1

// Evidence is a place in the repository and the version of its content.
type Evidence struct {
	Resource string `json:"resource"`
	Version  string `json:"version"`
}

// Claim is one statement of a page and what supports it.
type Claim struct {
	ID        string     `json:"id"`
	Statement string     `json:"statement"`
	Evidence  []Evidence `json:"evidence"`
}

// PageClaims is the content of a sidecar.
type PageClaims struct {
	SchemaVersion int         `json:"schemaVersion"`
	PageVersion   string      `json:"pageVersion"` // of the exact bytes of the page
	Claims        []Claim     `json:"claims"`
	Verification  *wiki.Event `json:"verification,omitempty"` // when and by whom all Claims were last decided
}

// Describes reports whether b is the page the sidecar was written for: byte for
// byte, or but for line ends, byte order mark and newlines at the end, which
// checkouts and editors change without anybody meaning it, or but for the
// verification stamp, which a run that ended between its two writes still owes.
func (p *PageClaims) Describes(b []byte) bool {
	if wiki.PageVersion(b) == p.PageVersion {
		return true
	}
	plain := bytes.TrimPrefix(b, []byte("\ufeff"))
	plain = bytes.ReplaceAll(plain, []byte("\r\n"), []byte("\n"))
	plain = append(bytes.TrimRight(plain, "\n"), '\n')
	for _, text := range [][]byte{plain, project(b, p.Verification), project(plain, p.Verification)} {
		if wiki.PageVersion(text) == p.PageVersion {
			return true
		}
	}
	return false
}

// clone returns a deep copy.
func (c Claim) clone() Claim {
	c.Evidence = slices.Clone(c.Evidence)
	return c
}

func cloneClaims(list []Claim) []Claim {
	out := make([]Claim, len(list))
	for i, c := range list {
		out[i] = c.clone()
	}
	return out
}

// resources returns the cited places in the order of the claim.
func (c Claim) resources() []string {
	out := make([]string, len(c.Evidence))
	for i, e := range c.Evidence {
		out[i] = e.Resource
	}
	return out
}

// encode returns the bytes of a sidecar after checking it.
func encode(p PageClaims) ([]byte, error) {
	if err := check(p); err != nil {
		return nil, err
	}
	if p.Claims == nil {
		p.Claims = []Claim{}
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(p); err != nil {
		return nil, err
	}
	return rawSeparators(b.Bytes()), nil
}

// rawSeparators undoes the one escape that Go writes and other tools do not:
// the line separators U+2028 and U+2029. Without it a sidecar would change by
// passing through.
func rawSeparators(b []byte) []byte {
	if !bytes.Contains(b, []byte(`\u202`)) {
		return b
	}
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		switch {
		case bytes.HasPrefix(b, []byte(`\u2028`)):
			out, b = append(out, "\u2028"...), b[6:]
		case bytes.HasPrefix(b, []byte(`\u2029`)):
			out, b = append(out, "\u2029"...), b[6:]
		case b[0] == '\\':
			out, b = append(out, b[:2]...), b[2:]
		default:
			out, b = append(out, b[0]), b[1:]
		}
	}
	return out
}

// check reports the first thing the format does not allow, the field in front.
func check(p PageClaims) error {
	if p.SchemaVersion != schemaVersion {
		return fmt.Errorf("schemaVersion: must be %d", schemaVersion)
	}
	if !isPageVersion(p.PageVersion) {
		return errors.New("pageVersion: must be sha256: and 64 hexadecimal digits")
	}
	ids := map[string]bool{}
	for i, c := range p.Claims {
		field := fmt.Sprintf("claims[%d]", i)
		if err := checkClaim(c, field); err != nil {
			return err
		}
		if ids[c.ID] {
			return fmt.Errorf("%s.id: %s is used twice", field, c.ID)
		}
		ids[c.ID] = true
	}
	if v := p.Verification; v != nil {
		return errors.Join(checkText("verification.by", v.By), checkText("verification.at", v.At))
	}
	return nil
}

func checkClaim(c Claim, field string) error {
	if err := errors.Join(checkText(field+".id", c.ID), checkText(field+".statement", c.Statement)); err != nil {
		return err
	}
	if len(c.Evidence) == 0 {
		return fmt.Errorf("%s.evidence: must not be empty", field)
	}
	for i, e := range c.Evidence {
		field := fmt.Sprintf("%s.evidence[%d]", field, i)
		if err := errors.Join(checkText(field+".resource", e.Resource), checkText(field+".version", e.Version)); err != nil {
			return err
		}
		if slices.ContainsFunc(c.Evidence[:i], func(other Evidence) bool { return other.Resource == e.Resource }) {
			return fmt.Errorf("%s.resource: %s is cited twice", field, e.Resource)
		}
	}
	return nil
}

func checkText(field, s string) error {
	switch {
	case s == "":
		return fmt.Errorf("%s: must not be empty", field)
	case strings.TrimSpace(s) != s:
		return fmt.Errorf("%s: must not begin or end with a blank", field)
	}
	return nil
}

func isPageVersion(s string) bool {
	digits, ok := strings.CutPrefix(s, "sha256:")
	return ok && len(digits) == 64 && strings.Trim(digits, "0123456789abcdef") == ""
}
