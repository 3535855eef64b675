package evidence

// In answers what became of evidence in data, the content of the file it cites at some commit. It knows this file alone: what went to
// another file is Missing here. It is for states of a repository that are in no work tree; a [Resolver] knows more of the one that is.
func In(data []byte, res Resource, previous string) Resolution {
	return newText(data).resolve(Query{Resource: res, Previous: previous})
}
