// Go 1.22 or later, nothing to install.
package main

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const url = "http://127.0.0.1:8080/v1/agent/chat"

var client = &http.Client{Timeout: 100 * time.Second}

// again is the error of a request that is worth a retry, after the time in Retry-After if it has one.
type again struct {
	error
	after time.Duration
}

func stream(message, sessionID string) error {
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		return err
	}
	body, err := json.Marshal(map[string]any{"message": message, "session_id": sessionID, "stream": true})
	if err != nil {
		return err
	}
	giveUp := time.Now().Add(200 * time.Second)
	for backoff := time.Second; ; backoff = min(2*backoff, 8*time.Second) {
		err := send(body, fmt.Sprintf("%x", random))
		var cut again
		if !errors.As(err, &cut) || time.Now().After(giveUp) {
			return err
		}
		fmt.Println("\nagain:", err)
		time.Sleep(max(cut.after, backoff))
	}
}

func send(body []byte, idempotencyKey string) error {
	request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("AGENTCHAT_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", idempotencyKey)
	response, err := client.Do(request)
	if err != nil {
		return again{err, 0}
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(response.Body)
		refusal := fmt.Errorf("%d: %s", response.StatusCode, text)
		if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil {
			return again{refusal, time.Duration(seconds) * time.Second}
		}
		return refusal
	}
	var event string
	reader := bufio.NewReader(response.Body) // a bufio.Scanner would refuse long lines
	for {
		line, err := reader.ReadString('\n')
		if err != nil {
			return again{err, 0}
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch {
		case name == "event":
			event = value
		case name == "data" && event == "delta":
			var delta struct{ Text string }
			if err := json.Unmarshal([]byte(value), &delta); err != nil {
				return err
			}
			fmt.Print(delta.Text)
		case name == "data" && event == "error" && strings.Contains(value, `"code":"unavailable"`):
			return again{errors.New(value), 0}
		case name == "data" && event == "error":
			return errors.New(value)
		case name == "data" && event == "end":
			fmt.Println()
			return nil
		}
	}
}

func main() {
	if err := stream("Hello!", "customer-42"); err != nil {
		log.Fatal(err)
	}
}
