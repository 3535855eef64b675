package atomicfile_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
)

func TestWithHook(t *testing.T) {
	d := open(t)
	var steps []string
	hooked := d.WithHook(func(s atomicfile.Step) error {
		steps = append(steps, s.When+" "+s.Op+" "+s.Name)
		return nil
	})
	must(t, hooked.Write("a/b/f", []byte("1")))
	must(t, hooked.Write("a/b/f", []byte("2")))
	must(t, hooked.Rename("a/b/f", "a/g"))
	must(t, hooked.RemoveEmptyParents("a/b/f", "a"))
	must(t, hooked.Remove("a/g"))
	must(t, hooked.Remove("a/g"))
	must(t, hooked.RemoveAll("a"))
	_, err := hooked.Read("a/g")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	want := []string{
		"before mkdir a", "after mkdir a", "before mkdir a/b", "after mkdir a/b", "before write a/b/f", "after write a/b/f",
		"before write a/b/f", "after write a/b/f", "before rename a/g", "after rename a/g", "before remove a/b", "after remove a/b",
		"before remove a/g", "after remove a/g", "before remove a", "after remove a",
	}
	if diff := cmp.Diff(want, steps); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}

// A run that dies at any step leaves each file old or new.
func TestWithHook_dies(t *testing.T) {
	died := errors.New("died")
	for n := range 10 {
		d := open(t)
		must(t, d.Write("a", []byte("old")))
		left := n
		hooked := d.WithHook(func(s atomicfile.Step) error {
			if left--; left < 0 {
				return fmt.Errorf("%w: %s", died, s.When)
			}
			return nil
		})
		err := hooked.Write("a", []byte("new"))
		if err == nil {
			err = hooked.Write("sub/b", []byte("new"))
		}
		want := [][]string{
			{"a=old"}, {"a=new"}, // write a
			{"a=new"}, {"a=new", "sub/"}, // mkdir sub
			{"a=new", "sub/"}, {"a=new", "sub/", "sub/b=new"}, // write b
		}[min(n, 5)]
		if n < 6 != errors.Is(err, died) {
			t.Errorf("step %d: error %v", n, err)
		}
		wantFiles(t, d, want...)
	}
}
