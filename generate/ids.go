package generate

import (
	"crypto/sha256"
	"fmt"

	"github.com/wikiwright/wikiwright/internal/wiki"
)

// runID derives the id of a run from what it starts from, so that the same
// run on the same commit writes the same bytes.
func runID(mode Mode, fingerprint, language string, manifest []byte, content string) string {
	return derivedUUID("run", string(mode), fingerprint, language, string(manifest), content)
}

// jobID derives the id of a page of a run.
func jobID(run string, page wiki.PagePath) string {
	return derivedUUID("page", run, string(page))
}

// derivedUUID makes a version 8 UUID from the parts.
func derivedUUID(parts ...string) string {
	h := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	var u [16]byte
	copy(u[:], h.Sum(nil))
	u[6] = u[6]&0x0f | 0x80
	u[8] = u[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[0:4], u[4:6], u[6:8], u[8:10], u[10:16])
}
