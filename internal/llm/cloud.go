package llm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	awsconfig "github.com/aws/aws-sdk-go-v2/config"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"
)

// AWSKeys are static keys of AWS. The zero value means the standard chain: variables, shared files, roles.
type AWSKeys struct {
	AccessKeyID                   string
	SecretAccessKey, SessionToken Secret
}

// awsAuth signs requests to Bedrock (Signature Version 4). It is safe for concurrent use.
type awsAuth struct {
	region string
	pair   AWSKeys
	base   http.RoundTripper
	now    func() time.Time

	mu    sync.Mutex
	chain aws.CredentialsProvider
}

func (a *awsAuth) authorize(ctx context.Context, req *http.Request) (Secret, error) {
	keys, err := a.keys(ctx)
	if err != nil {
		return "", &Error{Class: ClassConfig, Err: fmt.Errorf("find AWS credentials: %w", err),
			Hint: "set BEDROCK_AWS_ACCESS_KEY_ID and BEDROCK_AWS_SECRET_ACCESS_KEY, AWS_BEARER_TOKEN_BEDROCK, or any standard AWS credentials"}
	}
	sum, err := bodySum(req)
	if err != nil {
		return "", fmt.Errorf("sign the request: %w", err)
	}
	if err := v4.NewSigner().SignHTTP(ctx, keys, req, sum, "bedrock", a.region, a.now()); err != nil {
		return "", fmt.Errorf("sign the request: %w", err)
	}
	return Secret(keys.SecretAccessKey), nil
}

// refused drops the credentials of the chain: roles and sessions end, and the chain may find new ones.
func (a *awsAuth) refused(Secret) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.pair.AccessKeyID != "" {
		return false
	}
	a.chain = nil
	return true
}

func (a *awsAuth) keys(ctx context.Context) (aws.Credentials, error) {
	if a.pair.AccessKeyID != "" {
		return aws.Credentials{AccessKeyID: a.pair.AccessKeyID, SecretAccessKey: a.pair.SecretAccessKey.Value(), SessionToken: a.pair.SessionToken.Value()}, nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.chain == nil {
		loaded, err := awsconfig.LoadDefaultConfig(ctx, awsconfig.WithRegion(a.region))
		if err != nil {
			return aws.Credentials{}, err
		}
		a.chain = loaded.Credentials
	}
	if a.chain == nil {
		return aws.Credentials{}, errors.New("there are none")
	}
	return a.chain.Retrieve(ctx)
}

// bodySum is the SHA-256 of the body of a request, in hexadecimal.
func bodySum(req *http.Request) (string, error) {
	body, err := req.GetBody()
	if err != nil {
		return "", err
	}
	defer body.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, body); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// googleToken fetches tokens with Google's application default credentials.
func googleToken(base http.RoundTripper) func(context.Context) (Secret, time.Time, error) {
	const scope = "https://www.googleapis.com/auth/cloud-platform"
	return func(ctx context.Context) (Secret, time.Time, error) {
		ctx = context.WithValue(ctx, oauth2.HTTPClient, &http.Client{Transport: base, Timeout: time.Minute})
		hint := "run gcloud auth application-default login, or set GOOGLE_APPLICATION_CREDENTIALS to a file of credentials"
		found, err := google.FindDefaultCredentials(ctx, scope)
		if err != nil {
			return "", time.Time{}, &Error{Class: ClassConfig, Err: errors.New("there are no Google credentials, or they cannot be read"), Hint: hint}
		}
		token, err := found.TokenSource.Token()
		var refused *oauth2.RetrieveError
		switch {
		case errors.As(err, &refused): // its text repeats the answer, which may repeat the request
			return "", time.Time{}, &Error{Class: ClassAuth, Err: fmt.Errorf("google refuses a token: %s", refused.ErrorCode), Hint: hint}
		case err != nil:
			return "", time.Time{}, fmt.Errorf("get a token from Google: %w", err)
		}
		return Secret(token.AccessToken), token.Expiry.Add(-time.Minute), nil
	}
}
