package survey

import (
	"slices"
	"sort"
)

// externals merges the direct dependencies of all manifests of the product by name, and says which parts use them.
func externals(repo *Repository, manifests []*manifest) []External {
	own := map[string]bool{}
	for _, m := range manifests {
		own[m.Name] = true
	}
	byName := map[string]*External{}
	for _, m := range manifests {
		if !buildsProduct(m.Dir) || inDotDir(m.Dir) {
			continue
		}
		for _, d := range m.deps {
			if own[d.Name] {
				continue
			}
			have := byName[d.Name]
			if have == nil {
				e := d.External
				byName[d.Name] = &e
				continue
			}
			if kindRank(d.Kind) < kindRank(have.Kind) || have.Version == "" && have.Kind == d.Kind {
				have.Version, have.Ref, have.Kind = d.Version, d.Ref, d.Kind
			}
			have.Dev = have.Dev && d.Dev
			if have.Under != d.Under {
				have.Under = ""
			}
		}
	}
	used := map[string]map[string]*External{} // name → manifest → the dependency as that manifest lists it
	for _, c := range repo.Components {
		seen := map[string]bool{}
		for _, p := range c.Packages {
			for _, name := range p.Externals {
				if byName[name] == nil || sideRole(p.Role) && !sideRole(c.Role) {
					continue
				}
				e := nearest(p.Dir, name, manifests, byName[name])
				if key := name + "\x00" + e.Ref.Path; !seen[key] {
					seen[key] = true
					if used[name] == nil {
						used[name] = map[string]*External{}
					}
					if used[name][e.Ref.Path] == nil {
						used[name][e.Ref.Path] = &e
					}
					used[name][e.Ref.Path].UsedBy = append(used[name][e.Ref.Path].UsedBy, c.ID)
				}
			}
		}
	}
	var out []External
	for _, name := range sortedKeys(byName) {
		if len(used[name]) == 0 {
			out = append(out, *byName[name])
		}
		for _, manifest := range sortedKeys(used[name]) {
			e := used[name][manifest]
			sort.Strings(e.UsedBy)
			out = append(out, *e)
		}
	}
	return out
}

// nearest is a dependency as the innermost manifest above a directory lists it, where several do: each part has its own reason and version.
func nearest(dir, name string, manifests []*manifest, merged *External) External {
	best, depth := *merged, -1
	for _, m := range manifests {
		if !buildsProduct(m.Dir) || inDotDir(m.Dir) || m.Dir != "." && !within(dir, m.Dir) || len(m.Dir) < depth {
			continue
		}
		for _, d := range m.deps {
			switch {
			case d.Name != name:
			case len(m.Dir) > depth || kindRank(d.Kind) < kindRank(best.Kind):
				best, depth = d.External, len(m.Dir)
			case d.Kind == best.Kind && d.Under != best.Under:
				best.Under = "" // needed on several platforms, or on all
			}
		}
	}
	best.UsedBy = nil
	return best
}

// kindRank orders kinds of dependencies by how much they bind: the same name may be listed as several.
func kindRank(kind string) int {
	return slices.Index([]string{"", "optional", "peer", "build", "dev"}, kind)
}
