package secretscan

import (
	"bytes"
	"slices"
	"strings"
)

// maskSentenceEnds replaces punctuation behind which a word ends by a space. Many rules take a secret only for one when white space or a
// quote follows; in prose it is often a full stop, a comma or a bracket. The text keeps its length.
func maskSentenceEnds(text []byte) []byte {
	const marks, after = ".,:!?)]}*|>", " \t\r\n\"'`\\<"
	if !bytes.ContainsAny(text, marks) {
		return text
	}
	var masked []byte
	for i := len(text) - 1; i >= 0; i-- {
		if strings.IndexByte(marks, text[i]) < 0 {
			continue
		}
		ends := i+1 == len(text) || strings.IndexByte(after, text[i+1]) >= 0 || masked != nil && masked[i+1] == ' '
		if !ends {
			continue
		}
		if masked == nil {
			masked = slices.Clone(text)
		}
		masked[i] = ' '
	}
	if masked == nil {
		return text
	}
	return masked
}
