package extractive

import "testing"

// A sentence is taken as the meaning of a setting only where it speaks of the setting.
func TestLeaning(t *testing.T) {
	for s, want := range map[string]bool{
		"There is no limit to this length.":                                                   true,
		"WARNING: Since in this setup the replica does not store the file, data may be lost.": true,
		"The following time is expressed in microseconds.":                                    true,
		"It is recommended to keep it.":                                                       true,
		"In this mode nothing is kept.":                                                       true,
		"Specify the log file name.":                                                          false,
		"This option turns the log on.":                                                       false,
		"The following setting bounds the number of clients.":                                 false,
		"The working directory.":                                                              false,
		"By default Redis will stop accepting writes if it failed.":                           false,
	} {
		if got := leaning(s); got != want {
			t.Errorf("leaning(%q) = %v, want %v", s, got, want)
		}
	}
}

func TestTellsWhen(t *testing.T) {
	for s, want := range map[string]bool{
		"It is called when a new write command should be performed but the server is out of memory.": true,
		"starts the event loop.": false,
		"calls every function.":  false,
	} {
		if got := tellsWhen(s); got != want {
			t.Errorf("tellsWhen(%q) = %v, want %v", s, got, want)
		}
	}
}

func TestPlainMarkup_placeholders(t *testing.T) {
	for in, want := range map[string]string{
		"only if at least <quorum> sentinels agree": "only if at least <quorum> sentinels agree",
		"<p>Returns a <code>Vec<u8></code></p>":     "Returns a Vec<u8>",
		`See <see cref="Store"/> for more`:          "See for more",
		"a<br/>b <a href=\"x\">link</a>":            "ab link",
		"set <master-name> <count>":                 "set <master-name> <count>",
	} {
		if got := plainMarkup(in); got != want {
			t.Errorf("plainMarkup(%q) = %q, want %q", in, got, want)
		}
	}
}
