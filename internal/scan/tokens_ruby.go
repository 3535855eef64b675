package scan

type heredoc struct {
	label  string
	indent bool
	start  int
}

func (l *tokenizer) heredocBodies()                                         {}
func (l *tokenizer) specialRuby(c byte)                                     { l.punct(c) }
func (l *tokenizer) rubyString(start, i int, open, shut byte, dynamic bool) {}
