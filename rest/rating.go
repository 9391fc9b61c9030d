package rest

import (
	"cmp"
	"net/http"
	"reflect"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
)

// ratingInput is a rating before its fields are checked. A field that is absent or null is nil.
type ratingInput struct {
	MessageID *string `json:"message_id"`
	Value     *int    `json:"value"`
	Note      *string `json:"note"`

	messageID uuid.UUID
}

// note returns the note; empty without one.
func (in *ratingInput) note() string {
	if in.Note == nil {
		return ""
	}
	return *in.Note
}

// checkRating returns the first problem with a rating and the fields sent with it, or nil.
func (in *input) checkRating() *fault.Field {
	for _, other := range []struct {
		field string
		given bool
	}{
		{"message", in.Message != nil},
		{"session_id", in.SessionID != nil},
		{"variables", len(in.Variables) > 0},
		{"action_results", in.ActionResults != nil},
		{"stream", in.Stream != nil && *in.Stream},
		{"background", in.inBackground()},
	} {
		if other.given {
			return &fault.Field{Path: other.field, Reason: fault.InvalidValue,
				Message: other.field + " cannot be sent with rating. Send the rating alone, or with user_id."}
		}
	}
	return cmp.Or(in.Rating.check(), checkText("user_id", in.UserID, conversation.CheckUser))
}

// check returns the first problem with the fields of a rating, or nil. It parses the message's id.
func (in *ratingInput) check() *fault.Field {
	missing := func(path, send string) *fault.Field {
		return &fault.Field{Path: path, Reason: fault.Missing, Message: path + " is missing. Send " + send + "."}
	}
	switch {
	case in.MessageID == nil:
		return missing("rating.message_id", "the message_id of a reply")
	case in.Value == nil:
		return missing("rating.value", typeNames[reflect.Int])
	case *in.Value < -1 || *in.Value > 1:
		return &fault.Field{Path: "rating.value", Reason: fault.InvalidValue,
			Message: "rating.value must be " + typeNames[reflect.Int] + "."}
	}
	var err error
	in.messageID, err = uuid.Parse(*in.MessageID)
	if err != nil || len(*in.MessageID) != len(uuid.Nil.String()) { // Parse accepts other forms
		return &fault.Field{Path: "rating.message_id", Reason: fault.InvalidValue,
			Message: "rating.message_id is not a UUID. Send the message_id of a reply."}
	}
	return conversation.CheckRatingNote("rating.note", conversation.RatingValue(*in.Value), in.note())
}

// rated is the JSON response to a rating; Rating is nil if it was withdrawn.
type rated struct {
	MessageID uuid.UUID `json:"message_id"`
	SessionID string    `json:"session_id"`
	Rating    *rating   `json:"rating"`
}

type rating struct {
	Value   int       `json:"value"`
	Note    string    `json:"note"`
	RatedAt time.Time `json:"rated_at"`
}

// rate stores a rating and sends the response.
func (a *api) rate(req *request, check *keyCheck, in input) {
	req.msg.UserID = in.UserID // so that a rejection is recorded with it
	result, err := a.chat.Rate(req.R.Context(), chat.Rating{
		Key:        check.key,
		Address:    req.record.Client,
		KeyChecked: check.done,
		UserID:     in.UserID,
		MessageID:  in.Rating.messageID,
		Value:      conversation.RatingValue(*in.Rating.Value),
		Note:       in.Rating.note(),
	})
	req.identify(result.Caller)
	if err != nil {
		req.refuse(err)
		return
	}
	body := rated{MessageID: in.Rating.messageID, SessionID: result.SessionID}
	if result.RatedAt != nil {
		body.Rating = &rating{*in.Rating.Value, in.Rating.note(), *result.RatedAt}
	}
	req.setRate()
	req.SendJSON(http.StatusOK, append(httpapi.Encode(body), '\n'))
}
