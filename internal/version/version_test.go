package version

import "testing"

func TestProducer(t *testing.T) {
	if got, want := Producer(Extractive), "wikiwright-extractive/"+Version; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
