package scan

func scanGo(f *File, data []byte) {}
