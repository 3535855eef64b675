package extractive

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFirstSentence(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"Store keeps users. It is safe.", "Store keeps users."},
		{"Uses e.g. a map. Next.", "Uses e.g. a map."},
		{"Needs Go 1.24 or newer. Yes.", "Needs Go 1.24 or newer."},
		{"Wraps the\nline here.\n\nSecond paragraph.", "Wraps the line here."},
		{"No full stop", "No full stop"},
		{"Gets a user. @param id the id", "Gets a user."},
		{"Returns {@code null} for <b>none</b>.", "Returns `null` for none."},
		{"See [Server.Close] and [the docs](https://x.example).", "See Server.Close and the docs."},
		{"@param id the id", ""},
		{"Uses os.Args[1:] by default. More.", "Uses os.Args[1:] by default."},
		{"Takes [string] a path.", "Takes [string] a path."},
		{"A :class:`~flask.Flask` and a :meth:`run <Flask.run>`.", "A `Flask` and a `run`."},
		{"Works with a.b.C names. More.", "Works with a.b.C names."},
		{"これは本です。次。", "これは本です。"},
		{"Is it? Yes.", "Is it?"},
	} {
		if got := firstSentence(tc.in); got != tc.want {
			t.Errorf("firstSentence(%q) = %q, want %q", tc.in, got, tc.want)
		}
	}
}

func TestListReadsNaturally(t *testing.T) {
	a, b, c := words("a"), words("b"), words("c")
	for _, tc := range []struct {
		in   []text
		want string
	}{
		{nil, ""}, {[]text{a}, "a"}, {[]text{a, b}, "a and b"}, {[]text{a, b, c}, "a, b and c"},
	} {
		if got := list(tc.in).plain; got != tc.want {
			t.Errorf("list = %q, want %q", got, tc.want)
		}
	}
	if got, want := some([]text{a, b, c}, 2).plain, "a, b and others"; got != want {
		t.Errorf("some = %q, want %q", got, want)
	}
}

func TestComposeKeepsBothForms(t *testing.T) {
	got := compose("{} calls {}.", code("Run"), quote("the *store*"))
	want := text{md: "`Run` calls the \\*store\\*.", plain: "Run calls the *store*.", names: []string{"Run"}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(text{})); diff != "" {
		t.Errorf("compose (-want +got):\n%s", diff)
	}
}

func TestQuoteKeepsCodeSpans(t *testing.T) {
	got := quote("Calls `a|b` on *x*, once ` alone.")
	if want := "Calls `a|b` on \\*x\\*, once ' alone."; got.md != want {
		t.Errorf("quote md = %q, want %q", got.md, want)
	}
	if want := "Calls a|b on *x*, once  alone."; got.plain != want {
		t.Errorf("quote plain = %q, want %q", got.plain, want)
	}
}

func TestUsable(t *testing.T) {
	for s, want := range map[string]bool{
		"Keeps users on disk.":               true,
		"Copyright 2024 The Authors.":        false,
		"todo":                               false,
		"SPDX-License-Identifier: MIT stuff": false,
	} {
		if got := usable(s); got != want {
			t.Errorf("usable(%q) = %v, want %v", s, got, want)
		}
	}
}

func TestPackageWords(t *testing.T) {
	for in, want := range map[string]string{
		"Package store keeps users.": "keeps users.",
		"Package store is a cache.":  "a cache.",
		"Keeps users.":               "Keeps users.",
	} {
		if got := packageWords(in); got != want {
			t.Errorf("packageWords(%q) = %q, want %q", in, got, want)
		}
	}
}
