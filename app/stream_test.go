package app

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/internal/claims"
)

func TestStream(t *testing.T) {
	var out bytes.Buffer
	events := []generate.Event{
		{Stage: generate.StagePlanning, Resumed: true},
		{Stage: generate.StageGenerating, Page: "/openwiki/a.md", PageIndex: 1, PageCount: 3, CompletedCount: 2},
		{Stage: generate.StageText, Text: "two\nlines"},
	}
	stream := NewStreamWriter(&out)
	for _, e := range events {
		if err := stream.Write(StreamLine{Event: StreamEventOf(e)}); err != nil {
			t.Fatal(err)
		}
	}
	done := generate.PageOutcome{Path: "/openwiki/a.md", State: "complete", Change: "new", Attempts: 2, Claims: claims.Counts{Added: 3}}
	if err := stream.Write(StreamLine{Page: StreamPageOf(done)}); err != nil {
		t.Fatal(err)
	}
	if err := stream.Write(StreamLine{Result: &Result{Outcome: "complete"}}); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(out.String(), "\n"); lines != 5 {
		t.Errorf("%d lines, want 5:\n%s", lines, out.String())
	}
	var got []StreamEvent
	var pages []PageResult
	result, err := ReadStream(&out, func(e StreamEvent) { got = append(got, e) }, func(p PageResult) { pages = append(pages, p) })
	if err != nil || result.Outcome != "complete" {
		t.Errorf("got %+v, %v", result, err)
	}
	want := []StreamEvent{
		{Stage: "planning", Resumed: true},
		{Stage: "generating", Page: "/openwiki/a.md", PageIndex: 1, PageCount: 3, CompletedCount: 2},
		{Stage: "text", Text: "two\nlines"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	wantPages := []PageResult{{Path: "/openwiki/a.md", State: "complete", Change: "new", Attempts: 2, Claims: ClaimChanges{Added: 3}}}
	if diff := cmp.Diff(wantPages, pages); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
}

func TestStream_cut(t *testing.T) {
	for _, text := range []string{"", `{"event":{"stage":"planning"}}` + "\n", `{"event":{"stage":"planning"}}` + "\n" + `{"result":{"outco`} {
		if _, err := ReadStream(strings.NewReader(text), func(StreamEvent) {}, func(PageResult) {}); !errors.Is(err, ErrNoResult) {
			t.Errorf("%q: got %v, want %v", text, err, ErrNoResult)
		}
	}
	if _, err := ReadStream(strings.NewReader("hello\n"), func(StreamEvent) {}, func(PageResult) {}); err == nil {
		t.Error("text that is no JSON is taken for progress")
	}
}
