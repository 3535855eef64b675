// Package version names the build and the actor that stamps carry.
package version

import "runtime/debug"

// Version is the release of this build. The release workflow sets it with
// -ldflags "-X github.com/wikiwright/wikiwright/internal/version.Version=1.2.3"; it is the only linker-set name of the program.
var Version = "0.1.0"

// Families of producer names. Stamps of all three count as our own when they are replaced (OpenWiki writes the first).
const (
	Native     = "wikiwright"
	Extractive = "wikiwright-extractive"
)

// Producer is the actor of a generation in this build: family + "/" + version.
func Producer(family string) string {
	return family + "/" + Version
}

// Commit is the revision the binary was built from as far as the Go toolchain recorded it, "" otherwise.
func Commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return ""
}
