package bridge

import (
	"strings"

	"agentchat/internal/httpapi"
)

// responsesStream writes the events of Responses.
type responsesStream struct {
	in       *input
	ref      reference
	response *response
	sequence int
	// opened says that the text has an item.
	opened bool
}

// event is an event. The fields of the types that do not have them are left out.
type event struct {
	Type           string       `json:"type"`
	SequenceNumber int          `json:"sequence_number"`
	Response       *response    `json:"response,omitzero"`
	ItemID         string       `json:"item_id,omitzero"`
	OutputIndex    *int         `json:"output_index,omitzero"`
	ContentIndex   *int         `json:"content_index,omitzero"`
	Item           *outputItem  `json:"item,omitzero"`
	Part           *outputText  `json:"part,omitzero"`
	Delta          *string      `json:"delta,omitzero"`
	Text           *string      `json:"text,omitzero"`
	Logprobs       *[]any       `json:"logprobs,omitzero"`
	Name           string       `json:"name,omitzero"`
	Arguments      *string      `json:"arguments,omitzero"`
	Error          *errorObject `json:"error,omitzero"`
	Code           string       `json:"code,omitzero"`
	Message        string       `json:"message,omitzero"`
}

const doneEvent = "data: [DONE]\n\n"

// write returns events as text.
func (s *responsesStream) write(events ...event) string {
	var out strings.Builder
	for _, e := range events {
		e.SequenceNumber = s.sequence
		s.sequence++
		out.WriteString(httpapi.Event(e.Type, httpapi.Encode(e)))
	}
	return out.String()
}

func (s *responsesStream) start(r reference) string {
	s.ref, s.response = r, s.in.newResponse(r)
	return s.write(event{Type: "response.created", Response: s.response},
		event{Type: "response.in_progress", Response: s.response})
}

// ofText returns an event about the item of the text, which is the first.
func (s *responsesStream) ofText(kind string) event {
	zero := 0
	return event{Type: kind, ItemID: s.ref.id(messagePrefix), OutputIndex: &zero, ContentIndex: &zero}
}

func (s *responsesStream) text(piece string) string {
	var out string
	if !s.opened {
		s.opened = true
		item, part := messageItem(s.ref, inProgress, ""), textPart("")
		added := s.ofText("response.content_part.added")
		added.Part = &part
		out = s.write(s.itemEvent("response.output_item.added", 0, item), added)
	}
	delta := s.ofText("response.output_text.delta")
	delta.Delta, delta.Logprobs = &piece, &[]any{}
	return out + s.write(delta)
}

func (s *responsesStream) itemEvent(kind string, index int, item outputItem) event {
	return event{Type: kind, OutputIndex: &index, Item: &item}
}

// closeText ends the item of the text.
func (s *responsesStream) closeText(text, status string) string {
	if !s.opened {
		return ""
	}
	item, part := messageItem(s.ref, status, text), textPart(text)
	s.response.Output = append(s.response.Output, item)
	done, partDone := s.ofText("response.output_text.done"), s.ofText("response.content_part.done")
	done.Text, done.Logprobs, partDone.Part = &text, &[]any{}, &part
	return s.write(done, partDone, s.itemEvent("response.output_item.done", 0, item))
}

// call writes the events of an action.
func (s *responsesStream) call(r *reply, a action) string {
	index, arguments := len(s.response.Output), string(a.Arguments)
	item := callItem(r.reference(), a, completed, arguments)
	s.response.Output = append(s.response.Output, item)
	of := func(kind string) event { return event{Type: kind, ItemID: item.ID, OutputIndex: &index} }
	delta, done := of("response.function_call_arguments.delta"), of("response.function_call_arguments.done")
	delta.Delta, done.Arguments, done.Name = &arguments, &arguments, a.Name
	return s.write(
		s.itemEvent("response.output_item.added", index, callItem(r.reference(), a, inProgress, "")),
		delta, done,
		s.itemEvent("response.output_item.done", index, item),
	)
}

func (s *responsesStream) end(r *reply) string {
	var out strings.Builder
	out.WriteString(s.closeText(r.Reply, itemStatus(r)))
	for _, a := range r.Actions {
		out.WriteString(s.call(r, a))
	}
	s.response.finish(s.in, r)
	return out.String() + s.write(event{Type: "response." + s.response.Status, Response: s.response}) + doneEvent
}

// fail writes the error in the forms of OpenAI and of Open Responses.
func (s *responsesStream) fail(refused *refusal) string {
	object := refused.object()
	s.response.Status = failed
	s.response.Error = &responseError{refused.code, refused.message}
	return s.write(
		event{Type: "error", Error: &object, Code: refused.code, Message: refused.message},
		event{Type: "response.failed", Response: s.response},
	) + doneEvent
}
