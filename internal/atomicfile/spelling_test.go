package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// On a file system without case CheckReal tells another spelling; on one with case both files may exist.
func TestCheckReal_case(t *testing.T) {
	dir := t.TempDir()
	d, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	if err := d.Write("Core/Page.md", []byte("x")); err != nil {
		t.Fatal(err)
	}
	_, err = os.Lstat(filepath.Join(dir, "CORE"))
	withoutCase := err == nil

	for _, name := range []string{"Core/Page.md", "Core/new.md", "other"} {
		if err := d.CheckReal(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	var caseErr *CaseError
	if got := errors.As(d.CheckReal("core/Page.md"), &caseErr); got != withoutCase {
		t.Errorf("core/Page.md is another spelling: %v, want %v", got, withoutCase)
	}
	// Two names for one file look like a file system without case until the directory is read.
	if err := os.Link(filepath.Join(dir, "Core/Page.md"), filepath.Join(dir, "Core/pAGE.MD")); err != nil && !withoutCase {
		t.Skip(err)
	}
	if err := d.CheckReal("Core/Page.md"); err != nil {
		t.Error(err)
	}
}

func TestSpelling(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "Äa"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		base, onDisk string
		exact        bool
	}{{"Äa", "Äa", true}, {"äA", "Äa", false}, {"other", "other", false}} {
		if onDisk, exact := spelling(entries, test.base); onDisk != test.onDisk || exact != test.exact {
			t.Errorf("%s: got %s, %v; want %s, %v", test.base, onDisk, exact, test.onDisk, test.exact)
		}
	}
	if got, want := swapCase("aÄ1"), "Aä1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	caseErr := &CaseError{Name: "a/b", OnDisk: "A"}
	if got, want := caseErr.Error(), "a/b is spelled A on the disk"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
