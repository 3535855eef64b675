package filetools

// The names of arguments are those of the file tools of OpenWiki's agent framework, which models have been trained on.
const (
	lsDoc    = `Lists a directory of the repository: one entry a line, directories end in "/". Paths start at "/", the root of the repository.`
	lsSchema = `{"type":"object","additionalProperties":false,"properties":{"path":{"type":"string","description":"directory, \"/\" when left out"}}}`

	readDoc    = `Reads lines of a text file, with their numbers. Cite evidence by these numbers. Long files are read in parts, by offset and limit.`
	readSchema = `{"type":"object","additionalProperties":false,"required":["file_path"],"properties":{
"file_path":{"type":"string","minLength":1},
"offset":{"type":"integer","minimum":0,"description":"lines to pass over, 0 when left out"},
"limit":{"type":"integer","minimum":1,"description":"lines to read, 400 when left out"}}}`

	globDoc    = `Finds files by pattern: *, ?, ** over directories, {a,b}. A pattern for everything is refused: list a directory instead.`
	globSchema = `{"type":"object","additionalProperties":false,"required":["pattern"],"properties":{
"pattern":{"type":"string","minLength":1},"path":{"type":"string","description":"directory to look in, \"/\" when left out"}}}`

	grepDoc    = `Finds literal text (no regular expression) in files, with path and line number.`
	grepSchema = `{"type":"object","additionalProperties":false,"required":["pattern"],"properties":{
"pattern":{"type":"string","minLength":1,"description":"the text"},
"path":{"type":"string","description":"directory or file to look in, \"/\" when left out"},
"glob":{"type":"string","description":"only files that match, such as *.go"}}}`

	writeDoc    = `Writes your page as a whole, in place of what is there. Only your own page can be written.`
	writeSchema = `{"type":"object","additionalProperties":false,"required":["file_path","content"],"properties":{
"file_path":{"type":"string","minLength":1},"content":{"type":"string","minLength":1}}}`

	editDoc    = `Replaces text in your page. old_string must occur exactly once, unless replace_all is true.`
	editSchema = `{"type":"object","additionalProperties":false,"required":["file_path","old_string","new_string"],"properties":{
"file_path":{"type":"string","minLength":1},"old_string":{"type":"string","minLength":1},"new_string":{"type":"string"},
"replace_all":{"type":"boolean"}}}`
)
