package publish

import (
	"context"
	"fmt"
	"slices"
	"strings"

	gogithub "github.com/google/go-github/v62/github"

	"github.com/wikiwright/wikiwright/internal/github"
	"github.com/wikiwright/wikiwright/internal/safetext"
)

// controlDiscard is the box in the comment about commits of others. It holds for the tip that the comment names, and no other.
const controlDiscard = "discard"

// topicLine is the hidden first line of a comment: what it is about, and the tip of the branch it speaks of.
func topicLine(topic, tip string) string {
	return "<!-- wikiwright:topic " + topic + " " + tip + commentEnd
}

// findComment returns our comment of a topic; nil when there is none. Comments of other accounts do not count, whatever they say.
func (j *job) findComment(ctx context.Context, topic string, number int) (*gogithub.IssueComment, error) {
	options := &gogithub.IssueListCommentsOptions{ListOptions: gogithub.ListOptions{PerPage: 100}}
	for range 10 {
		list, answer, err := j.GitHub.API().Issues.ListComments(ctx, j.Repository.Owner, j.Repository.Name, number, options)
		if err != nil {
			return nil, fmt.Errorf("list comments of #%d: %w", number, err)
		}
		for _, c := range list {
			if c.GetUser().GetID() == j.scene.identity.ID && strings.HasPrefix(c.GetBody(), "<!-- wikiwright:topic "+topic+" ") {
				return c, nil
			}
		}
		if answer.NextPage == 0 {
			break
		}
		options.Page = answer.NextPage
	}
	return nil, nil
}

// readForeignComment looks whether somebody ticked the box that drops the commits of others. Only who may write to the repository can.
func (j *job) readForeignComment(ctx context.Context) error {
	comment, err := j.findComment(ctx, topicForeign, j.pull.Number)
	if err != nil {
		return err
	}
	j.foreignComment = comment
	if comment == nil || !strings.HasPrefix(comment.GetBody(), topicLine(topicForeign, j.tip)) {
		return nil
	}
	for _, found := range boxPattern().FindAllStringSubmatch(comment.GetBody(), -1) {
		if found[2] == controlDiscard && found[1] != " " {
			j.pull.Discard = true
		}
	}
	return nil
}

// comment writes the one comment of a topic, or brings it up to date. An equal one is left alone.
func (j *job) comment(ctx context.Context, topic string, number int) error {
	text := topicLine(topic, j.tip) + "\n" + j.commentText(topic)
	comment := j.foreignComment
	if topic != topicForeign {
		found, err := j.findComment(ctx, topic, number)
		if err != nil {
			return err
		}
		comment = found
	}
	if comment != nil && strings.ReplaceAll(comment.GetBody(), "\r\n", "\n") == text {
		return nil
	}
	issues := j.GitHub.API().Issues
	if comment != nil {
		_, _, err := issues.EditComment(github.Safe(ctx), j.Repository.Owner, j.Repository.Name, comment.GetID(), &gogithub.IssueComment{Body: &text})
		if err != nil {
			return fmt.Errorf("update comment on #%d: %w", number, err)
		}
		return nil
	}
	_, _, err := issues.CreateComment(ctx, j.Repository.Owner, j.Repository.Name, number, &gogithub.IssueComment{Body: &text})
	if github.MaybeApplied(err) {
		if found, findErr := j.findComment(ctx, topic, number); findErr == nil && found != nil {
			return nil
		}
	}
	if err != nil {
		return fmt.Errorf("comment on #%d: %w", number, err)
	}
	return nil
}

// commentText is the text of a comment. Names of people come from commits, so they are made harmless.
func (j *job) commentText(topic string) string {
	if topic == topicClosed {
		return fmt.Sprintf("The branch `%s` holds all that this pull request proposed, so it is closed.", safetext.Message(j.baseRef))
	}
	others := j.foreign()
	var text strings.Builder
	text.WriteString("This branch has commits that Wikiwright did not make, so it leaves the branch as it is:\n\n")
	for i, c := range others {
		if i == 10 {
			fmt.Fprintf(&text, "- and %d more\n", len(others)-i)
			break
		}
		subject, _, _ := strings.Cut(c.Message, "\n")
		fmt.Fprintf(&text, "- %s by %s: %s\n", short(c.SHA), safetext.Inline(people(slices.Clone(others[i:i+1])), 60), safetext.Inline(subject, 100))
	}
	text.WriteString("\nMerge or close this pull request to go on, or let Wikiwright drop these commits and build the branch anew:\n\n")
	text.WriteString(box(controlDiscard, false, " drop the commits listed above"))
	return strings.TrimRight(text.String(), "\n")
}
