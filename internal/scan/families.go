package scan

// familyScanner returns the scanner of a brace or block language by its display name, nil where there is none. These scanners read
// tokens, so the text needs no masking.
func familyScanner(language string) func(f *File, src *text) {
	switch language {
	case "Java":
		return scanJava
	case "Kotlin":
		return scanKotlin
	case "PHP":
		return scanPHP
	case "C", "C++":
		return scanC
	case "Rust":
		return scanRust
	case "C#":
		return scanCSharp
	case "Ruby":
		return scanRuby
	}
	return nil
}
