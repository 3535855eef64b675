package wiki

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// SortCollated sorts strings the way the OpenWiki format orders what people see: Unicode root collation, in which "a-b" comes before
// "a" and "A" after "a". Strings that collate equal are ordered by their bytes, so that the order is total.
func SortCollated[S ~string](list []S) {
	sortCollatedFunc(list, func(s S) string { return string(s) })
}

// sortCollatedFunc sorts by the collation of a string of each element. Keys are made once: comparing strings anew each time costs ten
// times as much on a large wiki.
func sortCollatedFunc[T any](list []T, text func(T) string) {
	if len(list) < 2 {
		return
	}
	collator := collate.New(language.Und)
	var buffer collate.Buffer
	type keyed struct {
		key  []byte
		text string
		item T
	}
	all := make([]keyed, len(list))
	for i, item := range list {
		all[i] = keyed{collator.KeyFromString(&buffer, text(item)), text(item), item}
	}
	slices.SortStableFunc(all, func(a, b keyed) int {
		if c := bytes.Compare(a.key, b.key); c != 0 {
			return c
		}
		return strings.Compare(a.text, b.text)
	})
	for i := range all {
		list[i] = all[i].item
	}
}
