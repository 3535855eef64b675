package scan

// A scanner reads the declarations of one language from a prepared text.
type scanner struct {
	rules *syntax
	scan  func(f *File, src *text)
}

// familyScanner returns the scanner of a brace or block language by its display name; ok is false where there is none.
func familyScanner(language string) (s scanner, ok bool) {
	switch language {
	// case "Java": return scanner{&javaSyntax, scanJava}, true
	}
	return scanner{}, false
}
