package scan

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkTree reads every file of the directory that WIKIWRIGHT_BENCH_TREE names.
func BenchmarkTree(b *testing.B) {
	tree := os.Getenv("WIKIWRIGHT_BENCH_TREE")
	if tree == "" {
		b.Skip("WIKIWRIGHT_BENCH_TREE is not set")
	}
	type file struct {
		path string
		data []byte
	}
	byLanguage := map[string][]file{}
	err := filepath.WalkDir(tree, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		if l := Language(p, data[:min(len(data), headBytes)]); l != "" && len(data) < maxBytes {
			byLanguage[l] = append(byLanguage[l], file{p, data})
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	for _, l := range []string{"Go", "Python", "JavaScript", "TypeScript", "Java", "Kotlin", "C#", "Rust", "C", "C++", "Ruby", "PHP"} {
		files := byLanguage[l]
		if len(files) == 0 {
			continue
		}
		b.Run(l, func(b *testing.B) {
			size := 0
			for _, f := range files {
				size += len(f.data)
			}
			b.SetBytes(int64(size))
			for b.Loop() {
				for _, f := range files {
					Source(f.path, f.data)
				}
			}
		})
	}
}
