package agent_test

import (
	"testing"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/generate/generatetest"
	"github.com/wikiwright/wikiwright/internal/llm/llmtest"
)

// What every conversation begins with, instructions, tools and assignment, is paid for again with each request. OpenWiki 0.3.3 begins with
// 38.5 KB; the bar is seven tenths of that.
func TestFirstRequests(t *testing.T) {
	const bar = 38_500 * 7 / 10 // bytes
	for _, format := range llmtest.Formats() {
		server := serve(t, diligent)
		if _, err := run(t, generatetest.NewRepo(t, demo), generate.ModeInit, author(t, server, format, nil)); err != nil {
			t.Fatal(err)
		}
		first := 0
		for _, r := range server.Requests() {
			if view(r).Turns > 0 {
				continue
			}
			first++
			if len(r.Body) > bar || len(r.Body) < 4000 {
				t.Errorf("%s: request %d begins with %d bytes, the bar is %d", format, r.N, len(r.Body), bar)
			}
			t.Logf("%s: request %d: %d bytes", format, r.N, len(r.Body))
		}
		if first != 3 {
			t.Errorf("%s: %d conversations, want the plan and two pages", format, first)
		}
	}
}
