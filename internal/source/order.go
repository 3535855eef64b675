package source

// CompareCodeUnits compares two strings by their UTF-16 code units, the order of the OpenWiki formats. It differs from the order of
// bytes only where characters above U+FFFF, which UTF-16 writes with units below U+E000, meet characters from U+E000 on.
func CompareCodeUnits(a, b string) int {
	n := min(len(a), len(b))
	i := 0
	for i < n && a[i] == b[i] {
		i++
	}
	if i == n {
		return len(a) - len(b)
	}
	// Bytes from 0xee on begin the characters from U+E000 on, those from 0xf0 on the characters above U+FFFF.
	x, y := int(a[i]), int(b[i])
	if x >= 0xee && y >= 0xee && (x >= 0xf0) != (y >= 0xf0) {
		return y - x
	}
	return x - y
}
