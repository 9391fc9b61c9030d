package graph

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"agentchat/graph/model"
	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/evaluation"
	"agentchat/internal/fault"
	"agentchat/internal/find"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/tests"
)

// testCaseTexts are the fields of a test case that may be long.
var testCaseTexts = map[string]bool{"document": true}

// testCasesOf returns a page of an agent's test cases, loaded in one statement for all agents of a
// batch.
func (r *Resolver) testCasesOf(
	ctx context.Context, obj *agent.Agent, first *int, after, search *string,
) (*model.TestCaseConnection, error) {
	size, cursor, err := pageOf(store.TestCaseCursor, obj.AccountID, first, after)
	if err != nil {
		return nil, err
	}
	query := tests.CaseQuery{First: size, After: cursor, Brief: !selects(ctx, testCaseTexts)}
	if text, err := agent.ParseSearch(deref(search)); err != nil {
		return nil, err
	} else if text != "" {
		query.Search = new(find.New(text))
	}
	l := loadersOf(ctx)
	pages := l.testCases.of(ctx,
		func(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]store.Page[tests.Case], error) {
			found, err := tests.On(r.store).CasesByAgents(ctx, obj.AccountID, ids, query)
			cases := allItems(found)
			l.batchTestCases(cases)
			return found, cmp.Or(err, readCases(ctx, cases))
		})
	page, _, err := pages.get(ctx, obj.ID)
	if err != nil {
		return nil, err
	}
	page.HasPrevious = after != nil
	out := &model.TestCaseConnection{}
	out.Nodes, out.Edges, out.PageInfo = connect(page, func(c tests.Case) string {
		return tests.CasePlace(c).Encode(store.TestCaseCursor, obj.AccountID)
	}, func(cursor string, node *tests.Case) *model.TestCaseEdge {
		return &model.TestCaseEdge{Cursor: cursor, Node: node}
	})
	return out, nil
}

// testCase returns a current test case. Fault: NotFound.
func (r *Resolver) testCase(ctx context.Context, id uuid.UUID) (*tests.Case, error) {
	c, err := optional(ctx, loadersOf(ctx).testCasesByID, &id)
	if err == nil && (c == nil || c.EndedAt != nil) {
		err = fault.Wrap(fault.NotFound, nil)
	}
	return c, err
}

// testCaseFrom proposes a document from a turn of the API or of Try. Only its own conversation is
// read: deleting another one would leave its texts in the case. Fault: NotFound.
func (r *Resolver) testCaseFrom(ctx context.Context, turnID uuid.UUID) (string, error) {
	l := loadersOf(ctx)
	turn, ok, err := l.turnsByID[true].get(ctx, turnID)
	if err == nil && (!ok || turn.Source != conversation.API && turn.Source != conversation.Playground) {
		err = fault.Wrap(fault.NotFound, nil)
	}
	if err != nil {
		return "", err
	}
	message := conversations.ExchangeOf(turn)
	if turn.MessageNumber != nil { // the values came with that message
		chain, err := chainOf(ctx, &turn)
		if err != nil {
			return "", err
		}
		if len(chain) > 0 {
			turn.Message, turn.Variables = chain[0].Message, chain[0].Variables
		}
	}
	found, err := conversations.On(r.store).TurnsByConversations(ctx, owner(ctx), []uuid.UUID{turn.ConversationID},
		conversations.TurnQuery{
			Size:    store.MaxPage,
			FromEnd: true,
			Texts:   true,
			Before:  &store.Cursor{Key: message.Number, ID: message.ConversationID},
		})
	earlier := found[turn.ConversationID].Items
	if err = cmp.Or(err, readTurns(ctx, earlier)); err != nil {
		return "", err
	}
	return proposal(evaluation.Case{
		Enabled:   true,
		History:   historyOf(earlier),
		Message:   turn.Message,
		Variables: turn.Variables,
	}), nil
}

// proposal returns the document of a case, with as many of the latest turns as fit.
func proposal(c evaluation.Case) string {
	c.History = c.History[max(0, len(c.History)-evaluation.MaxHistory):]
	size := 0
	for i, e := range slices.Backward(c.History) {
		if size += len(e.Message) + len(e.Reply); size > evaluation.MaxDocument {
			c.History = c.History[i+1:]
			break
		}
	}
	for { // escaping may make it longer
		document := string(c.Document())
		if len(document) <= evaluation.MaxDocument || len(c.History) == 0 {
			return document
		}
		c.History = c.History[1:]
	}
}

// historyOf returns the messages of turns with their replies. If a message was
// followed by action results, its reply joins the texts of all rounds. Replies without text are
// left out.
func historyOf(turns []conversation.Turn) (out []evaluation.Exchange) {
	var last conversations.ExchangeKey
	for _, t := range turns {
		key := conversations.ExchangeOf(t)
		switch {
		case t.State != conversation.Answered:
			continue
		case t.MessageNumber == nil:
			out = append(out, evaluation.Exchange{Message: t.Message})
		case key != last: // its message is not on the page
			continue
		}
		last = key
		exchange := &out[len(out)-1]
		exchange.Reply = strings.TrimPrefix(exchange.Reply+"\n\n"+deref(t.Reply), "\n\n")
	}
	return slices.DeleteFunc(out, func(e evaluation.Exchange) bool {
		return strings.TrimSpace(e.Reply) == ""
	})
}

func (r *Resolver) createTestCase(
	ctx context.Context, input model.CreateTestCaseInput,
) (*model.CreateTestCasePayload, error) {
	parsed, err := evaluation.Parse([]byte(input.Document))
	if err != nil {
		return nil, err
	}
	created, err := tests.On(r.store).CreateCase(ctx, owner(ctx), input.AgentID, parsed,
		input.TurnID.Value(), author(ctx))
	return &model.CreateTestCasePayload{TestCase: &created}, err
}

func (r *Resolver) updateTestCase(
	ctx context.Context, input model.UpdateTestCaseInput,
) (*model.UpdateTestCasePayload, error) {
	var parsed *evaluation.Case
	if text := input.Document.Value(); text != nil {
		var err error
		if parsed, err = evaluation.Parse([]byte(*text)); err != nil {
			return nil, err
		}
	}
	changed, err := tests.On(r.store).UpdateCase(ctx, owner(ctx), input.ID, parsed,
		deref(input.Keep.Value()), author(ctx))
	return &model.UpdateTestCasePayload{TestCase: &changed}, err
}

func (r *Resolver) deleteTestCases(
	ctx context.Context, input model.DeleteTestCasesInput,
) (*model.DeleteTestCasesPayload, error) {
	if n := len(input.Ids); n < 1 || n > evaluation.MaxCases {
		return nil, fault.Invalid(fault.Field{Path: "ids", Reason: fault.OutOfRange, Limit: evaluation.MaxCases,
			Message: "Send 1 to 500 ids."})
	}
	return &model.DeleteTestCasesPayload{Ids: input.Ids},
		tests.On(r.store).DeleteCases(ctx, owner(ctx), input.Ids)
}

// importTestCases adds the cases of a file. Faults: InvalidInput on file; Unavailable when no memory
// is left; those of tests.Store.ImportCases.
func (r *Resolver) importTestCases(
	ctx context.Context, input model.ImportTestCasesInput,
) (*model.ImportTestCasesPayload, error) {
	if err := requestOf(ctx).hold.Grow(importing * int64(len(input.File.Content))); err != nil {
		return nil, err
	}
	cases, skipped, err := evaluation.Import(input.File.Content, deref(input.SkipUnsupported.Value()))
	if err == nil && len(cases) > 0 {
		err = tests.On(r.store).ImportCases(ctx, owner(ctx), input.AgentID, cases, author(ctx))
	}
	if err != nil {
		return nil, err
	}
	found, err := agents.On(r.store).Agent(ctx, owner(ctx), input.AgentID)
	return &model.ImportTestCasesPayload{
		Agent:    &found,
		Imported: len(cases),
		Skipped:  pointers(skipped),
	}, err
}

// importing is the memory that an import takes per byte of its file, for the parsed cases and their
// documents.
const importing = 8

func (r *Resolver) updateTestSettings(
	ctx context.Context, input model.UpdateTestSettingsInput,
) (*model.UpdateTestSettingsPayload, error) {
	changed, err := tests.On(r.store).UpdateSettings(ctx, owner(ctx), input.AgentID, tests.SettingsChanges{
		Gate:               change(input.Gate),
		Repeats:            change(input.Repeats),
		NeededPasses:       change(input.NeededPasses),
		Judge:              change(input.Judge),
		TokenCreditsPerDay: change(input.TokenCreditsPerDay),
	})
	return &model.UpdateTestSettingsPayload{Agent: &changed}, err
}

// testSettingsOf returns an agent's test settings.
func testSettingsOf(ctx context.Context, obj *agent.Agent) (*tests.Settings, error) {
	return required(optional(ctx, loadersOf(ctx).testSettings, &obj.ID))
}

// standingOf returns the test standing of an agent's draft.
func standingOf(ctx context.Context, obj *tests.Settings) (tests.Standing, error) {
	found, ok, err := loadersOf(ctx).testStandings.get(ctx, obj.AgentID)
	if err == nil && !ok {
		err = fault.Wrap(fault.NotFound, nil)
	}
	return found, err
}
