package extractive

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Calls on fields, parameters and made values resolve where the source spells one type for them.
func TestMethodsOfSpelledTypes(t *testing.T) {
	text := "package a\n\ntype Log struct{}\n\nfunc (l *Log) Cut() {}\n\nfunc (l *Log) Run() {}\n\ntype Sink interface {\n\tCut()\n}\n\n" +
		"func NewLog(n int) (*Log, error) { return nil, nil }\n\n" +
		"type Head struct {\n\twal, old *Log // both\n\tsink Sink\n\tn    int\n}\n\n" +
		"func (h *Head) f(l *Log, n int) {\n\th.wal.Cut()\n\th.sink.Cut()\n\tl.Run()\n\tm, err := NewLog(n)\n\tm.Cut()\n\th.n.Cut()\n\tgo func() { m.Run() }()\n\tfor _, l := range all() {\n\t\tl.Run()\n\t}\n}\n\n" +
		"func (h *Head) g(l *Log) {\n\tl.Run()\n\tm, _ := NewLog(1)\n\tm.Cut()\n}\n"
	a, s := oneFile(t, "src/a.go", text, "f")
	resolve := func(s symbol) []string {
		var got []string
		for _, c := range s.file.Calls {
			if c.Caller != s.name() {
				continue
			}
			if to, ok := a.calls.method(s, c); ok {
				got = append(got, c.Qualifier+"."+c.Name+" "+to.name())
			}
		}
		return got
	}
	want := []string{"h.wal.Cut Log.Cut", "h.sink.Cut Sink.Cut", "m.Cut Log.Cut", "m.Run Log.Run"} // l is declared again
	if diff := cmp.Diff(want, resolve(s)); diff != "" {
		t.Errorf("f (-want +got):\n%s", diff)
	}
	for _, other := range a.calls.named["g"] {
		if diff := cmp.Diff([]string{"l.Run Log.Run", "m.Cut Log.Cut"}, resolve(other)); diff != "" {
			t.Errorf("g (-want +got):\n%s", diff)
		}
	}
	var started []string
	for _, c := range a.calls.started(s) {
		started = append(started, c.said)
	}
	if diff := cmp.Diff([]string{"m.Run"}, started); diff != "" {
		t.Errorf("started (-want +got):\n%s", diff)
	}
}
