package extractive

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

func wordsOf(t *testing.T, files map[string]string, docs map[string]survey.Fact, name string) string {
	t.Helper()
	repo := &survey.Repository{Files: map[string]*scan.File{}, Told: docs}
	p := &survey.Package{Dir: "src"}
	for f, text := range files {
		repo.Files[f] = scan.Source(f, []byte(text))
		p.Files = append(p.Files, f)
	}
	repo.Packages = []*survey.Package{p}
	a := newAtlas(repo, "openwiki", fixedFiles(files))
	said, _ := a.fileWords(repo.Files[name])
	return said.text
}

func TestHeaderOfC(t *testing.T) {
	const licence = "/*\n * Copyright (c) A. Nobody\n * All rights reserved.\n *\n * Portions of this file are available under other terms.\n */\n"
	for _, tc := range []struct{ name, text, want string }{
		{"named", "/* list.c - A generic doubly linked list implementation\n *\n * Copyright (c) A. Nobody\n */\n\n#include \"list.h\"\n", "A generic doubly linked list implementation."},
		{"behind the licence", licence + "\n/*\n * list.c contains the common parts of a\n * list, whatever it holds.\n */\n\n#include \"list.h\"\n", "list.c contains the common parts of a list, whatever it holds."},
		{"only the licence", licence + "\n#include \"list.h\"\n", ""},
		{"a rule around", "/* ======\n * list.c - linked list layer\n * ------\n * Copyright (C) 2022 A. Nobody\n */\n#include \"list.h\"\n", "Linked list layer."},
		{"headline", "/*\n * Index-based list implementation\n * This file implements a list comprised of an array.\n */\n#include <x.h>\n", "Index-based list implementation."},
		{"a declaration's", "/* Keeps the number of all lists. */\nint lists;\n", ""},
		{"behind the includes", licence + "#include \"list.h\"\n\n/* Global state of all lists */\n\nint n;\n", ""},
		{"about its origin", "/* Originally by: somebody, in another project */\n#include \"list.h\"\n", ""},
		{"line comments", "// Lists that\n// never shrink.\n\n#include \"list.h\"\n", "Lists that never shrink."},
	} {
		if got := wordsOf(t, map[string]string{"src/list.c": tc.text}, nil, "src/list.c"); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// A document describes what a file was. The file itself, or what has been taken out of it, tells better.
func TestFileWordsBeforeDocuments(t *testing.T) {
	docs := map[string]survey.Fact{"src/ring.c": {Text: "ring.c implements the ring.", Ref: survey.Ref{Path: "README.md", Start: 1, End: 1}}}
	long := "int a;\nint b;\nint c;\nint d;\nint e;\nint f;\nint g;\n"
	for _, tc := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"the file says nothing", map[string]string{"src/ring.c": "int a;\n"}, "ring.c implements the ring."},
		{"the file speaks", map[string]string{"src/ring.c": "/* Common parts of all rings. */\n#include \"x.h\"\n"}, "Common parts of all rings."},
		{"moved to a sibling", map[string]string{"src/ring.c": "int a;\n", "src/ring_old.c": long}, ""},
		{"a small sibling", map[string]string{"src/ring.c": long, "src/ring_old.c": "int a;\n"}, "ring.c implements the ring."},
	} {
		tc.files["README.md"] = "ring.c implements the ring.\n"
		if got := wordsOf(t, tc.files, docs, "src/ring.c"); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
	docs["src/ring_old.c"] = survey.Fact{Text: "ring_old.c talks to old rings.", Ref: survey.Ref{Path: "README.md", Start: 1, End: 1}}
	if got := wordsOf(t, map[string]string{"src/ring.c": "int a;\n", "src/ring_old.c": long, "README.md": ""}, docs, "src/ring.c"); got != "ring.c implements the ring." {
		t.Errorf("a document that knows both files: %q", got)
	}
}

func TestLargestFilesStayInOrder(t *testing.T) {
	all := []*scan.File{{Path: "a", Lines: 3}, {Path: "b", Lines: 900}, {Path: "c", Lines: 2}, {Path: "d", Lines: 700}}
	var got []string
	for _, f := range largest(all, 2) {
		got = append(got, f.Path)
	}
	if diff := cmp.Diff([]string{"b", "d"}, got); diff != "" {
		t.Errorf("largest (-want +got):\n%s", diff)
	}
}
