package source

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"

	"github.com/wikiwright/wikiwright/internal/gitrepo"
)

// fingerprintFormat is the value of the first field of every fingerprint.
const fingerprintFormat = "openwiki-source-fingerprint-v1"

// A selection is everything a fingerprint is made of.
type selection struct {
	head    string                // commit, or "unborn:" and the name of the branch
	entries []gitrepo.StatusEntry // what git calls changed
	files   []selected            // by their code units
}

// A selected file is one whose content counts. Only a tracked one may be missing.
type selected struct {
	path    string
	tracked bool
}

// headValue is the value of the field "head".
func headValue(head gitrepo.Head) string {
	if head.Unborn() {
		return "unborn:" + head.Ref
	}
	return head.Commit
}

// appendField appends one field in the form all of them have: label, length of the value and value, each followed by a NUL.
func appendField(b []byte, label, value string) []byte {
	b = appendFieldStart(b, label, int64(len(value)))
	b = append(b, value...)
	return append(b, 0)
}

// appendFieldStart appends a field up to its value.
func appendFieldStart(b []byte, label string, size int64) []byte {
	b = append(b, label...)
	b = append(b, 0)
	b = strconv.AppendInt(b, size, 10)
	return append(b, 0)
}

// fingerprint hashes a selection. It also returns the stamp of each file as it was when it was read.
func (s *Source) fingerprint(ctx context.Context, sel selection) (string, []stamp, error) {
	var head []byte
	head = appendField(head, "format", fingerprintFormat)
	head = appendField(head, "head", sel.head)
	entries := slices.Clone(sel.entries)
	slices.SortFunc(entries, func(a, b gitrepo.StatusEntry) int {
		return cmp.Or(CompareCodeUnits(a.Code, b.Code), CompareCodeUnits(a.Path, b.Path))
	})
	for _, entry := range entries {
		head = appendField(head, "status-code", entry.Code)
		head = appendField(head, "status-path", entry.Path)
	}
	hash := sha256.New()
	hash.Write(head)
	stamps, err := s.readAhead(ctx, sel.files, hash)
	if err != nil {
		return "", nil, err
	}
	return "sha256:" + hex.EncodeToString(hash.Sum(nil)), stamps, nil
}
