package generate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/wikiwright/wikiwright/internal/wiki"
)

// lastUpdateFile is the name of the metadata file below the wiki directory.
const lastUpdateFile = ".last-update.json"

// The states a LastUpdate can record.
const (
	StatusComplete    = "complete"
	StatusInterrupted = "interrupted"
)

// LastUpdate is the file .last-update.json: what the last run was, and up to
// which commit the wiki is true. Fields stand in the order in which they are
// written.
type LastUpdate struct {
	UpdatedAt string `json:"updatedAt"`
	Command   Mode   `json:"command"`
	GitHead   string `json:"gitHead,omitempty"`
	Model     string `json:"model"`
	Status    string `json:"status"`
	Language  string `json:"language,omitempty"`
}

// DecodeLastUpdate reads the file as leniently as its readers always have:
// what is unusable is no last update (nil), never an error.
func DecodeLastUpdate(data []byte) *LastUpdate {
	var raw struct {
		UpdatedAt, Command, GitHead, Model, Status, Language any
	}
	if json.Unmarshal(data, &raw) != nil {
		return nil
	}
	text := func(v any) string { s, _ := v.(string); return s }
	u := &LastUpdate{
		UpdatedAt: text(raw.UpdatedAt), Command: ModeUpdate, GitHead: text(raw.GitHead),
		Model: text(raw.Model), Status: StatusComplete, Language: text(raw.Language),
	}
	for _, required := range []any{raw.UpdatedAt, raw.Command, raw.Model} {
		if _, ok := required.(string); !ok {
			return nil
		}
	}
	if text(raw.Command) == string(ModeInit) {
		u.Command = ModeInit
	}
	if text(raw.Status) == StatusInterrupted {
		u.Status = StatusInterrupted
	}
	return u
}

// Encode returns the file of the metadata.
func (u *LastUpdate) Encode() []byte { return append(encodeJSON(u, ""), '\n') }

// covers reports whether u, which may be nil, says that the wiki was true to a
// commit, so that a proven page without an entry in the manifest is covered up
// to that.
func (u *LastUpdate) covers() bool {
	return u != nil && u.GitHead != "" && u.Status == StatusComplete
}

// saysSame reports whether two records say the same of the wiki, but for the
// commit: whose work it is, in which language, and that nothing is left to do.
// When and how that was found out does not count.
func (u *LastUpdate) saysSame(o *LastUpdate) bool {
	return u.Model == o.Model && u.Status == o.Status && u.Language == o.Language
}

// readLastUpdate returns nil when there is none.
func readLastUpdate(w *wiki.Wiki) (*LastUpdate, error) {
	data, err := w.Files().Read(w.Path(lastUpdateFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read wiki metadata: %w", err)
	}
	return DecodeLastUpdate(data), nil
}

// writeLastUpdate records u unless the file says it already but for the time,
// so that writing the same thing again after an interruption changes nothing.
func writeLastUpdate(w *wiki.Wiki, u *LastUpdate) error {
	have, err := readLastUpdate(w)
	if err != nil {
		return err
	}
	if have != nil && u.Status == StatusInterrupted {
		same := *have
		same.UpdatedAt = u.UpdatedAt
		if same == *u {
			return nil
		}
	}
	if err := w.Files().Write(w.Path(lastUpdateFile), u.Encode()); err != nil {
		return fmt.Errorf("write wiki metadata: %w", err)
	}
	return nil
}
