package scan

// A scanner reads the declarations of one language from a prepared text.
type scanner struct {
	rules *syntax
	scan  func(f *File, src *text)
}

// familyScanner returns the scanner of a brace or block language by its display name; ok is false where there is none. These
// scanners read tokens, so the text needs no masking.
func familyScanner(language string) (s scanner, ok bool) {
	switch language {
	case "Java":
		s.scan = scanJava
	case "Kotlin":
		s.scan = scanKotlin
	case "PHP":
		s.scan = scanPHP
	case "C", "C++":
		s.scan = scanC
	case "Rust":
		s.scan = scanRust
	case "C#":
		s.scan = scanCSharp
	case "Ruby":
		s.scan = scanRuby
	}
	s.rules = &syntax{}
	return s, s.scan != nil
}
