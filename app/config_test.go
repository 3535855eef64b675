package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

func TestWikiDirectory(t *testing.T) {
	for _, test := range []struct {
		name, flag, file string
		want             wiki.Dir
		wantNote         string
		wantErr          string
	}{
		{name: "default", want: "openwiki"},
		{name: "flag", flag: "docs/wiki", want: "docs/wiki"},
		{name: "file", file: `{"wikiDirectory": "wiki", "other": 1}`, want: "wiki"},
		{name: "flag wins", flag: "a", file: `{"wikiDirectory": "b"}`, want: "a"},
		{name: "file without the key", file: `{"mode": "code"}`, want: "openwiki"},
		{name: "null", file: `{"wikiDirectory": null}`, want: "openwiki"},
		{name: "misspelt", file: `{"wikiDirectry": "wiki"}`, want: "openwiki",
			wantNote: `.openwiki.json: the key "wikiDirectry" is not known; wikiDirectory names the place of the wiki`},
		{name: "swapped", file: `{"wikiDirectoyr": "wiki"}`, want: "openwiki",
			wantNote: `.openwiki.json: the key "wikiDirectoyr" is not known; wikiDirectory names the place of the wiki`},
		{name: "separated", file: `{"wiki_directory": "wiki"}`, want: "openwiki",
			wantNote: `.openwiki.json: the key "wiki_directory" is not known; wikiDirectory names the place of the wiki`},
		{name: "short", file: `{"wiki-dir": "wiki"}`, want: "openwiki",
			wantNote: `.openwiki.json: the key "wiki-dir" is not known; wikiDirectory names the place of the wiki`},
		{name: "of other tools", file: `{"directory": "x", "wiki": {}, "wikiTitle": "x", "wikiDescription": "y"}`, want: "openwiki"},
		{name: "beside the right one", file: `{"wikiDirectory": "a", "wikiDir": "b"}`, want: "a"},
		{name: "outside", flag: "../out", wantErr: "--wiki-dir"},
		{name: "absolute", flag: "/abs", wantErr: "--wiki-dir"},
		{name: "git", flag: ".git", wantErr: "--wiki-dir"},
		{name: "root", flag: ".", wantErr: "--wiki-dir"},
		{name: "file outside", file: `{"wikiDirectory": "../out"}`, wantErr: ".openwiki.json: wikiDirectory"},
		{name: "broken file", file: "{\n\"wikiDirectory\" \"x\"}", wantErr: ".openwiki.json: line 2"},
		{name: "wrong type", file: `{"wikiDirectory": 7}`, wantErr: ".openwiki.json"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			if test.file != "" {
				if err := os.WriteFile(filepath.Join(dir, configFile), []byte(test.file), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			files, err := atomicfile.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer files.Close()
			got, note, err := wikiDirectory(files, test.flag)
			if test.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), test.wantErr) || !IsConfiguration(err) {
					t.Fatalf("got %v, want a configuration error about %s", err, test.wantErr)
				}
				return
			}
			if err != nil || got != test.want || note != test.wantNote {
				t.Errorf("got %q, note %q, %v; want %q, note %q", got, note, err, test.want, test.wantNote)
			}
		})
	}
}
