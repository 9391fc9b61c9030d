// Command chat talks to an agent with the client that oapi-codegen makes from rest/openapi.yaml: once for a whole reply, once for a
// stream. AGENTCHAT_URL and AGENTCHAT_API_KEY say where, and as whom.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
)

//go:generate go tool oapi-codegen --config=oapi-codegen.yaml ../../openapi.yaml

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	key := os.Getenv("AGENTCHAT_API_KEY")
	client, err := NewClientWithResponses(os.Getenv("AGENTCHAT_URL"),
		WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
			r.Header.Set("Authorization", "Bearer "+key)
			return nil
		}))
	if err != nil {
		return err
	}
	session := "go-client"
	reply, err := client.SendMessageWithResponse(ctx, &SendMessageParams{}, ChatRequest{Message: "Hello", SessionId: &session})
	switch {
	case err != nil:
		return err
	case reply.JSON200 == nil:
		return fmt.Errorf("%s: %s", reply.Status(), reply.Body)
	}
	fmt.Println("reply:", reply.JSON200.Reply)

	refused, err := client.SendMessageWithResponse(ctx, &SendMessageParams{}, ChatRequest{Message: " "})
	if err != nil {
		return err
	}
	if refused.JSON400 == nil || refused.JSON400.Error.Code != "invalid_request" || *refused.JSON400.Error.Details.Field != "message" {
		return fmt.Errorf("a blank message: %s: %s", refused.Status(), refused.Body)
	}
	return stream(ctx, client, session)
}

func stream(ctx context.Context, client *ClientWithResponses, session string) error {
	yes := true
	response, err := client.SendMessage(ctx, &SendMessageParams{}, ChatRequest{Message: "Hello again", SessionId: &session, Stream: &yes})
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	var text strings.Builder
	event := ""
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			event = name
		}
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		switch {
		case !ok:
		case event == "delta":
			var delta StreamDelta
			if err := json.Unmarshal([]byte(data), &delta); err != nil {
				return err
			}
			text.WriteString(delta.Text)
		case event == "end":
			var reply ChatReply
			if err := json.Unmarshal([]byte(data), &reply); err != nil {
				return err
			}
			if reply.Reply != text.String() {
				return fmt.Errorf("streamed %q, replied %q", text.String(), reply.Reply)
			}
			fmt.Println("stream:", reply.Reply)
			return nil
		case event == "error":
			return errors.New(data)
		}
	}
	return errors.New("the stream was cut off")
}
