package scan

import "strings"

// testMacro records a test of GoogleTest, Catch, Check or Boost, whose macro's parenthesis is at k.
func (c *cScanner) testMacro(i, k, shut int) (next int, ok bool) {
	name := ""
	switch c.word(k - 1) {
	case "TEST", "TEST_F", "TEST_P", "TYPED_TEST", "TYPED_TEST_P":
		parts := strings.Split(c.text(k+1, shut), ",")
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		name = strings.Join(parts, ".")
	case "TEST_CASE", "SCENARIO", "TEST_CASE_METHOD", "TEST_CASE_FIXTURE":
		for j := k + 1; j < shut && name == ""; j++ {
			name, _ = c.str(j)
		}
	case "START_TEST", "TEST_BEGIN", "BOOST_AUTO_TEST_CASE", "BOOST_FIXTURE_TEST_CASE", "BOOST_DATA_TEST_CASE", "TEST_METHOD":
		name = c.word(k + 1)
	}
	body := shut + 1
	if name == "" || c.at(body) != '{' {
		return 0, false
	}
	end := c.pair(body)
	c.f.Tests = append(c.f.Tests, Test{Name: name, Line: c.line(i), End: c.endLine(end)})
	c.body(name, body, end)
	if c.is(end+1, "END_TEST") {
		end++
	}
	return end + 1, true
}

// flagMacro records a flag of gflags or Abseil.
func (c *cScanner) flagMacro(name string, k, shut int) bool {
	arg := k + 1
	switch {
	case name == "ABSL_FLAG":
		arg = c.nextArgument(arg, shut)
	case name == "DEFINE_bool", name == "DEFINE_string", name == "DEFINE_double", strings.HasPrefix(name, "DEFINE_int"), strings.HasPrefix(name, "DEFINE_uint"):
	default:
		return false
	}
	def := c.nextArgument(arg, shut)
	help := c.nextArgument(def, shut)
	usage := ""
	for j := help; j < shut; j++ {
		s, _ := c.str(j)
		usage += s
	}
	c.f.Flags = append(c.f.Flags, Flag{Name: c.word(arg), Default: c.literalText(def, help-1), Usage: usage, Line: c.line(k)})
	return true
}

// functionFacts records what the name of a function says.
func (c *cScanner) functionFacts(d Decl) {
	switch {
	case d.Kind == KindFunction && (d.Name == "main" || d.Name == "wmain" || d.Name == "WinMain" || d.Name == "wWinMain"):
		if !c.onlyTested(d.Start) {
			c.f.Entries = append(c.f.Entries, Entry{Kind: "main", Name: d.Name, Line: d.Start, End: d.End})
		}
	case d.Kind == KindFunction && c.f.IsTest && strings.HasPrefix(d.Name, "test_"):
		c.f.Tests = append(c.f.Tests, Test{Name: d.Name, Line: d.Start, End: d.End})
	}
}

// onlyTested tells whether a line is compiled only where a macro that is named after tests is defined: many libraries carry a small
// program like that.
func (c *cScanner) onlyTested(line int) bool {
	depth := 0
	for n := line - 2; n >= 0; n-- {
		s := strings.TrimSpace(c.s[c.t.starts[n]:c.t.lineEnd(c.t.starts[n])])
		if !strings.HasPrefix(s, "#") {
			continue
		}
		switch s = strings.TrimLeft(s[1:], " \t"); {
		case strings.HasPrefix(s, "endif"):
			depth++
		case strings.HasPrefix(s, "if"):
			if depth > 0 {
				depth--
			} else if !strings.HasPrefix(s, "ifndef") && strings.Contains(s, "TEST") {
				return true
			}
		}
	}
	return false
}

// call looks at the call whose name stands at i.
func (c *cScanner) call(i int) {
	switch c.word(i) {
	case "getenv", "secure_getenv", "qgetenv", "qEnvironmentVariable", "_wgetenv":
		def := ""
		if c.at(i+3) == ',' {
			def = c.literalText(i+4, c.pair(i+1))
		}
		c.envRead(i+2, def)
		if name := c.word(i + 2); name != "" && c.at(i+3) == ')' {
			c.f.Env = append(c.f.Env, EnvRead{Const: name, Default: def, Line: c.line(i)})
		}
	case "exit", "_exit", "_Exit":
		c.exitStatus(i, i+1)
	case "strcmp", "strcasecmp":
		if c.is(i+2, "argv") {
			c.comparedOption(i)
		}
	}
}

// comparedOption records an option that is found by comparing an argument of the program.
func (c *cScanner) comparedOption(i int) {
	s, ok := c.str(c.nextArgument(i+2, c.pair(i+1)))
	name := strings.TrimLeft(s, "-")
	if !ok || !strings.HasPrefix(s, "-") || name == "" || len(name) == 1 && (isDigit(name[0]) || !isWord(name[0])) {
		return
	}
	for _, f := range c.f.Flags {
		if f.Name == name {
			return
		}
	}
	c.f.Flags = append(c.f.Flags, Flag{Name: name, Line: c.line(i)})
}

// options records the entries of the tables of getopt_long.
func (c *cScanner) options() {
	if !strings.Contains(c.s, "_argument") {
		return
	}
	for i := 1; i < c.last; i++ {
		if !c.isString(i) || c.at(i-1) != '{' || c.at(i+1) != ',' {
			continue
		}
		switch c.word(i + 2) {
		case "no_argument", "required_argument", "optional_argument", "ya_no_argument":
			if name, _ := c.str(i); name != "" {
				c.f.Flags = append(c.f.Flags, Flag{Name: name, Line: c.line(i)})
			}
		}
	}
}
