package generate

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/wikiwright/wikiwright/internal/wiki"
)

// stateFile is the name of the run state below the wiki directory.
const stateFile = ".run.json"

const stateHint = "run `wikiwright reset` to drop the run state; finished pages are kept"

// Phase is how far a run has come.
type Phase string

// The phases of a run. A plan is present exactly in PhaseGenerating.
const (
	PhasePlanning   Phase = "planning"
	PhaseGenerating Phase = "generating"
)

// State is the durable state of a run, the file .run.json in the format of
// OpenWiki. Fields stand in the order in which they are written.
type State struct {
	SchemaVersion        int             `json:"schemaVersion"`
	RunID                string          `json:"runId"`
	Mode                 Mode            `json:"mode"`
	Phase                Phase           `json:"phase"`
	StartedAt            string          `json:"startedAt"`
	Language             string          `json:"language"`
	LanguageChanged      bool            `json:"languageChanged"`
	RequiredRewritePages []wiki.PagePath `json:"requiredRewritePages"`
	InitialPages         []wiki.PagePath `json:"initialPages"`
	SourceFingerprint    string          `json:"sourceFingerprint"`
	TargetGitHead        string          `json:"targetGitHead,omitempty"`
	PlanningContext      string          `json:"planningContext,omitempty"`
	Actor                stateActor      `json:"actor"`
	PreviousLastUpdate   *LastUpdate     `json:"previousLastUpdate"`
	BaseGitHead          string          `json:"baseGitHead,omitempty"`
	WikiGoal             string          `json:"wikiGoal,omitempty"`
	BeforeContent        string          `json:"beforeContentSnapshot"`
	Prepared             preparedWiki    `json:"preparedWiki"`
	Plan                 *Plan           `json:"plan,omitempty"`
}

type stateActor struct {
	Producer string `json:"producerActor"`
	Model    string `json:"metadataModel"`
}

// preparedWiki is what the pages were when the run began, for telling later
// whose work a page is.
type preparedWiki struct {
	Provenance []provenance `json:"generatedProvenance"`
}

type provenance struct {
	Page      wiki.PagePath `json:"page"`
	BodyHash  string        `json:"bodyHash"`
	Generated *wiki.Event   `json:"generated,omitempty"`
}

// Plan is the installed queue.
type Plan struct {
	Pages       []PageJob       `json:"pages"`
	DeletePages []wiki.PagePath `json:"deletePages"`
}

// DecodeState reads a run state. path is for errors, which are *FileError.
func DecodeState(path string, data []byte) (*State, error) {
	d := &strictDecoder{path: path, hint: stateHint}
	root, line, err := parseJSON(data)
	if err != nil {
		return nil, &FileError{Path: path, Line: line, Err: fmt.Errorf("not valid JSON: %w", err), Hint: stateHint}
	}
	f := d.object(root, "")
	f.version()
	s := &State{
		SchemaVersion:        1,
		RunID:                f.text("runId", uuid),
		Mode:                 Mode(f.text("mode", oneOf(string(ModeInit), string(ModeUpdate)))),
		Phase:                Phase(f.text("phase", oneOf(string(PhasePlanning), string(PhaseGenerating)))),
		StartedAt:            f.text("startedAt", filled),
		Language:             f.text("language", filled),
		LanguageChanged:      f.boolean("languageChanged"),
		RequiredRewritePages: pagePaths(f.texts("requiredRewritePages", filled)),
		InitialPages:         pagePaths(f.texts("initialPages", filled)),
		SourceFingerprint:    f.text("sourceFingerprint", digest),
		TargetGitHead:        f.optional("targetGitHead", filled),
		PlanningContext:      f.optional("planningContext", filled),
		Actor:                decodeActor(f),
		PreviousLastUpdate:   decodePrevious(f),
		BaseGitHead:          f.optional("baseGitHead", filled),
		WikiGoal:             f.optional("wikiGoal", anyText),
		BeforeContent:        f.text("beforeContentSnapshot", anyText),
		Prepared:             decodePrepared(f),
		Plan:                 decodePlan(f),
	}
	f.done()
	if d.err != nil {
		return nil, d.err
	}
	return s, nil
}

func decodeActor(f *fields) stateActor {
	v := f.need("actor")
	if v == nil {
		return stateActor{}
	}
	a := f.d.object(v, "actor")
	defer a.done()
	return stateActor{Producer: a.text("producerActor", trimmed), Model: a.text("metadataModel", trimmed)}
}

func decodePrevious(f *fields) *LastUpdate {
	v := f.need("previousLastUpdate")
	if v == nil || v.kind == '0' {
		return nil
	}
	p := f.d.object(v, "previousLastUpdate")
	defer p.done()
	return &LastUpdate{
		UpdatedAt: p.text("updatedAt", anyText),
		Command:   Mode(p.text("command", oneOf(string(ModeInit), string(ModeUpdate)))),
		GitHead:   p.optional("gitHead", anyText),
		Model:     p.text("model", anyText),
		Status:    p.text("status", oneOf(StatusComplete, StatusInterrupted)),
		Language:  p.optional("language", anyText),
	}
}

func decodePrepared(f *fields) preparedWiki {
	out := preparedWiki{Provenance: []provenance{}}
	v := f.need("preparedWiki")
	if v == nil {
		return out
	}
	p := f.d.object(v, "preparedWiki")
	defer p.done()
	for i, item := range p.list("generatedProvenance") {
		e := f.d.object(item, fmt.Sprintf("preparedWiki.generatedProvenance[%d]", i))
		entry := provenance{Page: wiki.PagePath(e.text("page", filled)), BodyHash: e.text("bodyHash", filled)}
		if g := e.get("generated"); g != nil {
			event := f.d.object(g, e.name("generated"))
			entry.Generated = &wiki.Event{By: event.text("by", filled), At: event.optional("at", filled)}
			event.done()
		}
		e.done()
		out.Provenance = append(out.Provenance, entry)
	}
	return out
}

func decodePlan(f *fields) *Plan {
	v := f.get("plan")
	if v == nil {
		return nil
	}
	p := f.d.object(v, "plan")
	defer p.done()
	plan := &Plan{Pages: []PageJob{}}
	for i, item := range p.list("pages") {
		j := f.d.object(item, "plan.pages["+strconv.Itoa(i)+"]")
		plan.Pages = append(plan.Pages, PageJob{
			ID:           j.text("id", uuid),
			Path:         wiki.PagePath(j.text("path", filled)),
			Title:        j.text("title", trimmed),
			Purpose:      j.text("purpose", trimmed),
			SeedPaths:    j.texts("seedPaths", anyText),
			RelatedPages: j.texts("relatedPages", anyText),
			Instructions: j.texts("instructions", trimmed),
			Status:       JobStatus(j.text("status", oneOf(string(JobPending), string(JobSkipped), string(JobComplete)))),
			CompletedBy:  j.optional("completedBy", trimmed),
		})
		j.done()
	}
	plan.DeletePages = pagePaths(p.texts("deletePages", anyText))
	return plan
}

func pagePaths(list []string) []wiki.PagePath {
	out := make([]wiki.PagePath, len(list))
	for i, s := range list {
		out[i] = wiki.PagePath(s)
	}
	return out
}

// Encode returns the file of the state.
func (s *State) Encode() []byte { return newStateEncoder(s).encode(s.Plan) }

// stateEncoder renders a state whose plan changes job by job: everything but
// the job that changed is encoded once, so that completing a page of a large
// wiki costs what completing one of a small wiki costs.
type stateEncoder struct {
	head []byte // up to the plan
	jobs map[string]encodedJob
	tail []byte // deletePages, once there is a plan
}

type encodedJob struct {
	status    JobStatus
	completed string
	text      []byte
}

func newStateEncoder(s *State) *stateEncoder {
	without := *s
	without.Plan = nil
	head := encodeJSON(&without, "")
	return &stateEncoder{head: bytes.TrimSuffix(head, []byte("\n}")), jobs: map[string]encodedJob{}}
}

func (e *stateEncoder) encode(plan *Plan) []byte {
	if plan == nil {
		return append(bytes.Clone(e.head), "\n}\n"...)
	}
	if e.tail == nil {
		e.tail = encodeJSON(plan.DeletePages, "    ")
	}
	var buf bytes.Buffer
	buf.Grow(len(e.head) + len(plan.Pages)*512 + len(e.tail) + 64)
	buf.Write(e.head)
	buf.WriteString(",\n  \"plan\": {\n    \"pages\": [")
	for i := range plan.Pages {
		if i > 0 {
			buf.WriteByte(',')
		}
		buf.WriteString("\n      ")
		buf.Write(e.job(&plan.Pages[i]))
	}
	if len(plan.Pages) > 0 {
		buf.WriteString("\n    ")
	}
	buf.WriteString("],\n    \"deletePages\": ")
	buf.Write(e.tail)
	buf.WriteString("\n  }\n}\n")
	return buf.Bytes()
}

func (e *stateEncoder) job(j *PageJob) []byte {
	known, ok := e.jobs[j.ID]
	if !ok || known.status != j.Status || known.completed != j.CompletedBy {
		known = encodedJob{j.Status, j.CompletedBy, encodeJSON(j, "      ")}
		e.jobs[j.ID] = known
	}
	return known.text
}

// clone returns a copy that shares nothing mutable with s but the texts of
// jobs, which never change.
func (s *State) clone() *State {
	next := *s
	if s.Plan != nil {
		plan := *s.Plan
		plan.Pages = append([]PageJob{}, s.Plan.Pages...)
		next.Plan = &plan
	}
	return &next
}
