package wiki

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// SetVerified returns the page with the verified field set to the list of events, or without it for none. Keys the program does not
// know stay with an event that is already there, and so do entries of others that are no valid events: they are not ours to drop.
func SetVerified(b []byte, es []Event) []byte {
	d := Parse(b)
	list := d.list("verified", isEvent, "by")
	if slices.Equal(d.Verified(), es) && (len(es) > 0 || list.kept > 0 || d.value("verified") == nil) {
		return b
	}
	for _, item := range list.items {
		event, ok := asEvent(item)
		switch {
		case !ok:
			list.keep(item)
		case len(es) > 0 && es[0] == event:
			list.event(event, resolve(item))
			es = es[1:]
		}
	}
	for _, e := range es {
		list.event(e, nil)
	}
	return d.withList("verified", list.lines)
}

// SetSources returns the page with the sources field set to the entries, or without it for none. Entries of others that are not valid
// stay.
func SetSources(b []byte, ss []SourceEntry) []byte {
	d := Parse(b)
	list := d.list("sources", isSource, "author")
	if slices.EqualFunc(d.Sources(), ss, SourceEntry.Equal) && (len(ss) > 0 || list.kept > 0 || d.value("sources") == nil) {
		return b
	}
	for _, item := range list.items {
		entry, ok := asSource(item)
		switch {
		case !ok:
			list.keep(item)
		case len(ss) > 0 && ss[0].Equal(entry):
			list.source(ss[0])
			ss = ss[1:]
		}
	}
	for _, s := range ss {
		list.source(s)
	}
	return d.withList("sources", list.lines)
}

// entryList is a list field that is being written anew.
type entryList struct {
	items []*yaml.Node // the entries that are there, without those of ours that are not valid
	kept  int          // how many of them are not valid
	lines []string
}

// list begins to write a list field anew. An entry that is not valid is one of others unless it names one of our actors under the key.
func (d *Document) list(field string, valid func(*yaml.Node) bool, actor string) *entryList {
	list := &entryList{}
	for _, item := range d.items(field) {
		ok := valid(item)
		if !ok && isOurs(item, actor) {
			continue
		}
		list.items = append(list.items, item)
		if !ok {
			list.kept++
		}
	}
	return list
}

func isOurs(entry *yaml.Node, key string) bool {
	entry = resolve(entry)
	if entry.Kind != yaml.MappingNode {
		return false
	}
	actor := mappingValue(entry, key)
	return actor != nil && OwnActor(actor.Value)
}

// keep writes an entry as it is.
func (l *entryList) keep(item *yaml.Node) {
	if kept, err := encode(item); err == nil {
		l.lines = append(l.lines, listItem(kept)...)
	}
}

// event writes an event, which may be there already as node.
func (l *entryList) event(e Event, node *yaml.Node) {
	pairs := []string{"by: " + plain(e.By)}
	if e.At != "" {
		pairs = append(pairs, "at: "+plain(e.At))
	}
	if node != nil && len(node.Content) > 2*len(pairs) {
		l.keep(node)
		return
	}
	l.lines = append(l.lines, listItem(pairs)...)
}

func (l *entryList) source(s SourceEntry) {
	if s.hasExtra() {
		l.keep(s.node)
		return
	}
	var pairs []string
	if s.ID != "" {
		pairs = append(pairs, "id: "+plain(s.ID))
	}
	l.lines = append(l.lines, listItem(append(pairs, "resource: "+plain(s.Resource)))...)
}

// listItem indents the lines of one mapping as an item of a block list.
func listItem(pairs []string) []string {
	lines := make([]string, len(pairs))
	for i, pair := range pairs {
		lines[i] = "    " + pair
	}
	lines[0] = "  - " + pairs[0]
	return lines
}
