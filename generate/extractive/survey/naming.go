package survey

import (
	"path"
	"sort"
	"strings"
)

// newComponent makes the component of a part, without its name and its edges.
func (repo *Repository) newComponent(pt *part) *Component {
	c := &Component{ID: pt.dir, Dir: pt.dir, Role: pt.role, Rest: pt.rest, Packages: pt.packages}
	sort.Slice(c.Packages, func(i, j int) bool { return c.Packages[i].Dir < c.Packages[j].Dir })
	if c.Role != "" && c.Dir == "." {
		c.ID = c.Role
	}
	if only := c.Packages[0].Dir; c.Rest && len(c.Packages) == 1 && only != c.Dir {
		c.ID, c.Dir, c.Rest = only, only, false
	}
	lines, main := map[string]int{}, false
	for _, p := range c.Packages {
		c.Lines += p.Lines
		lines[p.Language] += p.Lines + 1
		main = main || p.Role == "program"
	}
	c.Language = largest(lines)
	if c.Role == "" {
		c.Role = "library"
		if main && strings.Contains("/"+c.Dir+"/", "/cmd/") || main && len(c.Packages) == 1 {
			c.Role = "program"
		}
	}
	c.Doc = componentDoc(repo, c)
	c.Groups = groups(repo, c)
	return c
}

// componentDoc takes the purpose of the package at the component's directory, or of its only package, or of the build unit.
func componentDoc(repo *Repository, c *Component) Fact {
	if c.Dir == "." && (sideRole(c.Role) || c.Rest && c.Packages[0].Dir != ".") {
		return Fact{}
	}
	var speakers []*Package
	for _, p := range c.Packages {
		if p.Dir == c.Dir || p.Dir == path.Join(c.Dir, "src") || p.Dir == path.Join(c.Dir, "lib") {
			speakers = append(speakers, p)
		}
	}
	if len(c.Packages) == 1 {
		speakers = c.Packages
	}
	for _, p := range speakers {
		if p.Doc.Text != "" {
			return p.Doc
		}
	}
	for i := range repo.Modules {
		if m := &repo.Modules[i]; m.Dir == c.Dir && m.Description.Text != "" {
			return m.Description
		}
	}
	if told := repo.Told[c.Dir]; told.Text != "" && c.Dir != "." {
		return told
	}
	return repo.readmes[c.Dir]
}

// nameComponents gives every component a title and a unique id.
func nameComponents(repo *Repository, cs []*Component) {
	ids := map[string]bool{}
	sort.SliceStable(cs, func(i, j int) bool { return cs[i].Dir < cs[j].Dir })
	common := commonPackages(cs)
	for _, c := range cs {
		c.ID = shortID(c.ID, common)
		if c.ID == "." && c.Packages[0].Dir == "." {
			c.ID = rootID(repo)
		} else if c.ID == "." {
			c.ID = "other"
		}
	}
	for _, c := range cs {
		if ids[c.ID] {
			c.ID = c.Dir
			if ids[c.ID] || c.ID == "." {
				c.ID = "root-" + c.Role
			}
		}
		ids[c.ID] = true
	}
	titles := map[string]int{}
	for _, c := range cs {
		c.Title = title(repo, c)
		titles[c.Title]++
	}
	for _, c := range cs {
		if titles[c.Title] > 1 {
			c.Title = c.ID
		}
	}
}

// rootID names the part at the root after the repository.
func rootID(repo *Repository) string {
	var b strings.Builder
	for _, r := range strings.ToLower(path.Base(repo.Name)) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			b.WriteRune(r)
		}
	}
	if b.Len() == 0 {
		return "root"
	}
	return b.String()
}

// javaRoot returns the source root of a Java-like layout that dir lies in, "" when it lies in none.
func javaRoot(dir string) string {
	for _, lang := range []string{"java", "kotlin", "scala"} {
		root := "src/main/" + lang
		if at := strings.Index(dir+"/", root+"/"); at >= 0 && (at == 0 || dir[at-1] == '/') {
			return dir[:at+len(root)]
		}
	}
	return ""
}

// commonPackages returns, for each source root of a Java-like layout, the directory that all its components have in common: the package path
// of the organisation, which names nothing.
func commonPackages(cs []*Component) map[string]string {
	common := map[string]string{}
	for _, c := range cs {
		root := javaRoot(c.Dir)
		if root == "" {
			continue
		}
		if have, ok := common[root]; ok {
			common[root] = commonAncestor(have, c.Dir)
		} else {
			common[root] = c.Dir
		}
	}
	return common
}

// shortID drops the parts of a path that only say where a language keeps its sources: of src/main/java/org/acme/shop/cart remains shop/cart.
func shortID(dir string, common map[string]string) string {
	root := javaRoot(dir)
	if root == "" || !within(dir, root) || dir == root {
		return dir
	}
	module := path.Dir(path.Dir(path.Dir(root)))
	rest := strings.TrimPrefix(dir, root+"/")
	if base := common[root]; base != root && within(dir, base) {
		rest = path.Base(base) + strings.TrimPrefix(dir, base)
	}
	return path.Join(module, rest)
}

// title is what people call the part: the name of its build unit, else the directory.
func title(repo *Repository, c *Component) string {
	for _, m := range repo.Modules {
		if m.Dir == c.Dir && m.Name != "" && c.Dir != "." && m.Ecosystem != "go" && m.Ecosystem != "make" {
			return m.Name
		}
	}
	if c.ID == rootID(repo) && c.Dir == "." && repo.Name != "" && c.Packages[0].Dir == "." {
		return path.Base(repo.Name)
	}
	if c.Dir == "." {
		return c.ID
	}
	base := path.Base(c.ID)
	if c.ID == base && transparent(base) && repo.Name != "" {
		return repo.Name // the one source directory of the repository
	}
	if up := path.Dir(c.ID); transparent(base) && up != "." {
		return path.Base(up) + "/" + base
	}
	return base
}
