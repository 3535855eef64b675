package extractive_test

import (
	"context"
	"testing"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/generate/extractive"
	"github.com/wikiwright/wikiwright/generate/generatetest"
)

func TestAuthorContract(t *testing.T) {
	generatetest.TestAuthor(t, extractive.ActorPrefix+"1.0", func(context.Context) (generate.Author, error) {
		return extractive.New(extractive.Options{}), nil
	})
}
