package survey

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"sort"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/wikiwright/wikiwright/internal/evidence"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/scan"
	"github.com/wikiwright/wikiwright/internal/source"
)

// Options say what to read and with how much effort.
type Options struct {
	Source      *source.Source                                       // lists and reads the files
	History     func(context.Context) ([]gitrepo.CommitFiles, error) // newest commits first; nil: no hot spots
	Concurrency int                                                  // files read at a time; 0 means 4
	// Keep gets the text of source that people write, so that it is not read again; it may hold on to them. It is called from several goroutines at a
	// time, in no order. It may be nil.
	Keep func(path, text string)
}

// maxFile is the largest file that is read: what is bigger is data, whatever its name says.
const maxFile = 1 << 20

// Read surveys the selected tracked files of a repository. The result depends on their content and on the history alone, not on the
// concurrency. A file that cannot be read, understood or cited is left out, never an error; errors are those of listing, and of the context.
func Read(ctx context.Context, o Options) (*Repository, error) {
	files, err := o.Source.Files(ctx)
	if err != nil {
		return nil, fmt.Errorf("list source files: %w", err)
	}
	s := &surveyor{each: o.Source.ScanEach, keep: o.Keep, workers: max(1, o.Concurrency)}
	if o.Concurrency == 0 {
		s.workers = 4
	}
	for _, f := range files {
		if f.Kind == source.Regular && evidence.CanCite(f.Path, o.Source.WikiDir()) {
			s.files = append(s.files, entry{path: f.Path, executable: f.Executable})
		}
	}
	var commits []gitrepo.CommitFiles
	group, ctx := errgroup.WithContext(ctx)
	if o.History != nil {
		group.Go(func() (err error) {
			if commits, err = o.History(ctx); err != nil {
				return fmt.Errorf("read history: %w", err)
			}
			return nil
		})
	}
	group.Go(func() error { return s.readAll(ctx) })
	if err := group.Wait(); err != nil {
		return nil, err
	}
	repo := s.repository()
	repo.Hot = hotSpots(repo, commits)
	return repo, nil
}

// An entry is one file to survey.
type entry struct {
	path       string
	executable bool
}

// A surveyor holds the facts of all files while the repository is put together.
type surveyor struct {
	files   []entry
	each    eachFile
	keep    func(path, text string) // may be nil
	workers int

	layout   *layout
	facts    []fileFacts // one for each file, in its order
	scanners sync.Pool   // of *scan.Scanner
}

// An eachFile reads files, as [source.Source.ScanEach] does: what do gets is overwritten by the next file.
type eachFile func(ctx context.Context, paths []string, workers int, do func(i int, data []byte, err error) error) error

// fileFacts is everything that one file tells by itself.
type fileFacts struct {
	entry
	foreign   string // vendored tree that holds it
	marked    bool   // .gitattributes calls it generated
	scan      *scan.File
	manifest  *manifest
	commands  []Command
	workflow  *Workflow
	container []Container
	document  *document
	licence   string
	config    []ConfigItem
	copied    int // line that says that the declarations come from elsewhere
	made      []madeProgram
	linked    []linkedLibrary
	options   []ConfigItem // settings that the source defines by means of its own
}

// readAll reads the files in parallel. Each worker keeps facts, not bytes, so memory is bounded by the number of workers times maxFile.
func (s *surveyor) readAll(ctx context.Context) error {
	sort.Slice(s.files, func(i, j int) bool { return s.files[i].path < s.files[j].path })
	s.layout = newLayout(s.files)
	if err := s.readAttributes(ctx); err != nil {
		return err
	}
	s.facts = make([]fileFacts, len(s.files))
	var wanted []int // indexes of the files that may hold facts
	for i := range s.facts {
		if s.facts[i] = s.identify(s.files[i]); s.facts[i].wanted() {
			wanted = append(wanted, i)
		}
	}
	return s.readEach(ctx, wanted, func(i int, data []byte) {
		f, text := &s.facts[i], string(data)
		scanner, ok := s.scanners.Get().(*scan.Scanner)
		if !ok {
			scanner = new(scan.Scanner)
		}
		f.read(scanner, data, text)
		s.scanners.Put(scanner)
		if s.keep != nil && f.scan != nil && isSource(f.scan.Language) && !f.scan.Generated {
			s.keep(f.path, text)
		}
	})
}

func (s *surveyor) readAttributes(ctx context.Context) error {
	var which []int
	for i, f := range s.files {
		if path.Base(f.path) == ".gitattributes" {
			which = append(which, i)
		}
	}
	texts := make([][]byte, len(s.files))
	if err := s.readEach(ctx, which, func(i int, data []byte) { texts[i] = bytes.Clone(data) }); err != nil {
		return err
	}
	for _, i := range which {
		s.layout.addAttributes(s.files[i].path, texts[i])
	}
	return nil
}

// readEach reads some of the files, given by their indexes, and calls do for each that is there, within reach and not too large.
func (s *surveyor) readEach(ctx context.Context, which []int, do func(i int, data []byte)) error {
	paths := make([]string, len(which))
	for n, i := range which {
		paths[n] = s.files[i].path
	}
	return s.each(ctx, paths, s.workers, func(n int, data []byte, err error) error {
		if err == nil && len(data) <= maxFile {
			do(which[n], data)
		}
		return nil
	})
}

// identify says what the path of a file tells by itself.
func (s *surveyor) identify(e entry) fileFacts {
	f := fileFacts{entry: e, foreign: s.layout.foreign(e.path)}
	vendored, generated := s.layout.attribute(e.path)
	if f.foreign == "" && vendored {
		f.foreign = e.path
	}
	f.marked = generated
	return f
}

// read reads what one file tells, given as bytes and as a string. Test data tells nothing. Nothing of data is kept.
func (f *fileFacts) read(scanner *scan.Scanner, data []byte, text string) {
	if bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 {
		return
	}
	f.readTexts(data)
	if isTestData(f.path) {
		return
	}
	if f.copied = copiedTypes(f.path, data); f.copied > 0 {
		return
	}
	f.scan = scanner.Source(f.path, data, text)
	f.scan.Generated = f.scan.Generated || f.marked
	if f.scan.Language == "Shell" && f.scan.GeneratedLine > 10 {
		f.scan.Generated, f.scan.GeneratedLine = f.marked, 0 // the mark is in what the script writes
	}
	if f.scan.Language == "Rust" && !rustTestPath(f.path) {
		f.scan.IsTest = false // product code carries its unit tests with it
	}
	dropGuardedMain(f.scan, data)
	f.options = readOptions(f.scan, data)
}

// wanted reports files that can hold facts, by name alone: the rest, and foreign code, is not even opened.
func (f *fileFacts) wanted() bool {
	switch path.Ext(f.path) {
	case ".png", ".jpg", ".jpeg", ".gif", ".ico", ".svg", ".webp", ".woff", ".woff2", ".ttf", ".eot", ".otf", ".pdf", ".zip", ".gz", ".tgz", ".bz2", ".xz",
		".jar", ".exe", ".dll", ".so", ".a", ".o", ".mp4", ".mp3", ".wav", ".mov", ".bin", ".dat", ".db", ".sqlite", ".map", ".lock", ".sum", ".snap", ".csv",
		".tsv", ".po", ".mo", ".xlf", ".patch", ".diff", ".log", ".psd", ".avif", ".wasm", ".pem", ".crt", ".key", ".rdb", ".parquet", ".ipynb":
		return false
	}
	return f.foreign == ""
}

// readTexts reads the facts of files that are no source: manifests, build files, pipelines, images, documents.
func (f *fileFacts) readTexts(data []byte) {
	name, base, dir := f.path, path.Base(f.path), path.Dir(f.path)
	if bytes.IndexByte(data, '\r') >= 0 {
		data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	}
	if isReadme(name) || worthListing(name) {
		f.document = readDocument(name, data)
	}
	if isTestData(name) {
		return
	}
	f.manifest = readManifest(name, data) // those of examples serve to resolve imports
	if !buildsProduct(dir) {
		return
	}
	switch {
	case isMakefile(name):
		f.commands = readMakefile(name, data)
		f.made = readMadePrograms(name, data)
		f.linked = readLinked(name, data)
	case base == "justfile" || base == "Justfile" || base == ".justfile":
		f.commands = readJustfile(name, data)
	case base == "Taskfile.yml" || base == "Taskfile.yaml":
		f.commands = readTaskfile(name, data)
	case base == "Rakefile":
		f.commands = readRakefile(name, data)
	case base == "tox.ini":
		f.commands = readTox(name, data)
	case base == "noxfile.py":
		f.commands = readNox(name, data)
	case path.Base(dir) == ".cargo" && (base == "config.toml" || base == "config"):
		f.commands = readCargoAliases(name, path.Dir(dir), data)
	case isWorkflow(name):
		f.workflow, f.commands = readWorkflow(name, data)
	case isDockerfile(name):
		f.container = readDockerfile(name, data)
	case isCompose(name):
		f.container = readCompose(name, data)
	case isLicence(name):
		f.licence = recogniseLicence(data)
	case isEnvSample(name):
		f.config = readEnvSample(name, data)
	}
}

func rustTestPath(name string) bool {
	base := path.Base(name)
	role, _ := roleOf(path.Dir(name), "Rust")
	return role == "tests" || base == "tests.rs" || base == "test.rs" || strings.HasSuffix(base, "_test.rs") || strings.HasSuffix(base, "_tests.rs")
}

// dropGuardedMain removes the main functions of C files that only exist under a condition such as `#ifdef FOO_TEST`: they are self-tests of a
// source file, not programs.
func dropGuardedMain(f *scan.File, data []byte) {
	if f.Language != "C" && f.Language != "C++" || len(f.Entries) == 0 {
		return
	}
	main := f.Entries[0].Line
	var open []bool
	for _, l := range splitLines(data) {
		if l.no >= main {
			break
		}
		text := strings.TrimSpace(l.text)
		switch {
		case strings.HasPrefix(text, "#if"):
			open = append(open, guardsSelfTest(text))
		case strings.HasPrefix(text, "#endif") && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	for _, guarded := range open {
		if guarded {
			f.Entries = nil
		}
	}
}

func guardsSelfTest(condition string) bool {
	upper := strings.ToUpper(condition)
	for _, word := range []string{"TEST", "MAIN", "DEBUG", "STANDALONE", "EXAMPLE", "BENCH", "#IF 0"} {
		if strings.Contains(upper, word) {
			return true
		}
	}
	return false
}
