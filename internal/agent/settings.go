package agent

import (
	"context"
	"math"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentchat/internal/fault"
	"agentchat/internal/schema"
)

// Settings are the settings of an agent that affect replies, stored as one JSON document.
// Publishing copies them into a version.
type Settings struct {
	Instructions string `json:"instructions"`
	// Model is the model's name in the catalogue, provider/model; nil until chosen.
	Model *string `json:"model"`
	// FallbackModel is the name in the catalogue of the model that answers if Model cannot; nil for
	// none. It differs from Model.
	FallbackModel   *string  `json:"fallback_model,omitempty"`
	Temperature     *float64 `json:"temperature"`
	MaxOutputTokens *int     `json:"max_output_tokens"`
	// ContextTurns is the number of earlier turns of a conversation that the model gets, 0 to
	// MaxContextTurns.
	ContextTurns int `json:"context_turns"`
	// Variables are never nil, in the owner's order.
	Variables []Variable `json:"variables"`
	// ReplySchema is the JSON Schema of replies, verbatim as its owner wrote it; nil for replies of
	// text.
	ReplySchema *string `json:"reply_schema,omitempty"`
	// Actions are the things that callers can do for the agent, in the owner's order; nil for none.
	Actions []Action `json:"actions,omitempty"`
}

// DefaultSettings returns the settings of a new agent.
func DefaultSettings() Settings {
	return Settings{ContextTurns: MaxContextTurns, Variables: []Variable{}}
}

// TextBytes returns the total size of the texts that may be long.
func (s Settings) TextBytes() int {
	n := len(s.Instructions)
	for _, v := range s.Variables {
		n += len(v.Description)
		if v.Default != nil {
			n += len(*v.Default)
		}
	}
	for _, a := range s.Actions {
		n += len(a.Description) + len(a.Parameters)
	}
	return n + len(deref(s.ReplySchema))
}

// Equal reports whether two drafts or versions have the same effect on replies.
func (s Settings) Equal(other Settings) bool { return reflect.DeepEqual(s, other) }

// Change is the change of one field: without Set the field stays the same, a nil Value clears it,
// and any other Value replaces it.
type Change[T any] struct {
	Set   bool
	Value *T
}

// Changes are the changes to an agent, or the fields of a new one. Check them before Apply.
type Changes struct {
	Name            Change[string]
	Description     Change[string]
	Instructions    Change[string]
	Model           Change[string]
	FallbackModel   Change[string]
	Temperature     Change[float64]
	MaxOutputTokens Change[int]
	ContextTurns    Change[int]
	Variables       Change[[]Variable]
	ReplySchema     Change[string]
	Actions         Change[[]Action]
}

// Check validates each field and reports all problems at once; known reports whether the catalogue
// has a model, available or not. Fault: InvalidInput on name, description, instructions, model,
// fallbackModel, temperature, maxOutputTokens, contextTurns, variables, replySchema and actions.
func (c Changes) Check(known func(model string) bool) error {
	var found problems
	found.name(c.Name, "An agent needs a name; it cannot be cleared.")
	found.text("description", c.Description, MaxDescription,
		"The description is longer than 1,000 characters.")
	found.text("instructions", c.Instructions, MaxInstructions,
		"The instructions are longer than 32,768 characters.")
	found.model("model", c.Model, known)
	found.model("fallbackModel", c.FallbackModel, known)
	if v := c.Temperature.Value; v != nil && (math.IsNaN(*v) || *v < 0 || *v > MaxTemperature) {
		found.add("temperature", fault.OutOfRange, MaxTemperature,
			"The temperature must be a number from 0 to 2.")
	}
	if v := c.MaxOutputTokens.Value; v != nil && (*v < 1 || *v > MaxMaxOutputTokens) {
		found.add("maxOutputTokens", fault.OutOfRange, MaxMaxOutputTokens,
			"The maximum of output tokens must be a whole number from 1 to 1,000,000.")
	}
	if v := c.ContextTurns.Value; v != nil && (*v < 0 || *v > MaxContextTurns) {
		found.add("contextTurns", fault.OutOfRange, MaxContextTurns,
			"The conversation history must be a whole number of turns from 0 to 40.")
	}
	found.variables(c.Variables)
	found.schema("replySchema", c.ReplySchema)
	found.actions(c.Actions)
	return found.err()
}

// CheckNew is Check and CheckTogether for a new agent, which needs a name.
func (c Changes) CheckNew(known func(model string) bool) error {
	c.Name.Set = true
	if err := c.Check(known); err != nil {
		return err
	}
	return c.CheckTogether(New(c).Settings)
}

// Replace returns the changes that set an agent's name, description and all settings.
func Replace(name, description string, s Settings) Changes {
	return Changes{
		Name:            to(&name),
		Description:     to(&description),
		Instructions:    to(&s.Instructions),
		Model:           to(s.Model),
		FallbackModel:   to(s.FallbackModel),
		Temperature:     to(s.Temperature),
		MaxOutputTokens: to(s.MaxOutputTokens),
		ContextTurns:    to(&s.ContextTurns),
		Variables:       to(&s.Variables),
		ReplySchema:     to(s.ReplySchema),
		Actions:         to(&s.Actions),
	}
}

func to[T any](value *T) Change[T] { return Change[T]{Set: true, Value: value} }

// New returns the draft with checked fields, for the store to create.
func New(c Changes) Agent {
	return Apply(Agent{Settings: DefaultSettings(), State: Draft}, c)
}

// Apply returns the agent with checked changes. The name is trimmed; other texts are stored
// verbatim.
func Apply(a Agent, c Changes) Agent {
	if c.Name.Value != nil {
		a.Name = strings.TrimSpace(*c.Name.Value)
	}
	a.Description = c.Description.or(a.Description, "")
	a.Instructions = c.Instructions.or(a.Instructions, "")
	c.Model.into(&a.Model)
	c.FallbackModel.into(&a.FallbackModel)
	c.Temperature.into(&a.Temperature)
	c.MaxOutputTokens.into(&a.MaxOutputTokens)
	a.ContextTurns = c.ContextTurns.or(a.ContextTurns, MaxContextTurns)
	c.ReplySchema.into(&a.ReplySchema)
	if c.Variables.Set {
		a.Variables = append([]Variable{}, deref(c.Variables.Value)...)
	}
	if c.Actions.Set {
		a.Actions = append([]Action(nil), deref(c.Actions.Value)...)
	}
	return a
}

// or returns a field's value after the change; cleared is the value of a cleared field.
func (c Change[T]) or(old, cleared T) T {
	switch {
	case !c.Set:
		return old
	case c.Value == nil:
		return cleared
	}
	return *c.Value
}

// into changes an optional field.
func (c Change[T]) into(field **T) {
	if c.Set {
		*field = c.Value
	}
}

// ParseSearch returns the trimmed text of a search for agents; empty finds all. Fault: InvalidInput
// on filter.search.
func ParseSearch(text string) (string, error) {
	text = strings.TrimSpace(text)
	var found problems
	found.text("filter.search", Change[string]{Set: true, Value: &text}, MaxSearch,
		"The search must have at most 100 characters.")
	return text, found.err()
}

// problems collects the problems of an input, in the order of its fields.
type problems []fault.Field

func (p *problems) add(path string, reason fault.Reason, limit int64, message string) {
	*p = append(*p, fault.Field{Path: path, Reason: reason, Message: message, Limit: limit})
}

func (p *problems) err() error {
	if len(*p) == 0 {
		return nil
	}
	return fault.Invalid(*p...)
}

// name validates a name: one line of 1 to 100 characters, which cannot be cleared.
func (p *problems) name(c Change[string], cleared string) {
	if !c.Set {
		return
	}
	if c.Value == nil {
		p.add("name", fault.Missing, 0, cleared)
		return
	}
	switch name := strings.TrimSpace(*c.Value); {
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		p.add("name", fault.InvalidCharacter, 0, "The name contains a control character or a line break.")
	case name == "":
		p.add("name", fault.Blank, 0, "The name must have 1 to 100 characters.")
	case utf8.RuneCountInString(name) > MaxName:
		p.add("name", fault.TooLong, MaxName, "The name is longer than 100 characters.")
	}
}

// text validates a text of any number of lines. PostgreSQL cannot store U+0000.
func (p *problems) text(path string, c Change[string], limit int, tooLong string) {
	if c.Value == nil {
		return
	}
	switch {
	case !utf8.ValidString(*c.Value) || strings.ContainsRune(*c.Value, 0):
		p.add(path, fault.InvalidCharacter, 0,
			"The text contains the character U+0000 or is not valid Unicode.")
	case utf8.RuneCountInString(*c.Value) > limit:
		p.add(path, fault.TooLong, int64(limit), tooLong)
	}
}

// model validates the name of a model.
func (p *problems) model(path string, c Change[string], known func(string) bool) {
	if c.Value != nil && !known(*c.Value) {
		p.add(path, fault.InvalidValue, 0,
			"There is no model with this name. Choose one from the catalogue.")
	}
}

// schema validates a JSON Schema, and returns it.
func (p *problems) schema(path string, c Change[string]) (parsed *schema.Schema) {
	if c.Value == nil {
		return nil
	}
	parsed, err := schema.Parse(*c.Value)
	switch {
	case strings.ContainsRune(*c.Value, 0):
		p.add(path, fault.InvalidCharacter, 0, "The schema contains the character U+0000.")
	case len(*c.Value) > schema.MaxBytes:
		p.add(path, fault.TooLong, schema.MaxBytes, err.Error())
	case err != nil:
		p.add(path, fault.InvalidValue, 0, err.Error())
	}
	return parsed
}

// SchemaNotes returns what replies are not checked for. Fault: InvalidInput on schema.
func SchemaNotes(text string) ([]schema.Note, error) {
	var found problems
	parsed := found.schema("schema", Change[string]{Set: true, Value: &text})
	if err := found.err(); err != nil {
		return nil, err
	}
	return parsed.Notes(), nil
}

// ExampleReply makes up a reply that matches a schema, as compact JSON; ok is false if none was
// found, or only one that is too large. Fault: InvalidInput on schema.
func ExampleReply(ctx context.Context, text string) (reply string, ok bool, err error) {
	var found problems
	parsed := found.schema("schema", Change[string]{Set: true, Value: &text})
	if err := found.err(); err != nil {
		return "", false, err
	}
	reply, err = parsed.Example(ctx, "Example")
	return reply, err == nil, ctx.Err()
}
