package scan

var javascriptSyntax = syntax{}

func scanJavaScript(f *File, src *text) {}

func scanComponent(f *File, data []byte) {}
