package publish

import (
	"context"
	"fmt"
)

// Screen leaves out of a bundle what the content gate does not let through: before it is written anywhere else than to a pull request, for
// which [Publisher.Publish] does the same. It needs the checkout and nothing of GitHub. What cannot be left out is an [ErrRefused].
func (p *Publisher) Screen(ctx context.Context, b *Bundle) (*Bundle, []Blocked, error) {
	if err := p.prepare(); err != nil {
		return nil, nil, err
	}
	j := &job{Publisher: p, bundle: b, out: &Outcome{}}
	gate := contentGate{secrets: p.secrets, at: func(name string) ([]byte, bool) {
		data, err := p.Repo.Blob(ctx, b.BaseSHA, name)
		return data, err == nil
	}}
	if err := j.leaveOut(ctx, gate.inspect(b)); err != nil {
		return nil, nil, err
	}
	if left := gate.inspect(j.bundle); len(left) > 0 {
		return nil, left, fmt.Errorf("%w: %s %s", ErrRefused, left[0].Path, left[0].Message)
	}
	return j.bundle, j.out.Blocked, nil
}
