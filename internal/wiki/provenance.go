package wiki

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Event says who wrote or verified a page, and when.
type Event struct {
	By string `json:"by"`
	At string `json:"at,omitempty"`
}

// SourceEntry is one entry of the sources field. Keys the program does not know stay with the entry.
type SourceEntry struct {
	ID       string
	Resource string

	// node is the entry as it stands in a page; nil for one that was made here.
	node *yaml.Node
}

// ownSourcePrefix marks the sources entries that are projected from Claims evidence.
const ownSourcePrefix = "openwiki-source-"

// OwnActor reports whether an actor belongs to the families whose stamps and sources entries this program replaces: its own two
// authors and the reference implementation. Everybody else's stay.
func OwnActor(by string) bool {
	return strings.HasPrefix(by, "openwiki/") || strings.HasPrefix(by, "wikiwright/") || strings.HasPrefix(by, "wikiwright-extractive/")
}

// OwnSource returns the projected entry of a resource.
func OwnSource(resource string) SourceEntry {
	sum := sha256.Sum256([]byte(resource))
	return SourceEntry{ID: ownSourcePrefix + hex.EncodeToString(sum[:])[:24], Resource: resource}
}

// own reports whether the entry is a projection of Claims evidence. Builds of the reference marked theirs with an author instead.
func (s SourceEntry) own() bool {
	if strings.HasPrefix(s.ID, ownSourcePrefix) {
		return true
	}
	if s.node == nil {
		return false
	}
	author := mappingValue(s.node, "author")
	return author != nil && isString(author) && OwnActor(author.Value)
}

// Equal reports whether two entries say the same, unknown keys included.
func (s SourceEntry) Equal(o SourceEntry) bool {
	if s.ID != o.ID || s.Resource != o.Resource || s.hasExtra() != o.hasExtra() {
		return false
	}
	return !s.hasExtra() || equalNodes(s.node, o.node)
}

// hasExtra reports whether the entry has keys beside id and resource.
func (s SourceEntry) hasExtra() bool {
	if s.node == nil {
		return false
	}
	known := 0
	for _, key := range []string{"id", "resource"} {
		if value := mappingValue(s.node, key); value != nil && isString(value) {
			known++
		}
	}
	return len(s.node.Content) != 2*known
}

// ProjectSources returns the sources of a page whose Claims rest on the resources: the entries of others first, as they are, then one
// of our own for every resource no other entry names, in collation order. Where those are the entries that are there, they come back in the
// order in which they are: the order alone is no reason to write a page.
func ProjectSources(existing []SourceEntry, resources []string) []SourceEntry {
	var entries []SourceEntry
	named := map[string]bool{}
	for _, entry := range existing {
		if !entry.own() {
			entries = append(entries, entry)
			named[entry.Resource] = true
		}
	}
	var own []string
	for _, resource := range resources {
		resource, _, _ = strings.Cut(resource, "#")
		if !named[resource] {
			named[resource] = true
			own = append(own, resource)
		}
	}
	SortCollated(own)
	for _, resource := range own {
		entries = append(entries, OwnSource(resource))
	}
	if sameEntries(existing, entries) {
		return existing
	}
	return entries
}

// sameEntries compares entries without regard to their order.
func sameEntries(a, b []SourceEntry) bool {
	order := func(x, y SourceEntry) int {
		return cmp.Or(strings.Compare(x.Resource, y.Resource), strings.Compare(x.ID, y.ID))
	}
	return slices.EqualFunc(slices.SortedFunc(slices.Values(a), order), slices.SortedFunc(slices.Values(b), order), SourceEntry.Equal)
}

// Generated returns the event of the generated field when it is valid.
func (d *Document) Generated() (Event, bool) {
	value := d.value("generated")
	if value == nil {
		return Event{}, false
	}
	return asEvent(value)
}

// Verified returns the valid events of the verified field.
func (d *Document) Verified() []Event {
	var events []Event
	for _, item := range d.items("verified") {
		if event, ok := asEvent(item); ok {
			events = append(events, event)
		}
	}
	return events
}

// Sources returns the valid entries of the sources field.
func (d *Document) Sources() []SourceEntry {
	var entries []SourceEntry
	for _, item := range d.items("sources") {
		if entry, ok := asSource(item); ok {
			entries = append(entries, entry)
		}
	}
	return entries
}

// items returns the items of a list field; a bare mapping is a list of one.
func (d *Document) items(field string) []*yaml.Node {
	value := d.value(field)
	switch {
	case value == nil:
		return nil
	case value.Kind == yaml.MappingNode:
		return []*yaml.Node{value}
	case value.Kind == yaml.SequenceNode:
		return slices.Clone(value.Content)
	}
	return nil
}

// asEvent reads an event. Dates are strings: a decoder that made times of them would write them back in another form.
func asEvent(n *yaml.Node) (Event, bool) {
	n = resolve(n)
	if n.Kind != yaml.MappingNode {
		return Event{}, false
	}
	by, at := mappingValue(n, "by"), mappingValue(n, "at")
	if by == nil || !isText(by) {
		return Event{}, false
	}
	if at == nil {
		return Event{By: by.Value}, true
	}
	if !isString(at) || !isDateTime(at.Value) {
		return Event{}, false
	}
	return Event{By: by.Value, At: at.Value}, true
}

func isEvent(n *yaml.Node) bool {
	_, ok := asEvent(n)
	return ok
}

func isSource(n *yaml.Node) bool {
	_, ok := asSource(n)
	return ok
}

func asSource(n *yaml.Node) (SourceEntry, bool) {
	n = resolve(n)
	if n.Kind != yaml.MappingNode {
		return SourceEntry{}, false
	}
	resource := mappingValue(n, "resource")
	if resource == nil || !isText(resource) {
		return SourceEntry{}, false
	}
	entry := SourceEntry{Resource: resource.Value, node: n}
	if id := mappingValue(n, "id"); id != nil && id.Kind == yaml.ScalarNode {
		entry.ID = id.Value
	}
	return entry, true
}
