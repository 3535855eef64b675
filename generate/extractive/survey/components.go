package survey

import (
	"math"
	"path"
	"sort"
	"strings"
)

// maxComponents is how many parts a wiki can show and still be read.
const maxComponents = 33

// A tree is the directory tree of the packages that make up the product.
type tree struct {
	dir      string
	own      *Package
	children []*tree
	files    int // source files in it, tests excluded
	lines    int
	module   bool // a build unit starts here
	program  bool
}

// components groups packages into the parts that people would name. The product is split from the root downwards, largest part first, as
// long as the pieces are big enough to be told about and few enough to be read; what is too small stays with its parent directory. Tests,
// examples, tools and documentation that stand beside the product become parts of their own; inside a part they belong to it.
func (repo *Repository) components() []*Component {
	var product, beside []*Package
	for _, p := range repo.Packages {
		if p.Role == "library" || p.Role == "program" {
			product = append(product, p)
		} else {
			beside = append(beside, p)
		}
	}
	var parts []*part
	if len(product) > 0 {
		parts = repo.split(product)
	}
	parts = append(parts, repo.besides(parts, beside)...)
	out := make([]*Component, 0, len(parts))
	for _, pt := range parts {
		out = append(out, repo.newComponent(pt))
	}
	nameComponents(repo, out)
	sort.Slice(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out
}

// A part is a component in the making.
type part struct {
	dir      string
	rest     bool // what is left of dir after its larger children became parts
	role     string
	packages []*Package
}

// targetParts is how many parts a product of n source files should have: about 5 for 50 files, 12 for 600, 30 for 10,000.
func targetParts(n int) int {
	return min(maxComponents-3, max(1, int(math.Round(1.45*math.Pow(float64(n), 0.335)))))
}

func (repo *Repository) newTree(packages []*Package) *tree {
	modules := map[string]bool{}
	for _, m := range repo.Modules {
		modules[m.Dir] = true
	}
	nodes := map[string]*tree{}
	var enter func(dir string) *tree
	enter = func(dir string) *tree {
		if t := nodes[dir]; t != nil {
			return t
		}
		t := &tree{dir: dir, module: modules[dir] && dir != "."}
		nodes[dir] = t
		if dir != "." {
			up := enter(path.Dir(dir))
			up.children = append(up.children, t)
		}
		return t
	}
	root := enter(".")
	for _, p := range packages {
		t := enter(p.Dir)
		t.own = p
		for at := t; ; at = nodes[path.Dir(at.dir)] {
			if p.Lines > 0 { // generated files are nothing to tell about
				at.files += len(p.Files)
			}
			at.lines += p.Lines
			at.program = at.program || p.Role == "program"
			if at.dir == "." {
				break
			}
		}
	}
	return root
}

// weight measures how much there is to tell about a subtree: files count, and very long files count more.
func (t *tree) weight() int {
	return t.files + t.lines/400
}

// split divides the product into parts.
func (repo *Repository) split(packages []*Package) []*part {
	root := repo.newTree(packages)
	target := targetParts(root.files)
	sp := &splitter{least: max(2, root.weight()/(target*4)), budget: target, limit: maxComponents - 3}
	sp.everyModule = root.modules() <= sp.limit-5
	sp.parts = []*tree{root}
	sp.kept = map[*tree][]*tree{}
	sp.run(root.weight() / max(1, target))
	var out []*part
	for _, t := range sp.parts {
		out = append(out, sp.partOf(t))
	}
	return out
}

type splitter struct {
	parts  []*tree
	kept   map[*tree][]*tree // for a split tree, the small children that stay with it
	least  int               // weight below which a directory is no part
	budget int               // parts wanted
	limit  int               // parts allowed

	everyModule bool // few enough build units for each to be a part
}

// modules counts the build units below t.
func (t *tree) modules() int {
	n := 0
	for _, c := range t.children {
		n += c.modules()
		if c.module {
			n++
		}
	}
	return n
}

// run splits the heaviest part that can be split until the number of parts is right. Parts far heavier than the mean are split even beyond
// the target, up to the limit.
func (sp *splitter) run(mean int) {
	done := map[*tree]bool{}
	for {
		var best *tree
		for _, t := range sp.parts {
			if done[t] || sp.kept[t] != nil {
				continue
			}
			if best == nil || sp.urgency(t) > sp.urgency(best) {
				best = t
			}
		}
		if best == nil {
			return
		}
		done[best] = true
		if len(sp.parts) >= sp.budget && best.weight() < 3*mean {
			continue
		}
		sp.divide(best)
	}
}

// urgency ranks parts for splitting. Directories that only hold build units are no parts that people name: they go first.
func (sp *splitter) urgency(t *tree) int {
	if t.own == nil && t.moduleChildren() > 1 {
		return t.weight() * 4
	}
	return t.weight()
}

func (t *tree) moduleChildren() int {
	n := 0
	for _, c := range t.children {
		if c.module {
			n++
		}
	}
	return n
}

// divide replaces t by its larger children and what is left of it.
func (sp *splitter) divide(t *tree) {
	candidates := t.steps()
	var grown, small []*tree
	for _, c := range candidates {
		if sp.stands(t, c) {
			grown = append(grown, c)
		} else {
			small = append(small, c)
		}
	}
	if len(grown) == 0 && t.own == nil && len(small) > sp.budget {
		grown, small = small, nil // a flat level of many equals: its largest are better than one heap
		sort.SliceStable(grown, func(i, j int) bool { return grown[i].weight() > grown[j].weight() })
		grown, small = grown[:sp.budget/2], grown[sp.budget/2:]
	}
	sort.SliceStable(grown, func(i, j int) bool { return grown[i].weight() > grown[j].weight() })
	if room := sp.limit - len(sp.parts); len(grown) > room {
		small = append(small, grown[max(0, room):]...)
		grown = grown[:max(0, room)]
	}
	rest := len(small) > 0 || t.own != nil
	if len(grown) == 0 || len(grown) == 1 && (!rest && t.module || t.own != nil && t.weight()-grown[0].weight() < 3 && t.weight() < 30) {
		return // one file that opens the door to the rest is no part of its own
	}
	var next []*tree
	for _, p := range sp.parts {
		if p != t {
			next = append(next, p)
		}
	}
	if rest {
		sp.kept[t] = append([]*tree{}, small...)
		next = append(next, t)
	}
	sp.parts = append(next, grown...)
}

// steps returns the children of t, with directories that only lead to one other directory passed over.
func (t *tree) steps() []*tree {
	var out []*tree
	for _, c := range t.children {
		for c.own == nil && len(c.children) == 1 && !c.module {
			c = c.children[0]
		}
		if c.own == nil && transparent(path.Base(c.dir)) && !c.module {
			out = append(out, c.steps()...)
			continue
		}
		out = append(out, c)
	}
	return out
}

// transparent reports directory names that say where code lies, not what it does.
func transparent(base string) bool {
	switch base {
	case "src", "lib", "main", "java", "kotlin", "packages", "crates", "modules", "internal", "pkg", "cmd", "apps", "services", "libs":
		return true
	}
	return false
}

// stands reports a child that is big enough to be a part. Build units and programs have names of their own and may be smaller.
func (sp *splitter) stands(parent, c *tree) bool {
	least := sp.least
	switch {
	case c.own != nil && len(c.children) == 0 && onlyDeclarations(c.own.Files):
		return false // types for the parts that use them
	case c.module && sp.everyModule:
		return true
	case c.module, c.program && c.own != nil:
		least = max(1, least/4)
	case parent.own == nil:
		least = max(2, least/4) // nobody calls what is left of a mere container by a name
	default:
		least = max(4, least)
	}
	return c.weight() >= least
}

// onlyDeclarations reports files that declare types and hold no code.
func onlyDeclarations(files []string) bool {
	for _, f := range files {
		if !strings.HasSuffix(f, ".d.ts") {
			return false
		}
	}
	return len(files) > 0
}

// partOf collects the packages of a part.
func (sp *splitter) partOf(t *tree) *part {
	p := &part{dir: t.dir}
	if small, ok := sp.kept[t]; ok {
		p.rest = true
		if t.own != nil {
			p.packages = append(p.packages, t.own)
		}
		for _, c := range small {
			p.packages = append(p.packages, c.all()...)
		}
	} else {
		p.packages = t.all()
		p.dir = t.commonDir()
	}
	sort.Slice(p.packages, func(i, j int) bool { return p.packages[i].Dir < p.packages[j].Dir })
	return p
}

func (t *tree) all() []*Package {
	var out []*Package
	if t.own != nil {
		out = append(out, t.own)
	}
	for _, c := range t.children {
		out = append(out, c.all()...)
	}
	return out
}

// commonDir goes down directories that only lead to one other directory, but not past a build unit.
func (t *tree) commonDir() string {
	for t.own == nil && len(t.children) == 1 && !t.module {
		t = t.children[0]
	}
	return t.dir
}

// besides places packages that are not the product: within the part that holds the directory they stand in, else in a part of their own for
// the directory that gives them their role. Small ones of one role are joined.
func (repo *Repository) besides(parts []*part, packages []*Package) []*part {
	home := homes(parts)
	groups := map[string]*part{}
	for _, p := range packages {
		role, root := roleOf(p.Dir, p.Language)
		if role == "" {
			role, root = p.Role, p.Dir
		}
		if at := home(path.Dir(root)); at != nil {
			at.packages = append(at.packages, p)
			continue
		}
		key := role + "\x00" + root
		if groups[key] == nil {
			groups[key] = &part{dir: root, role: role}
		}
		groups[key].packages = append(groups[key].packages, p)
	}
	return joinSmall(groups, max(1, maxComponents-len(parts)))
}

// homes returns a function that finds the part which holds a directory: that of the packages in it, or of the nearest directory above that has
// some. The root is no home: what stands beside the product there stays beside it.
func homes(parts []*part) func(dir string) *part {
	byDir := map[string]*part{}
	for _, pt := range parts {
		for _, p := range pt.packages {
			for dir := p.Dir; dir != "."; dir = path.Dir(dir) {
				if have := byDir[dir]; have == nil || dir == pt.dir {
					byDir[dir] = pt
				}
			}
		}
	}
	return func(dir string) *part {
		for ; dir != "."; dir = path.Dir(dir) {
			if pt := byDir[dir]; pt != nil {
				return pt
			}
		}
		return nil
	}
}

// joinSmall keeps the largest part of each role and joins the others of that role to one part when they are small or too many.
func joinSmall(groups map[string]*part, room int) []*part {
	byRole := map[string][]*part{}
	for _, key := range sortedKeys(groups) {
		byRole[groups[key].role] = append(byRole[groups[key].role], groups[key])
	}
	var out []*part
	for _, role := range sortedKeys(byRole) {
		list := byRole[role]
		sort.SliceStable(list, func(i, j int) bool { return list[i].size() > list[j].size() })
		joined := list[0]
		out = append(out, joined)
		for _, pt := range list[1:] {
			if pt.size() >= 30 && len(out) < min(room, 6) {
				out = append(out, pt)
				continue
			}
			joined.packages = append(joined.packages, pt.packages...)
			joined.dir = commonAncestor(joined.dir, pt.dir)
			joined.rest = true
		}
	}
	return out
}

func (pt *part) size() int {
	n := 0
	for _, p := range pt.packages {
		n += len(p.Files) + len(p.Tests)
	}
	return n
}

func commonAncestor(a, b string) string {
	for !within(b, a) {
		a = path.Dir(a)
	}
	return a
}
