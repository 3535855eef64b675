package gitrepo

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/wikiwright/wikiwright/internal/gittest"
)

const someOID = "0123456789abcdef0123456789abcdef01234567"

func TestParseRemote_error(t *testing.T) {
	t.Parallel()
	for _, out := range []string{"x\n", someOID + "\n", someOID + "\t\n", someOID[1:] + "\trefs/heads/a\n", someOID + "\trefs/heads/a b\n", "HEAD\trefs/heads/a\n"} {
		if got, err := parseRefs(out); err == nil {
			t.Errorf("%q: refs %+v", out, got)
		}
	}
	for _, line := range []string{"", "100644 blob " + someOID + " 1", "100644 blob " + someOID + " x\ta", "100644 blob " + someOID + " -1\ta", "100644 blob x 1\ta",
		"644 blob " + someOID + " 1\ta", "100644 blob " + someOID + " 1\t"} {
		if got, err := parseTreeEntry(line); err == nil {
			t.Errorf("%q: entry %+v", line, got)
		}
	}
	for _, header := range []string{"", someOID + " blob", someOID + " blob x\n", someOID + " blob -1\n", someOID + " blob 99999999999\n", "x blob 1\n", someOID + " missing\n"} {
		if got, _, err := parseBatchHeader(header); err == nil {
			t.Errorf("%q: object %+v", header, got)
		}
	}
	for _, text := range []string{"", "tree x\n\n", "tree " + someOID + "\n\nm", "parent " + someOID + "\nauthor a\n\n", "tree " + someOID + "\nparent x\nauthor a\n\n",
		"tree " + someOID + "\nauthor"} {
		if got, err := parseCommit(text); err == nil && text != "tree "+someOID+"\nauthor" {
			t.Errorf("%q: commit %+v", text, got)
		}
	}
	raw := strings.Repeat("r", 20)
	for _, data := range []string{"x", "100644 a\x00", "100644 a\x00" + raw[1:], " a\x00" + raw, "100644 \x00" + raw, "100644 a\x00" + raw + "100644 a\x00" + raw, "100644"} {
		if got, err := parseTree([]byte(data)); err == nil {
			t.Errorf("%q: tree %+v", data, got)
		}
	}
}

func TestPushStatus(t *testing.T) {
	t.Parallel()
	out := "To http://host/o/r.git\n=\tx:refs/heads/a\t[up to date]\n!\tabc:refs/heads/b\t[rejected] (stale info)\nDone\n"
	for ref, want := range map[string]struct {
		flag   byte
		reason string
	}{"refs/heads/b": {'!', "[rejected] (stale info)"}, "refs/heads/a": {'=', "[up to date]"}, "refs/heads/c": {}} {
		if flag, reason := pushStatus(out, ref); flag != want.flag || reason != want.reason {
			t.Errorf("%s: got %c %q", ref, flag, reason)
		}
	}
}

func FuzzParseRemote(f *testing.F) {
	f.Add([]byte(someOID + "\trefs/heads/main\n"))
	f.Add([]byte("100644 blob " + someOID + "       3\tdir/é"))
	f.Add([]byte(someOID + " blob 3\n"))
	f.Add([]byte("tree " + someOID + "\nparent " + someOID + "\nauthor A <a@b> 0 +0000\n\nm"))
	f.Add([]byte("!\tabc:refs/heads/b\t[rejected] (stale info)\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		text := string(data)
		if refs, err := parseRefs(text); err == nil {
			var back strings.Builder
			for _, ref := range refs {
				back.WriteString(ref.OID + "\t" + ref.Name + "\n")
			}
			if back.String() != text && back.String() != text+"\n" {
				t.Errorf("%q comes back as %q", text, back.String())
			}
		}
		if entry, err := parseTreeEntry(text); err == nil && (entry.Path == "" || !isObjectName(entry.OID)) {
			t.Errorf("%q: %+v", text, entry)
		}
		if object, size, err := parseBatchHeader(text); err == nil && (size < 0 || size > maxObject || !isObjectName(object.oid)) {
			t.Errorf("%q: %+v of %d", text, object, size)
		}
		if info, err := parseCommit(text); err == nil && !isObjectName(info.Tree) {
			t.Errorf("%q: %+v", text, info)
		}
		if said := oneLine(text); strings.ContainsAny(said, "\n\r\x00") {
			t.Errorf("%q is not one line: %q", text, said)
		}
		pushStatus(text, "refs/heads/b")
	})
}

// What is read of a tree can be written again, and read again to the same.
func FuzzTree(f *testing.F) {
	raw := strings.Repeat("r", 20)
	f.Add([]byte("100644 a\x00" + raw + "40000 a.b\x00" + raw + "40000 a\xff\x00" + raw + "160000 z\x00" + raw))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := parseTree(data)
		if err != nil {
			return
		}
		encoded := encodeTree(entries)
		again, err := parseTree(encoded)
		if err != nil || !maps.Equal(entries, again) || len(encoded) != len(data) {
			t.Errorf("%q comes back as %q, %v", data, encoded, err)
		}
	})
}

func TestParseHunk(t *testing.T) {
	for line, want := range map[string]Hunk{
		"@@ -12,3 +14 @@ func x() {": {12, 3, 14, 1},
		"@@ -0,0 +1,20 @@\n":         {0, 0, 1, 20},
		"@@ -3 +2,0 @@ @@ -9 +9 @@":  {3, 1, 2, 0},
	} {
		if got, ok := parseHunk(line); !ok || got != want {
			t.Errorf("%q: got %+v, %v; want %+v", line, got, ok, want)
		}
	}
	for _, line := range []string{
		"", "@@", "@@ -1 @@", "@@ -1 +1", "@@ -1,+2 +1 @@", "@@ -a +1 @@", "@@ --1 +1 @@", "@@ -1,-1 +1 @@", "@@ -1,2,3 +1 @@", "+@@ -1 +1 @@", " @@ -1 +1 @@",
		"@@@ -1 -1 +1 @@@", "@@ -+1 +1 @@", "@@ -99999999999999999999 +1 @@", "@@ - + @@",
	} {
		if got, ok := parseHunk(line); ok {
			t.Errorf("%q: got %+v, want none", line, got)
		}
	}
}

// A line that is taken for the head of a hunk says the same when it is written again.
func FuzzParseHunk(f *testing.F) {
	for _, line := range []string{"@@ -12,3 +14 @@ func", "@@ -0,0 +1,20 @@", "@@ -1 +1 @@", "@@ -1,2 +1", "@@ -+1 +1 @@"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		h, ok := parseHunk(line)
		if !ok {
			return
		}
		if min(h.OldStart, h.OldCount, h.NewStart, h.NewCount) < 0 {
			t.Errorf("%q: %+v", line, h)
		}
		text := fmt.Sprintf("@@ -%d,%d +%d,%d @@", h.OldStart, h.OldCount, h.NewStart, h.NewCount)
		if again, ok := parseHunk(text); !ok || again != h {
			t.Errorf("%q comes back as %+v, %v", line, again, ok)
		}
	})
}

// Whatever a server answers to a push: an error in time, never a panic.
func FuzzSendPack(f *testing.F) {
	refs := "001f# service=git-receive-pack\n0000" + packetLine(someOID+" refs/heads/x\x00 report-status side-band-64k delete-refs ofs-delta") + "0000"
	f.Add([]byte(refs), []byte(packetLine("\x01"+packetLine("unpack ok\n")+packetLine("ok refs/heads/x\n")+"0000")+"0000"))
	f.Add([]byte(refs), []byte(packetLine("\x02no\n")+packetLine("\x01"+packetLine("unpack ok\n")+packetLine("ng refs/heads/x hook declined\n")+"0000")+"0000"))
	f.Add([]byte(refs), []byte{})
	f.Add([]byte("0000"), []byte("0000"))
	source := gittest.FromTxtar(f, twoFiles)
	repo, err := Open(f.Context(), source.Dir)
	if err != nil {
		f.Fatal(err)
	}
	tree, err := repo.NewTree(f.Context(), source.Head(), []Edit{{Path: "x", Data: []byte("x")}})
	if err != nil {
		f.Fatal(err)
	}
	commit, err := tree.Commit("m", ada, noon)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, advertised, report []byte) {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body := report
			if r.Method == http.MethodGet {
				body = advertised
			}
			_, _ = w.Write(body)
		}))
		defer server.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		err := sendPack(ctx, Remote{URL: server.URL + "/o/r.git"}, "refs/heads/x", someOID, commit)
		if ctx.Err() != nil {
			t.Error("the push does not end")
		}
		if err == nil && !bytes.Contains(report, []byte("unpack ok")) {
			t.Errorf("success after %q", report)
		}
	})
}

func packetLine(text string) string {
	const digits = "0123456789abcdef"
	n := len(text) + 4
	return string([]byte{digits[n>>12&15], digits[n>>8&15], digits[n>>4&15], digits[n&15]}) + text
}
