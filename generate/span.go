package generate

import (
	"strings"
	"sync"

	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/evidence"
	"github.com/wikiwright/wikiwright/internal/source"
)

// spanCheck tells whether the cited lines still read as they did, without
// asking git what is tracked: that cannot have changed when nothing changed
// since the commit the Claims were proven at.
type spanCheck struct {
	src   *source.Source
	dir   string
	mu    sync.Mutex
	files map[string]*cachedFile
}

type cachedFile struct {
	once sync.Once
	data []byte
	err  error
}

func (s *spanCheck) current(list []claims.Claim) bool {
	for _, c := range list {
		for _, e := range c.Evidence {
			if !s.same(e) {
				return false
			}
		}
	}
	return true
}

func (s *spanCheck) same(e claims.Evidence) bool {
	resource, err := evidence.Parse(e.Resource, s.dir)
	if err != nil {
		return false
	}
	data, err := s.read(resource.Path)
	if err != nil {
		return false
	}
	if resource.Start == 0 {
		return evidence.FileVersion(data) == e.Version
	}
	now, ok := evidence.LineVersion(data, resource.Start, resource.End)
	return ok && contentOf(now) == contentOf(e.Version)
}

// contentOf cuts a version of lines before the description of their
// surroundings, which may change.
func contentOf(version string) string {
	if i := strings.LastIndexByte(version, ':'); i > 0 && strings.Count(version, ":") == 3 {
		return version[:i]
	}
	return version
}

func (s *spanCheck) read(path string) ([]byte, error) {
	s.mu.Lock()
	f := s.files[path]
	if f == nil {
		f = &cachedFile{}
		s.files[path] = f
	}
	s.mu.Unlock()
	f.once.Do(func() { f.data, f.err = s.src.Read(path) })
	return f.data, f.err
}
