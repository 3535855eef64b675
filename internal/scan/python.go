package scan

var pythonSyntax = syntax{}

func scanPython(f *File, src *text) {}
