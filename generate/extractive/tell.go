package extractive

import (
	"github.com/wikiwright/wikiwright/generate/extractive/survey"
)

// tell writes an operation as numbered steps. Each is proved by the head of the function with its doc, and by the lines of the calls.
func (a *atlas) tell(p *page, stages []stage) []item {
	var out []item
	for _, st := range stages {
		refs := a.docRefs(st.at)
		t := p.linked(code(st.at.name()), st.at.ref())
		t.names = []string{st.at.decl.Name} // a method's type stands in another line than its name
		if c := a.component(st.at.file.Path); c != nil {
			t = compose("{} of {}", t, a.part(p, c))
		}
		doc := firstSentence(st.at.decl.Doc)
		if usable(doc) && st.at.decl.Name != "main" {
			t = compose("{}: {} It calls", t, quote(sentence(doc)))
		} else {
			t = compose("{} calls", t)
			refs = []survey.Ref{st.at.ref()}
		}
		always, maybe, lines := a.stepLinks(p, st)
		switch {
		case st.cut && len(maybe) > 0:
			maybe = append(maybe, words("others"))
		case st.cut:
			always = append(always, words("others"))
		}
		refs = append(refs, lines...)
		switch {
		case len(maybe) == 0:
			t = compose("{} {}.", t, list(always))
		case len(always) == 0:
			t = compose("{}, depending on conditions, {}.", t, list(maybe))
		default:
			t = compose("{} {}; depending on conditions, {}.", t, list(always), list(maybe))
		}
		if held, lines := a.heldLinks(p, st); len(held) > 0 {
			point := "points"
			if len(held) > 1 {
				point = "point"
			}
			t = compose("{} It also calls what {} "+point+" to, which is set elsewhere.", t, list(held))
			refs = append(refs, lines...)
		}
		if started, lines := a.startedLinks(p, st); len(started) > 0 {
			t = compose("{} Functions that it passes on or starts call {}.", t, list(started))
			refs = append(refs, lines...)
		}
		out = append(out, item{text: t, refs: refs, bare: true})
	}
	return out
}

// startedLinks are the long-running calls of functions that a stage passes on or starts, with their lines.
func (a *atlas) startedLinks(p *page, st stage) (out []text, refs []survey.Ref) {
	for _, c := range a.calls.started(st.at) {
		call := survey.Ref{Path: st.at.file.Path, Start: c.line, End: c.line}
		out = append(out, p.linked(code(c.said), call))
		refs = append(refs, call)
	}
	return out, refs
}

// stepLinks are the calls of a stage, those of every run apart from those that depend on a condition, with their lines.
func (a *atlas) stepLinks(p *page, st stage) (always, maybe []text, refs []survey.Ref) {
	for _, c := range st.calls {
		call := survey.Ref{Path: st.at.file.Path, Start: c.line, End: c.line}
		name := p.linked(code(c.said), call)
		name.names = []string{c.to.decl.Name}
		refs = append(refs, call)
		if c.maybe {
			maybe = append(maybe, name)
		} else {
			always = append(always, name)
		}
	}
	return always, maybe, refs
}

// heldLinks are the calls of a stage through fields and pointers, with their lines. What they run is decided where the field is set.
func (a *atlas) heldLinks(p *page, st stage) (out []text, refs []survey.Ref) {
	for _, c := range a.calls.fieldCalls(st.at) {
		call := survey.Ref{Path: st.at.file.Path, Start: c.line, End: c.line}
		out = append(out, p.linked(code(c.shown), call))
		refs = append(refs, call)
		if c.field.Path != "" {
			refs = append(refs, c.field)
		}
	}
	return out, refs
}

// traceNote says what the steps of an operation leave out.
const traceNote = "Each name links the line of its call, in the order of the lines; a return before it may end a run earlier. Calls that handle an error or run later are left out, as are calls whose target is not certain."
