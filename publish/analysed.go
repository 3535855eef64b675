package publish

import (
	"context"
	"slices"
	"strings"
	"sync"
)

// A past is a file as the analysed commit has it.
type past struct {
	data  []byte
	found bool
}

// analysedFiles reads files of the analysed commit for the gate. It looks up the files of the bundle together the first time: one process
// for a wiki of thousands of pages instead of one for each.
func (j *job) analysedFiles(ctx context.Context) func(name string) ([]byte, bool) {
	var mu sync.Mutex
	known := map[string]past{}
	started := false
	return func(name string) ([]byte, bool) {
		mu.Lock()
		defer mu.Unlock()
		if !started {
			started = true
			j.readBefore(ctx, known)
		}
		file, ok := known[name]
		if !ok {
			data, err := j.Repo.Blob(ctx, j.bundle.BaseSHA, name)
			file = past{data, err == nil}
			known[name] = file
		}
		return file.data, file.found
	}
}

// readBefore fills in what the files of the bundle were. What it cannot tell it leaves out.
func (j *job) readBefore(ctx context.Context, known map[string]past) {
	var names, objects []string
	for _, f := range slices.Concat(j.bundle.Files, j.bundle.Extra) {
		switch object := j.analysed[f.Path]; {
		case object == "" && strings.HasPrefix(f.Path, string(j.bundle.WikiDir)+"/"):
			known[f.Path] = past{}
		case object == "":
		case object == blobName(f.Data):
			known[f.Path] = past{f.Data, true}
		default:
			names, objects = append(names, f.Path), append(objects, object)
		}
	}
	contents, err := j.Repo.Blobs(ctx, objects)
	if err != nil {
		return
	}
	for i, name := range names {
		known[name] = past{contents[i], true}
	}
}
