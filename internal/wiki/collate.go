package wiki

import (
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

// sortCollatedFunc sorts by the collation of a string of each element.
func sortCollatedFunc[T any](list []T, text func(T) string) {
	if len(list) < 2 {
		return
	}
	collator := collate.New(language.Und)
	slices.SortStableFunc(list, func(a, b T) int {
		if c := collator.CompareString(text(a), text(b)); c != 0 {
			return c
		}
		return strings.Compare(text(a), text(b))
	})
}
