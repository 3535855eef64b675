package extractive

import (
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
)

// quickstart is the page where a newcomer starts: what this is, how to build, run and test it, where execution starts, which part does
// what, where to begin for a task, and what not to edit.
func (a *atlas) quickstart() *page {
	p := newPage(a.src, path.Join(a.wiki, quickstartPage))
	name := a.name()
	p.kind, p.title = "Guide", capital(name)+" quickstart"
	p.description = shorten("What "+name+" is, how to build, run and test it, where execution starts, and which part to open for a task.", 200)
	p.tags = []string{"quickstart", "overview"}
	p.purpose = "Introduce the repository and route a reader to the page and the lines for a task."
	p.seeds = a.manifests()
	p.related = a.allPages()
	p.body = append(p.body, "# "+escape(capital(name))+"\n\n"...)
	a.introduce(p)
	p.section(2, "Build, run and test", func() { a.commands(p) })
	p.section(2, "Where execution starts", func() { a.programs(p) })
	p.section(2, "Where to start for a task", func() { a.routes(p) })
	p.section(2, "Parts", func() { a.partsTable(p) })
	p.section(2, "What not to edit", func() { a.handsOff(p) })
	p.section(2, "Where change happens", func() { a.hotSpots(p, nil) })
	p.section(2, "More pages", func() { a.morePages(p) })
	p.paragraph()
	return p
}

// name is what the repository calls itself.
func (a *atlas) name() string {
	if s := clean(a.repo.Name); s != "" {
		return s
	}
	return "this repository"
}

func (a *atlas) manifests() []string {
	var out []string
	for _, m := range a.repo.Modules {
		if len(out) < 8 {
			out = append(out, m.Manifest)
		}
	}
	return out
}

// introduce says what the repository is, in the authors' words, and what it is made of.
func (a *atlas) introduce(p *page) {
	said := ""
	tell := func(s string, ref survey.Ref) {
		s = sentence(capital(packageWords(plainMarkup(clean(s)))))
		ref = a.narrow(ref, strings.TrimSuffix(s, "."))
		if ref.Path != "" && usable(s) && !similar(said, s) && p.say(quote(s), ref) {
			said += " " + s
		}
	}
	tell(a.repo.Description.Text, a.repo.Description.Ref)
	if s, ref := a.selfDescription(); s != "" {
		tell(s, ref)
	}
	for _, doc := range a.repo.Docs { // the README often adds for whom it is
		if isReadme(doc.Path) {
			tell(doc.First.Text, doc.First.Ref)
			break
		}
	}
	p.paragraph()
	a.madeOf(p)
	p.paragraph()
}

// similar reports whether a sentence repeats most words of what was said before.
func similar(said, s string) bool {
	known, words := 0, strings.Fields(strings.ToLower(strings.Trim(s, ".")))
	said = strings.ToLower(said)
	for _, w := range words {
		if strings.Contains(said, strings.Trim(w, ",.`'\"")) {
			known++
		}
	}
	return 5*known >= 4*len(words)
}

// selfDescription finds the sentence in which the README says what the repository is: "Name is a …" or "Name, a …, is a …".
func (a *atlas) selfDescription() (string, survey.Ref) {
	for _, doc := range a.repo.Docs {
		if !isReadme(doc.Path) {
			continue
		}
		lines := a.src.lines(doc.Path)
		for i := 0; i < min(len(lines), 120); i++ {
			start := i
			for i < len(lines) && strings.TrimSpace(lines[i]) != "" {
				i++
			}
			paragraph := clean(strings.Join(lines[start:i], " "))
			first := firstSentence(paragraph)
			if a.defines(first) {
				return first, survey.Ref{Path: doc.Path, Start: start + 1, End: i}
			}
		}
	}
	return "", survey.Ref{}
}

// defines reports whether a sentence begins with the name of the repository and says that it is something.
func (a *atlas) defines(s string) bool {
	lower := strings.ToLower(strings.TrimLeft(s, "*_`# "))
	name := strings.ToLower(a.repo.Name)
	if name == "" || !strings.HasPrefix(lower, name) || len(s) > 400 || strings.Contains(s, "|") {
		return false
	}
	return strings.Contains(lower, " is a") || strings.Contains(lower, " is the ") || strings.Contains(lower, " provides ")
}

func isReadme(name string) bool {
	return !strings.Contains(name, "/") && strings.HasPrefix(strings.ToLower(name), "readme")
}

// madeOf names the main build unit with its toolchain, and the licence.
func (a *atlas) madeOf(p *page) {
	shown := 0
	modules := slices.Clone(a.repo.Modules)
	slices.SortStableFunc(modules, func(x, y survey.Module) int { return depth(x.Dir) - depth(y.Dir) })
	for _, m := range modules {
		if m.Name == "" || shown == 2 || shown > 0 && m.Dir != "." || aside(m.Dir) {
			continue
		}
		t := compose("The {} "+unit(m.Ecosystem)+" is defined in {}", code(m.Name), p.linked(code(path.Base(m.Manifest)), m.NameRef))
		refs := []survey.Ref{m.NameRef}
		if m.Requires.Text != "" && m.Requires.Ref.Path != "" {
			t = compose("{} and needs {}", t, quote(m.Requires.Text))
			refs = append(refs, m.Requires.Ref)
		}
		if p.sayLinked(compose("{}.", t), refs...) {
			shown++
		}
	}
	if l := a.repo.License; l.Text != "" {
		p.say(compose("The licence is {}.", quote(l.Text)), l.Ref)
	}
}

// depth is the number of directories above and including a directory; 0 for the root.
func depth(dir string) int {
	if dir == "." || dir == "" {
		return 0
	}
	return strings.Count(dir, "/") + 1
}

// unit is what an ecosystem calls a thing with a manifest.
func unit(ecosystem string) string {
	switch ecosystem {
	case "go":
		return "Go module"
	case "npm":
		return "npm package"
	case "python":
		return "Python distribution"
	case "cargo":
		return "Rust crate"
	case "maven", "gradle":
		return "Java module"
	case "nuget":
		return ".NET project"
	case "composer":
		return "Composer package"
	case "rubygems":
		return "Ruby gem"
	case "cmake", "make", "autotools", "meson":
		return "project"
	}
	return "module"
}

// purposes is the order in which people need commands, with the words for each.
var purposes = []struct{ key, words string }{
	{"install", "Install"}, {"build", "Build"}, {"run", "Run"}, {"dev", "Develop"}, {"test", "Test"}, {"test-one", "Test one part"},
	{"lint", "Lint"}, {"format", "Format"}, {"generate", "Generate code"}, {"docs", "Build the documentation"}, {"release", "Release"}, {"clean", "Clean up"},
}

// commands tables the commands that the repository defines, by purpose.
func (a *atlas) commands(p *page) {
	p.table([]string{"To", "Command", "Defined by"}, a.commandRows(p, nil, 3))
	if len(a.ranked("test-one")) > 0 {
		return
	}
	if one := a.oneTest(p); one.text.plain != "" {
		p.blank()
		p.items([]item{one}, func(int) string { return "" })
	}
}

// commandRows are the rows for some purposes (all when none is named), at most limit for each.
func (a *atlas) commandRows(p *page, only []string, limit int) []row {
	var rows []row
	for _, purpose := range purposes {
		if len(only) > 0 && !slices.Contains(only, purpose.key) {
			continue
		}
		n := 0
		seen := make(map[string]bool)
		for _, c := range a.ranked(purpose.key) {
			key := c.Dir + "\x00" + c.Line
			if aside(c.Dir) && n > 0 || len(only) == 0 && depth(c.Dir) > 2 || len(only) == 0 && n > 0 && c.Dir != "." && c.Dir != "" {
				continue // the quickstart shows the commands of the root where there are some
			}
			if n == limit || seen[key] || c.Ref.Path == "" || strings.TrimSpace(c.Line) == "" {
				continue
			}
			seen[key] = true
			n++
			rows = append(rows, a.commandRow(p, purpose.words, c))
		}
	}
	return rows
}

// aside reports whether a directory is beside the product: its examples, documentation or test data.
func aside(dir string) bool {
	for _, s := range strings.Split(strings.ToLower(dir), "/") {
		switch s {
		case "__tests__", "__snapshots__", "example", "examples", "doc", "docs", "documentation", "test", "tests", "testdata", "fixtures", "playground", "bench", "benchmarks", "e2e", "demo", "demos":
			return true
		}
		if strings.HasPrefix(s, "template-") {
			return true
		}
	}
	return false
}

func (a *atlas) commandRow(p *page, verb string, c survey.Command) row {
	shown := label(c.Line)
	claim := compose("{}: {} ({})", words(verb), shown, words(c.Source))
	if c.Dir != "" && c.Dir != "." {
		shown = compose("{} in {}", shown, p.folder(c.Dir))
		claim = compose("{} in {}", claim, label(c.Dir))
	}
	if c.Runs != "" && clean(c.Runs) != clean(c.Line) {
		shown = compose("{}: {}", shown, label(c.Runs)) // what it runs, or what its author says about it
		claim = compose("{}: {}", claim, label(c.Runs))
	}
	return row{
		cells: []text{words(verb), shown, p.linked(quote(c.Source), c.Ref)},
		claim: compose("{}.", claim), refs: []survey.Ref{c.Ref},
	}
}

// sensible leaves out commands whose words say that they do something else than their purpose: an upgrade is no installation, and the
// installation of a tool in CI is not that of the product.
func (a *atlas) sensible(c survey.Command) bool {
	line := strings.ToLower(c.Line)
	switch c.Purpose {
	case "install", "generate", "build":
		for _, w := range []string{"upgrade", "update-all", "bump", "update-go", "update-npm", "composer update"} {
			if strings.Contains(line, w) {
				return false
			}
		}
		if c.Purpose != "install" {
			return true
		}
		tool := strings.HasPrefix(line, "make install-") || strings.HasPrefix(line, "make install_")
		if tool && !strings.Contains(line, "dep") {
			return false
		}
		return !strings.Contains(c.Source, "CI") || !strings.Contains(line, "@") && len(strings.Fields(line)) <= 3
	case "test", "test-one":
		return !strings.HasSuffix(line, " install")
	case "release":
		return !strings.Contains(strings.ToLower(c.Runs), "test")
	}
	return true
}

// ranked are the commands for a purpose: those for the whole repository first, those of scripts and Makefiles before CI steps and README.
func (a *atlas) ranked(purpose string) []survey.Command {
	var out []survey.Command
	for _, c := range a.repo.Commands {
		if c.Purpose == purpose && a.sensible(c) {
			out = append(out, c)
		}
	}
	weigh := func(c survey.Command) int {
		w := 0
		if c.Dir != "." && c.Dir != "" {
			w += 10
		}
		switch {
		case strings.Contains(c.Source, "CI"):
			w += 4
		case strings.Contains(c.Source, "README"), strings.Contains(c.Source, "doc"):
			w += 2
		}
		if words := strings.Fields(c.Line); len(words) > 0 && words[len(words)-1] != purpose {
			w++ // "make test" before "make test-race"
		}
		return w
	}
	slices.SortStableFunc(out, func(x, y survey.Command) int {
		if d := weigh(x) - weigh(y); d != 0 {
			return d
		}
		return strings.Compare(x.Dir+"\x00"+x.Line, y.Dir+"\x00"+y.Line)
	})
	return out
}

// programs tables where execution starts.
func (a *atlas) programs(p *page) {
	var rows []row
	for _, g := range a.mainPrograms() {
		c := a.byID[g.Component]
		if len(rows) == 20 {
			break
		}
		does := text{}
		refs := []survey.Ref{g.Entry}
		claim := compose("{} starts at {}", label(g.Name), words(location(g.Entry)))
		if s := firstSentence(g.Doc.Text); usable(s) {
			does = quote(sentence(capital(commandWords(s))))
			claim = compose("{}: {}", claim, does)
			refs = append(refs, g.Doc.Ref)
		}
		start := p.at(g.Entry)
		if s, ok := a.calls.entry(g.Entry); ok {
			start = compose("{} in {}", p.linked(code(s.name()), g.Entry), label(g.Entry.Path))
			claim.names = []string{s.decl.Name}
		}
		part := text{}
		if c != nil {
			part = a.part(p, c)
		}
		rows = append(rows, row{cells: []text{label(g.Name), start, does, part}, claim: compose("{}", claim), refs: refs})
	}
	p.table([]string{"Program", "Starts at", "What it is", "Part"}, rows)
	shown := make(map[survey.Ref]bool)
	for _, g := range a.mainPrograms() {
		if len(g.CommandRefs) > 0 && !shown[g.CommandRefs[0]] {
			shown[g.CommandRefs[0]] = true
			a.subcommands(p, g)
		}
	}
}

// mainPrograms are the programs without those of tests and examples: what is named like the repository first, then what lies where
// programs lie, then the helpers deep in the tree.
func (a *atlas) mainPrograms() []survey.Program {
	var out []survey.Program
	for _, g := range a.repo.Programs {
		c := a.byID[g.Component]
		if c != nil && (c.Role == "examples" || c.Role == "tests" || c.Role == "docs") || aside(path.Dir(g.Entry.Path)) {
			continue
		}
		out = append(out, g)
	}
	weigh := func(g survey.Program) int {
		w := strings.Count(g.Entry.Path, "/")
		c := a.byID[g.Component]
		if c != nil && a.largest() == c {
			w -= 5
		}
		switch name := strings.ToLower(g.Name); {
		case strings.Contains(name, "server"), strings.HasSuffix(name, "d"):
			w -= 3
		case strings.Contains(name, "bench"), strings.Contains(name, "test"), strings.Contains(name, "demo"), strings.Contains(name, "sample"):
			w += 6
		}
		switch first, _, _ := strings.Cut(g.Entry.Path, "/"); {
		case strings.EqualFold(g.Name, a.repo.Name):
			w -= 20
		case first == "utils" || first == "util" || first == "tools" || first == "scripts" || first == "script" || first == "hack" || first == "contrib":
			w += 10
		case strings.HasPrefix(g.Entry.Path, "cmd/"), strings.HasPrefix(g.Entry.Path, "bin/"), c != nil && c.Role == "program":
			w -= 10
		case g.Kind == "script":
			w += 10
		}
		return w
	}
	slices.SortStableFunc(out, func(x, y survey.Program) int {
		if d := weigh(x) - weigh(y); d != 0 {
			return d
		}
		return strings.Compare(x.Name+"\x00"+x.Entry.Path, y.Name+"\x00"+y.Entry.Path)
	})
	return out
}

// largest is the part with the most source.
func (a *atlas) largest() *survey.Component {
	var best *survey.Component
	for _, c := range a.parts {
		if best == nil || c.Lines > best.Lines {
			best = c
		}
	}
	return best
}

// commandWords drops "Package main " and "Command x " from a program's doc.
func commandWords(s string) string {
	if rest, ok := strings.CutPrefix(packageWords(s), "Command "); ok {
		if _, tail, found := strings.Cut(rest, " "); found {
			return tail
		}
	}
	return packageWords(s)
}

// subcommands tables the subcommands of a program with what they say about themselves.
func (a *atlas) subcommands(p *page, g survey.Program) {
	var rows []row
	for i, c := range g.Commands {
		if i >= len(g.CommandRefs) || len(rows) == 24 {
			break
		}
		if c.Short == "" {
			continue
		}
		rows = append(rows, row{
			cells: []text{p.linked(code(c.Name), g.CommandRefs[i]), quote(sentence(c.Short))},
			claim: compose("The command {} of {}: {}", code(c.Name), label(g.Name), quote(sentence(c.Short))), refs: []survey.Ref{g.CommandRefs[i]},
		})
	}
	if len(rows) > 0 {
		p.section(3, "Commands of "+codeSpan(g.Name), func() { p.table([]string{"Command", "What it does"}, rows) })
	}
}

// routes tells for each usual change where to begin.
func (a *atlas) routes(p *page) {
	var rows []row
	for _, e := range a.bestExtensions(6) {
		where := p.linked(code(e.base.name()), e.base.ref())
		what := compose("Add another {}", label(e.base.decl.Name))
		if e.register {
			what = compose("Register one more with {}", label(e.base.decl.Name))
		}
		if c := a.component(e.base.file.Path); c != nil {
			what = compose("{} ({})", what, words(escape(a.title(c))))
		}
		rows = append(rows, row{cells: []text{what, where, a.pageOrPart(p, a.component(e.base.file.Path))}})
	}
	for _, c := range a.byImportance() {
		if len(rows) >= 18 {
			break
		}
		s, ok := a.keySymbol(c)
		if !ok {
			continue
		}
		rows = append(rows, row{cells: []text{
			compose("Change how {} works", label(a.title(c))), compose("{} in {}", p.linked(code(s.name()), s.ref()), label(path.Base(s.file.Path))), a.pageOrPart(p, c),
		}})
	}
	for _, r := range []struct{ task, page, title string }{
		{"Change a setting or its default", configurationPage, "Configuration"},
		{"Change CI, images or releases", operationsPage, "Operations"},
		{"Write or run tests", testingPage, "Testing"},
	} {
		if target := a.single(r.page); target != "" {
			rows = append(rows, row{cells: []text{words(r.task), {}, p.toPage(words(r.title), target)}})
		}
	}
	p.table([]string{"To", "Start at", "Read"}, rows)
}

func (a *atlas) pageOrPart(p *page, c *survey.Component) text {
	if c == nil {
		return text{}
	}
	return a.part(p, c)
}

// maxRow is the number of parts up to which the overviews tell about all of them, with or without a page.
const maxRow = 8

// byImportance are the parts with a page, or all where there are few, most needed first.
func (a *atlas) byImportance() []*survey.Component {
	var out []*survey.Component
	for _, c := range a.parts {
		if a.pages[c.ID] != "" || len(a.parts) <= maxRow {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(x, y *survey.Component) int {
		if d := a.rank(y)/4 - a.rank(x)/4; d != 0 {
			return d
		}
		return strings.Compare(x.ID, y.ID)
	})
	return out
}

// bestExtensions are the richest points of extension of the repository.
func (a *atlas) bestExtensions(limit int) []extension {
	var out []extension
	for _, c := range a.parts {
		out = append(out, a.extensions(c)...)
	}
	slices.SortStableFunc(out, func(x, y extension) int { return y.size() - x.size() })
	return out[:min(limit, len(out))]
}

// partsTable names every part with its responsibility: in the authors' words about the part, else about its centre.
func (a *atlas) partsTable(p *page) {
	var rows []row
	for _, c := range a.parts {
		says, claim, refs := a.responsibility(p, c)
		if says.md == "" && a.pages[c.ID] == "" {
			continue
		}
		rows = append(rows, row{cells: []text{a.part(p, c), says, p.folder(c.Dir)}, claim: claim, refs: refs})
	}
	p.table([]string{"Part", "Responsible for, or what is at its centre", "Source"}, rows)
	if len(a.parts) > 3 {
		return
	}
	for _, c := range a.byImportance()[:min(1, len(a.byImportance()))] {
		if rows := a.fileRows(p, c); len(rows) > 2 {
			p.section(3, "Files of "+codeSpan(a.title(c)), func() { p.table([]string{"File", "Centre", "In its authors' words"}, rows) })
		}
	}
}

// responsibility says what a part is for, with the statement and its proof.
func (a *atlas) responsibility(p *page, c *survey.Component) (shown, claim text, refs []survey.Ref) {
	if s, ref := a.purpose(c); s != "" {
		refs = []survey.Ref{ref}
		return compose("{}{}", quote(s), words(p.cite(refs))), compose("{}: {}", label(a.title(c)), quote(s)), refs
	}
	s, ok := a.centre(c)
	if !ok {
		return text{}, text{}, nil
	}
	doc := sentence(firstSentence(s.decl.Doc))
	name := p.linked(code(s.name()), s.ref())
	if rest, ok := strings.CutPrefix(doc, s.decl.Name+" "); ok && s.decl.Parent == "" {
		return compose("{} {}", name, quote(rest)), claimOf(s, quote(doc)), a.docRefs(s)
	}
	return compose("{}: {}", name, quote(doc)), claimOf(s, quote(doc)), a.docRefs(s)
}

// handsOff names what is generated, vendored or deprecated.
func (a *atlas) handsOff(p *page) {
	var items []item
	for _, r := range a.repo.Generated {
		if len(items) == 15 {
			break
		}
		if strings.HasPrefix(path.Base(r.Path), ".") || r.Start > 30 || aside(r.Path) {
			continue // it speaks of generated code and is not generated itself
		}
		if r.Start == 0 {
			items = append(items, item{text: compose("{} holds code that comes from elsewhere and is replaced as a whole.", p.folder(r.Path))})
			continue
		}
		items = append(items, item{text: compose("{} is generated: change its source and generate it again.", p.linked(code(r.Path), r)), refs: []survey.Ref{r}, bare: true})
	}
	p.bullets(items)
}

// hotSpots tells what changes often. It comes from history, which the source lines cannot prove, so it makes no claims.
func (a *atlas) hotSpots(p *page, only *survey.Component) {
	var items []item
	for _, h := range a.repo.Hot {
		if len(items) == 6 || only != nil && a.component(h.Path) != only && h.Path != only.Dir {
			continue
		}
		t := label(h.Path)
		var with []text
		for _, w := range h.With[:min(3, len(h.With))] {
			with = append(with, label(w))
		}
		if len(with) > 0 {
			t = compose("{}, often together with {}", t, list(with))
		}
		items = append(items, item{text: t})
	}
	if len(items) > 0 {
		p.guide(words("What changed most often lately, most often first:"))
		p.paragraph()
	}
	p.bullets(items)
}

// morePages links the other pages about the whole repository and the documents of its authors.
func (a *atlas) morePages(p *page) {
	var items []item
	for _, s := range a.singles {
		items = append(items, item{text: compose("{}: {}", p.toPage(words(s.title), s.path), words(strings.TrimSpace(s.description)))})
	}
	for _, d := range a.repo.Docs {
		if len(items) >= 14 {
			break
		}
		if strings.Contains(d.Path, "blog") || depth(path.Dir(d.Path)) > 2 {
			continue
		}
		title := d.Title
		if clean(title) == "" {
			title = path.Base(d.Path)
		}
		items = append(items, item{text: p.linked(quote(shorten(plainMarkup(clean(title)), 80)), survey.Ref{Path: d.Path})})
	}
	p.bullets(items)
}

// allPages are the repository paths of the wiki's other pages.
func (a *atlas) allPages() []string {
	var out []string
	for _, s := range a.singles {
		out = append(out, s.path)
	}
	for _, t := range a.pages {
		out = append(out, t)
	}
	slices.Sort(out)
	return out
}
