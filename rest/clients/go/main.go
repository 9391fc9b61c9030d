// Command chat talks to an agent with the client that oapi-codegen makes from rest/openapi.yaml:
// for a whole reply, for one that asks for an action, and for a stream. AGENTCHAT_URL and
// AGENTCHAT_API_KEY say where, and as whom.
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
	session, hello, blank := "go-client", "Hello", " "
	reply, err := client.SendMessageWithResponse(ctx, &SendMessageParams{}, ChatRequest{Message: &hello, SessionId: &session})
	switch {
	case err != nil:
		return err
	case reply.JSON200 == nil || reply.JSON200.Reply == nil: // a rating has none
		return fmt.Errorf("%s: %s", reply.Status(), reply.Body)
	}
	fmt.Println("reply:", *reply.JSON200.Reply)

	refused, err := client.SendMessageWithResponse(ctx, &SendMessageParams{}, ChatRequest{Message: &blank})
	if err != nil {
		return err
	}
	if refused.JSON400 == nil || refused.JSON400.Error.Code != "invalid_request" || *refused.JSON400.Error.Details.Field != "message" {
		return fmt.Errorf("a blank message: %s: %s", refused.Status(), refused.Body)
	}
	if err := act(ctx, client, session); err != nil {
		return err
	}
	return stream(ctx, client, session)
}

// act makes the sandbox ask for an action and sends the action's result.
func act(ctx context.Context, client *ClientWithResponses, session string) error {
	message := "[[sandbox action=order_status]]"
	asks, err := client.SendMessageWithResponse(ctx, &SendMessageParams{}, ChatRequest{Message: &message, SessionId: &session})
	switch {
	case err != nil:
		return err
	case asks.JSON200 == nil || asks.JSON200.Actions == nil:
		return fmt.Errorf("no action: %s: %s", asks.Status(), asks.Body)
	}
	var results []ActionResult
	for _, action := range *asks.JSON200.Actions {
		results = append(results, ActionResult{Id: action.Id, Result: map[string]any{"state": "shipped", "order": action.Arguments["order"]}})
	}
	reply, err := client.SendMessageWithResponse(ctx, &SendMessageParams{}, ChatRequest{ActionResults: &results, SessionId: &session})
	switch {
	case err != nil:
		return err
	case reply.JSON200 == nil || reply.JSON200.Reply == nil || !strings.Contains(*reply.JSON200.Reply, "shipped"):
		return fmt.Errorf("results: %s: %s", reply.Status(), reply.Body)
	}
	fmt.Println("action:", *reply.JSON200.Reply)
	return nil
}

func stream(ctx context.Context, client *ClientWithResponses, session string) error {
	yes, again := true, "Hello again"
	response, err := client.SendMessage(ctx, &SendMessageParams{}, ChatRequest{Message: &again, SessionId: &session, Stream: &yes})
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
			if reply.Reply == nil || *reply.Reply != text.String() {
				return fmt.Errorf("streamed %q, replied %s", text.String(), data)
			}
			fmt.Println("stream:", *reply.Reply)
			return nil
		case event == "error":
			return errors.New(data)
		}
	}
	return errors.New("the stream was cut off")
}
