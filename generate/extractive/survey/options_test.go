package survey

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/wikiwright/wikiwright/internal/scan"
)

func TestReadOptions(t *testing.T) {
	tests := []struct{ name, file, text, want string }{
		{"wrapped flags", "main.go", "package main\nfunc serverFlag(app *App, name, help string) *Flag {\n\treturn app.Flag(name, fmt.Sprintf(\"%s!\", help))\n}\n" +
			"func main() {\n\tserverFlag(a, \"data.path\", \"Where (data) is.\").\n\t\tDefault(\"data/\").String()\n\tserverFlag(a, \"limit\", \"At most.\").Int()\n" +
			"\tx.serverFlag(a, \"no\", \"\")\n\tserverFlag(a, computed, \"\")\n}\n",
			"flag data.path=data/ Where (data) is. 6-7|flag limit= At most. 8|"},
		{"macro table", "config.c", "#define numConfig(name, alias, default, apply) { \\\n x(name) }\n#define other(name) {}\nt table[] = {\n" +
			"    numConfig(\"port\", NULL, 6379, NULL),\n    numConfig(\"bind\", NULL, \"*\", f(1, 2)), /* c */\n    numConfig(\"hz\", NULL, CONFIG_HZ, NULL),\n other(\"x\"),\n};\n",
			"key port=6379  5|key bind=*  6|key hz=  7|"},
		{"values as a user writes them", "config.c", "#define boolConfig(name, alias, default) { \\\n x(name) }\n#define enumConfig(name, alias, enum, default) { \\\n x(name) }\n#define numConfig(name, default) x(name)\n" +
			"configEnum sync[] = {\n    {\"always\", SYNC_ALWAYS},\n    {\"no\", 0},\n    {NULL, 0}\n};\nint yesno(char *s) {\n    if (!strcasecmp(s,\"yes\")) return 1;\n    else if (!strcasecmp(s,\"no\")) return 0;\n}\nt table[] = {\n" +
			"    boolConfig(\"append\", NULL, 1),\n    boolConfig(\"lazy\", NULL, 0),\n    boolConfig(\"odd\", NULL, 2),\n    enumConfig(\"sync\", NULL, sync, SYNC_ALWAYS),\n    enumConfig(\"off\", NULL, sync, 0),\n    enumConfig(\"other\", NULL, sync, OTHER),\n" +
			"    enumConfig(\"far\", NULL, elsewhere, 0),\n    numConfig(\"size\", 64*1024*1024),\n    numConfig(\"mask\", A|B),\n};\n",
			"key append=yes  16|key lazy=no  17|key odd=  18|key sync=always  19|key off=no  20|key other=  21|key far=  22|key size=67108864  23|key mask=  24|"},
		{"truth without words", "config.c", "#define boolConfig(name, alias, default) { \\\n x(name) }\nt table[] = {\n    boolConfig(\"append\", NULL, 1),\n};\n", "key append=  4|"},
		{"joined literals", "main.go", "package main\nfunc serverFlag(app *App, name, help string) *Flag {\n\treturn app.Flag(name, help)\n}\nfunc main() {\n\tserverFlag(a, \"limit\", \"The \\\"most\\\" \"+\n\t\t\"of it.\").Int()\n}\n",
			"flag limit= The \"most\" of it. 6-7|"},
		{"option values", "cli.py", "import click\n_app = click.Option(\n    [\"-A\", \"--app\"],\n    metavar=\"IMPORT\",\n    help=(\n        \"The app to load,\"\n        \" in the form.\"\n    ),\n)\n",
			"flag app= The app to load, in the form. 2-9|"},
		{"flag types", "defs.rs", "impl Flag for A {\n    fn name_long(&self) -> &'static str {\n        \"after\"\n    }\n    fn doc_short(&self) -> &'static str {\n        r\"Show lines.\"\n    }\n}\n" +
			"impl Flag for B {\n    fn name_long(&self) -> &'static str {\n        compute()\n    }\n    fn doc_short(&self) -> &'static str {\n        \"x\"\n    }\n}\n",
			"flag after= Show lines. 3-6|"},
		{"other names of flag types", "defs.rs", "impl Flag for A {\n    fn name_short(&self) -> Option<u8> {\n        Some(b'A')\n    }\n    fn name_long(&self) -> &'static str {\n        \"after\"\n    }\n" +
			"    fn name_negated(&self) -> Option<&'static str> {\n        Some(\"no-after\")\n    }\n    fn doc_variable(&self) -> Option<&'static str> {\n        Some(\"NUM\")\n    }\n" +
			"    fn doc_short(&self) -> &'static str {\n        \"Show lines.\"\n    }\n}\n",
			"flag after= Show lines. (short -A, negated by --no-after) 3-15|"},
		{"nothing of its own", "x.go", "package x\nvar _ = app.Flag(\"a\", \"b\")\n", ""},
	}
	for _, tc := range tests {
		got := ""
		for _, item := range readOptions(scan.Source(tc.file, []byte(tc.text)), []byte(tc.text)) {
			got += item.Kind + " " + item.Name + "=" + item.Default + " " + item.Usage + " " + line(item.Refs[0]) + "|"
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

func FuzzReadOptions(f *testing.F) {
	for _, seed := range []string{"func a(b string) {\nx.Flag(b, \"\n}\na(\"", "#define x(name, default)\nx(\"a\",", "click Option([", "fn name_long fn doc_short"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, language := range []string{"Go", "C", "Python", "Rust"} {
			for _, item := range readOptions(&scan.File{Path: "x", Language: language}, []byte(text)) {
				if item.Refs[0].Start < 1 || item.Refs[0].End < item.Refs[0].Start {
					t.Fatalf("%s: bad lines %+v", language, item.Refs)
				}
			}
		}
	})
}
