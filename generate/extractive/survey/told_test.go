package survey

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTold(t *testing.T) {
	readme := "# DB\n\n" +
		"* `src`: contains the implementation, written in C.\n* `nowhere`: contains nothing that exists.\n\n" +
		"server.c\n---\n\nThis is the entry point of the server, where `main()` is. The following are the steps:\n\n* `init()` sets up.\n\n" +
		"net.c\n---\n\nThis file defines all the I/O functions with clients:\n\n" +
		"aof.c and rdb.c\n---\n\nAs you can guess from the names, these files implement persistence. More.\n\n" +
		"db.c\n---\n\nCertain commands are general. All those are defined inside `db.c`.\n\nMoreover `db.c` implements an API to reach the data.\n\n" +
		"repl.c\n---\n\nThis is one of the most complex files, read it late. In this file there is the implementation of both roles.\n\n" +
		"Other\n---\n\n* `t_a.c`, `t_b.c` and `t_c.c` contains the data types. They do more.\n* `sds.c` - the string library of the server.\n" +
		"* `ghost.c` is not there at all.\n* `lists.c` contains the following parts: x and y.\n"
	files := map[string]string{
		"README.md": readme, "MAINTAINERS.md": "* `src`: Ada <ada@example.com>\n", "src/server.c": "int main(void) { return 0; }\n",
	}
	for _, name := range []string{"net", "aof", "rdb", "db", "repl", "t_a", "t_b", "t_c", "sds", "lists"} {
		files["src/"+name+".c"] = "int " + name + "_x;\n"
	}
	got := map[string]string{}
	for name, fact := range surveyTree(t, files, 1).Told {
		got[name] = fact.Text + " " + line(fact.Ref)
	}
	want := map[string]string{
		"src":          "Contains the implementation, written in C. 3",
		"src/server.c": "This is the entry point of the server, where main() is. 9",
		"src/net.c":    "This file defines all the I/O functions with clients 16",
		"src/aof.c":    "As you can guess from the names, these files implement persistence. 21",
		"src/rdb.c":    "As you can guess from the names, these files implement persistence. 21",
		"src/db.c":     "db.c implements an API to reach the data. 28",
		"src/repl.c":   "In this file there is the implementation of both roles. 33",
		"src/t_a.c":    "t_a.c, t_b.c and t_c.c contains the data types. 38",
		"src/t_b.c":    "t_a.c, t_b.c and t_c.c contains the data types. 38",
		"src/t_c.c":    "t_a.c, t_b.c and t_c.c contains the data types. 38",
		"src/sds.c":    "The string library of the server. 39",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
}

func TestSaysSomething(t *testing.T) {
	for text, want := range map[string]bool{
		"Vilius Pranckaitis ( / @vpranckaitis).":                 false,
		"Ada Lovelace ada@example.com keeps this.":               false,
		"The ui directory contains the following subdirectories": false,
		"This package contains two things.":                      false,
		"Backward compatibility for older callers.":              false,
		"TODO: is this correct or not?":                          false,
		"Transforms @vue/compiler output for the server.":        true,
		"The commands of the server in one file.":                true,
	} {
		if got := saysSomething(text); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

func TestPlainKeepsCodeSpans(t *testing.T) {
	for in, want := range map[string]string{
		"use `<script setup>` or *this* `a_b_c` and `**x**`": "use <script setup> or this a_b_c and **x**",
		`the \@vue/compiler and <b>bold</b> text`:            "the @vue/compiler and bold text",
	} {
		if got := plain(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
