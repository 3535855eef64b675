package claims

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/wikiwright/wikiwright/internal/wiki"
)

const (
	restoreHint = "restore the file from git, or run `wikiwright update` after removing it"
	newerHint   = "install a newer wikiwright"
)

// Decode reads the bytes of a sidecar whose repository path is name, for states of a wiki that are in no work tree. Every error is a
// [*FileError].
func Decode(name string, data []byte) (*PageClaims, error) { return decode(name, data) }

// decode reads the bytes of the sidecar name. It accepts exactly what the format
// describes, where encoding/json alone would take keys in any letter case,
// repeated keys and absent fields. Every error is a *FileError.
func decode(name string, data []byte) (*PageClaims, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if page, ok := decodeCanonical(data); ok {
		return page, nil
	}
	return decodeStrict(name, data)
}

// decodeStrict reads a sidecar in whatever order its fields stand, and finds
// out what is wrong with one.
func decodeStrict(name string, data []byte) (*PageClaims, error) {
	r := &reader{tokens: json.NewDecoder(bytes.NewReader(data)), ids: map[string]bool{}}
	page, err := r.page()
	if err == nil {
		err = r.end()
	}
	if err == nil {
		return page, nil
	}
	// Of a newer file the first unknown key is not what matters.
	if version := versionOf(data); version > schemaVersion {
		err = fmt.Errorf("schemaVersion: %v is newer than this wikiwright reads", version)
		line := 1 + bytes.Count(data[:bytes.Index(data, []byte(`"schemaVersion"`))+1], []byte("\n"))
		return nil, &FileError{Path: name, Line: line, Err: err, Hint: newerHint}
	}
	offset := r.tokens.InputOffset()
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		offset = syntax.Offset
	}
	if at := conflict(data); at >= 0 {
		offset, err = int64(at), errors.New("unresolved merge conflict")
	}
	line := 1 + bytes.Count(data[:min(int(offset), len(data))], []byte("\n"))
	return nil, &FileError{Path: name, Line: line, Err: err, Hint: restoreHint}
}

// conflict returns where git marked a conflict, -1 when nowhere.
func conflict(data []byte) int {
	mark := []byte("<<<<<<< ")
	if bytes.HasPrefix(data, mark) {
		return 0
	}
	at := bytes.Index(data, append([]byte("\n"), mark...))
	if at < 0 {
		return -1
	}
	return at + 1
}

// versionOf returns the schema version of a file that is otherwise not
// understood, 0 when it has none.
func versionOf(data []byte) float64 {
	var head struct {
		SchemaVersion float64 `json:"schemaVersion"`
	}
	if json.Unmarshal(data, &head) != nil {
		return 0
	}
	return head.SchemaVersion
}

// reader reads the fields of a sidecar. Its position when it stops is where the
// error is.
type reader struct {
	tokens *json.Decoder
	ids    map[string]bool
}

func (r *reader) page() (*PageClaims, error) {
	p := &PageClaims{Claims: []Claim{}}
	err := r.object("", map[string]func(string) error{
		"schemaVersion": r.version(&p.SchemaVersion),
		"pageVersion": func(field string) error {
			err := r.text(&p.PageVersion)(field)
			if err == nil && !isPageVersion(p.PageVersion) {
				err = fmt.Errorf("%s: must be sha256: and 64 hexadecimal digits", field)
			}
			return err
		},
		"claims": func(field string) error {
			return r.array(field, func(field string) error {
				c, err := r.claim(field)
				p.Claims = append(p.Claims, c)
				return err
			})
		},
		"verification": func(field string) error {
			p.Verification = &wiki.Event{}
			return r.object(field, map[string]func(string) error{
				"by": r.text(&p.Verification.By),
				"at": r.text(&p.Verification.At),
			})
		},
	}, "verification")
	return p, err
}

func (r *reader) claim(field string) (Claim, error) {
	var c Claim
	err := r.object(field, map[string]func(string) error{
		"id": func(field string) error {
			if err := r.text(&c.ID)(field); err != nil {
				return err
			}
			if r.ids[c.ID] {
				return fmt.Errorf("%s: %s is used twice", field, c.ID)
			}
			r.ids[c.ID] = true
			return nil
		},
		"statement": r.text(&c.Statement),
		"evidence": func(field string) error {
			err := r.array(field, func(field string) error {
				e, err := r.evidence(field, c.Evidence)
				c.Evidence = append(c.Evidence, e)
				return err
			})
			if err == nil && len(c.Evidence) == 0 {
				err = fmt.Errorf("%s: must not be empty", field)
			}
			return err
		},
	})
	return c, err
}

func (r *reader) evidence(field string, before []Evidence) (Evidence, error) {
	var e Evidence
	err := r.object(field, map[string]func(string) error{
		"resource": func(field string) error {
			if err := r.text(&e.Resource)(field); err != nil {
				return err
			}
			if slices.ContainsFunc(before, func(b Evidence) bool { return b.Resource == e.Resource }) {
				return fmt.Errorf("%s: %s is cited twice", field, e.Resource)
			}
			return nil
		},
		"version": r.text(&e.Version),
	})
	return e, err
}

// version reads the schema version.
func (r *reader) version(into *int) func(string) error {
	return func(field string) error {
		token, err := r.token(field)
		if err != nil {
			return err
		}
		if token != float64(schemaVersion) {
			return fmt.Errorf("%s: must be %d", field, schemaVersion)
		}
		*into = schemaVersion
		return nil
	}
}

// text reads a string that is neither empty nor padded.
func (r *reader) text(into *string) func(string) error {
	return func(field string) error {
		token, err := r.token(field)
		if err != nil {
			return err
		}
		s, ok := token.(string)
		if !ok {
			return fmt.Errorf("%s: must be a string", field)
		}
		*into = s
		return checkText(field, s)
	}
}

// object reads an object that has all the fields but the optional ones, each
// once, and no others.
func (r *reader) object(field string, fields map[string]func(string) error, optional ...string) error {
	if err := r.delimiter(field, '{', "an object"); err != nil {
		return err
	}
	seen := map[string]bool{}
	for r.tokens.More() {
		token, err := r.token(field)
		if err != nil {
			return err
		}
		key, _ := token.(string)
		name := key
		if field != "" {
			name = field + "." + key
		}
		read := fields[key]
		switch {
		case read == nil:
			return fmt.Errorf("%s: unknown field", name)
		case seen[key]:
			return fmt.Errorf("%s: given twice", name)
		}
		seen[key] = true
		if err := read(name); err != nil {
			return err
		}
	}
	if _, err := r.token(field); err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if !seen[key] && !slices.Contains(optional, key) {
			if field != "" {
				key = field + "." + key
			}
			return fmt.Errorf("%s: missing", key)
		}
	}
	return nil
}

// array reads an array, its elements with element.
func (r *reader) array(field string, element func(string) error) error {
	if err := r.delimiter(field, '[', "an array"); err != nil {
		return err
	}
	for i := 0; r.tokens.More(); i++ {
		if err := element(fmt.Sprintf("%s[%d]", field, i)); err != nil {
			return err
		}
	}
	_, err := r.token(field)
	return err
}

func (r *reader) delimiter(field string, want json.Delim, what string) error {
	token, err := r.token(field)
	if err != nil {
		return err
	}
	if token == want {
		return nil
	}
	if field == "" {
		return fmt.Errorf("must be %s", what)
	}
	return fmt.Errorf("%s: must be %s", field, what)
}

func (r *reader) token(field string) (json.Token, error) {
	token, err := r.tokens.Token()
	switch {
	case err == nil:
		return token, nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("the file ends too early")
	}
	if field != "" {
		return nil, fmt.Errorf("%s: %w", field, err)
	}
	return nil, err
}

// end checks that nothing follows.
func (r *reader) end() error {
	if _, err := r.tokens.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the end of the object")
	}
	return nil
}
