// Package clients runs other people's SDKs against a bridge. TestBridgeClients of internal/e2e
// starts it.
package clients

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"
)

const askWeather = `Look. [[sandbox action=get_weather {"location":"Rome"}]]`

func client() openai.Client {
	return openai.NewClient(option.WithBaseURL(os.Getenv("BRIDGE_URL")+"/v1"), option.WithAPIKey(os.Getenv("AGENTCHAT_API_KEY")))
}

// TestResponses streams a reply with a call, sends its result, and continues.
func TestResponses(t *testing.T) {
	t.Parallel()
	c := client()
	stream := c.Responses.NewStreaming(t.Context(), responses.ResponseNewParams{
		Model: "agent",
		Input: responses.ResponseNewParamsInputUnion{OfString: param.NewOpt(askWeather)},
	})
	var text strings.Builder
	var asked responses.Response
	for stream.Next() {
		switch event := stream.Current(); event.Type {
		case "response.output_text.delta":
			text.WriteString(event.Delta)
		case "response.completed":
			asked = event.Response
		}
	}
	call := asked.Output[len(asked.Output)-1].AsFunctionCall()
	if stream.Err() != nil || text.String() != asked.OutputText() || call.Name != "get_weather" {
		t.Fatalf("%v: %s", stream.Err(), asked.RawJSON())
	}
	result := responses.ResponseInputItemParamOfFunctionCallOutput("21 degrees")
	result.OfFunctionCallOutput.CallID = param.NewOpt(call.CallID)
	done, err := c.Responses.New(t.Context(), responses.ResponseNewParams{
		Model:              "agent",
		PreviousResponseID: param.NewOpt(asked.ID),
		Input:              responses.ResponseNewParamsInputUnion{OfInputItemList: responses.ResponseInputParam{result}},
	})
	if err != nil || !strings.Contains(done.OutputText(), "21 degrees") {
		t.Fatalf("%v: %v", done, err)
	}
}

// TestChat streams a reply with a call, and sends its result.
func TestChat(t *testing.T) {
	t.Parallel()
	c := client()
	messages := []openai.ChatCompletionMessageParamUnion{openai.UserMessage(askWeather)}
	stream := c.Chat.Completions.NewStreaming(t.Context(), openai.ChatCompletionNewParams{Model: "agent", Messages: messages})
	var asked openai.ChatCompletionAccumulator
	for stream.Next() {
		if !asked.AddChunk(stream.Current()) {
			t.Error("a chunk does not belong to the reply")
		}
	}
	if stream.Err() != nil || asked.Choices[0].FinishReason != "tool_calls" {
		t.Fatalf("%v: %+v", stream.Err(), asked)
	}
	call := asked.Choices[0].Message.ToolCalls[0]
	if call.Function.Name != "get_weather" || !json.Valid([]byte(call.Function.Arguments)) {
		t.Errorf("%+v", call)
	}
	messages = append(messages, asked.Choices[0].Message.ToParam(), openai.ToolMessage("21 degrees", call.ID))
	done, err := c.Chat.Completions.New(t.Context(), openai.ChatCompletionNewParams{Model: "agent", Messages: messages})
	if err != nil || !strings.Contains(done.Choices[0].Message.Content, "21 degrees") {
		t.Fatalf("%v: %v", done, err)
	}
}
