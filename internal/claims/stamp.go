package claims

import "github.com/wikiwright/wikiwright/internal/wiki"

// project returns the page with event as the one verification of our own, or
// with none. Verifications of others stay where they are.
func project(page []byte, event *wiki.Event) []byte {
	var events []wiki.Event
	own, same := 0, false
	before := wiki.Parse(page).Verified()
	for _, e := range before {
		if wiki.OwnActor(e.By) || event != nil && e.By == event.By {
			own++
			same = event != nil && e == *event
			continue
		}
		events = append(events, e)
	}
	if own == 0 && event == nil || own == 1 && same {
		return page
	}
	if event != nil {
		events = append(events, *event)
	}
	return wiki.SetVerified(page, events)
}

// stamped reports whether the page carries the event.
func stamped(page []byte, event wiki.Event) bool {
	for _, e := range wiki.Parse(page).Verified() {
		if e == event {
			return true
		}
	}
	return false
}
