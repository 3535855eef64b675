package llmtest

import (
	"bytes"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"
)

// eventStream puts events into the frames in which Bedrock streams them.
func eventStream(events []event) answer {
	out := answer{contentType: "application/vnd.amazon.eventstream"}
	encoder := eventstream.NewEncoder()
	for _, e := range events {
		var frame bytes.Buffer
		message := eventstream.Message{
			Headers: eventstream.Headers{
				{Name: ":message-type", Value: eventstream.StringValue("event")},
				{Name: ":event-type", Value: eventstream.StringValue("chunk")},
				{Name: ":content-type", Value: eventstream.StringValue("application/json")},
			},
			Payload: encode(object{"bytes": encode(e.data)}), // []byte is base64 in JSON
		}
		if err := encoder.Encode(&frame, message); err != nil {
			panic(fmt.Sprintf("encode a frame made here: %v", err))
		}
		out.pieces = append(out.pieces, frame.Bytes())
	}
	return out
}
