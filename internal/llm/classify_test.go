package llm

import "testing"

// In the middle of a reply, and in answers of status 200, only the words of the provider tell what happened.
func TestClassOfStatus_Words(t *testing.T) {
	for text, want := range map[string]Class{
		"overloaded (overloaded_error)":                                        ClassOverloaded,
		"slow down (rate_limit_error)":                                         ClassRateLimit,
		"too many requests, please wait (throttlingexception)":                 ClassRateLimit,
		"malformed input request (validationexception)":                        ClassInvalidRequest,
		"input is too long for requested model. (validationexception)":         ClassContextTooLong,
		"the model returned an error (modelstreamerrorexception)":              ClassOverloaded,
		"invalid x-api-key (authentication_error)":                             ClassAuth,
		"your credit balance is too low to access the api":                     ClassQuota,
		"the response was filtered due to the prompt (content_filter)":         ClassContentFilter,
		"the server had an error processing your request (server_error)":       ClassOverloaded,
		"request contains an invalid argument. (invalid_argument)":             ClassInvalidRequest,
		"resource has been exhausted (e.g. check quota). (resource_exhausted)": ClassRateLimit,
	} {
		if got := classOfStatus(0, text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
