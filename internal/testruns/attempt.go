package testruns

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/conversation"
	"agentchat/internal/evaluation"
	"agentchat/internal/fault"
	"agentchat/internal/memory"
	"agentchat/internal/store/tests"
)

// exchange is an attempt while it is made.
type exchange struct {
	*execution
	// ctx ends with the worker, but own does not.
	ctx, own context.Context
	to       tests.CaseToSend
	session  string
	hold     *memory.Hold
	// turns are the answered turns of the tested agent.
	turns  []uuid.UUID
	result tests.Result
}

// try makes an attempt. If a message fails, the result has its error code. Faults: NotFound if the
// case was erased; errEnded if the run sends no more messages.
func (e *execution) try(ctx, own context.Context, a attempt) (*tests.Result, error) {
	to, err := tests.On(e.cfg.Store).CaseToSend(own, a.ID)
	if err != nil {
		return nil, err
	}
	x := &exchange{
		execution: e,
		ctx:       ctx,
		own:       own,
		to:        to,
		session:   fmt.Sprintf("test.%s.%d.%d", e.run.ID, a.Number, a.repeat),
		hold:      e.cfg.Memory.Hold(memory.Panel(e.run.AccountID)),
		result:    tests.Result{RunID: e.run.ID, CaseNumber: a.Number, Repeat: a.repeat, CaseID: a.ID},
	}
	defer x.hold.Release()
	err = x.make()
	failed, refused := errors.AsType[*messageError](err)
	if err != nil && !refused {
		return nil, err
	}
	if refused {
		x.result.Passed, x.result.Verdicts = false, nil
		x.result.ErrorCode, x.result.TurnID = new(string(failed.code)), failed.turn
	}
	e.observe(refused && failed.willPass)
	return &x.result, nil
}

// make sends the message with the results of actions, and checks the final reply.
func (x *exchange) make() error {
	answer, err := x.chain()
	if err != nil {
		return err
	}
	reply := evaluation.Reply{Text: answer.Reply}
	for _, c := range answer.Actions {
		reply.Actions = append(reply.Actions, evaluation.Call{Name: c.Name, Arguments: c.Arguments})
	}
	for _, s := range answer.Sources {
		reply.Sources = append(reply.Sources, s.Name)
	}
	reply.ModelMS, err = tests.On(x.cfg.Store).ModelTime(x.own, x.run.AccountID, x.turns)
	if err != nil {
		return err
	}
	x.result.DurationMs = reply.ModelMS
	for _, v := range x.to.Case.Verdicts(reply) {
		x.result.Verdicts = append(x.result.Verdicts, tests.Verdict{Verdict: v})
	}
	for _, check := range x.to.Case.JudgeChecks() {
		if err := x.judge(check, reply); err != nil {
			return err
		}
	}
	slices.SortFunc(x.result.Verdicts, func(a, b tests.Verdict) int { return cmp.Compare(a.Check, b.Check) })
	x.result.Passed = !slices.ContainsFunc(x.result.Verdicts, func(v tests.Verdict) bool { return !v.Passed })
	return nil
}

// chain sends the message, and then action results for as long as the case has all that a reply
// requests. It returns the last reply.
func (x *exchange) chain() (*chat.Answer, error) {
	c := x.to.Case
	msg := chat.Message{
		AgentID:   x.run.AgentID,
		Version:   x.run.Version,
		Text:      c.Message,
		Variables: c.Variables,
		Session:   &x.session,
	}
	if x.run.Model != nil {
		msg.Model = *x.run.Model
	}
	for _, e := range c.History {
		msg.History = append(msg.History, conversation.EarlierTurn{Message: e.Message, Reply: e.Reply})
	}
	settings := x.settings
	price := func() int64 {
		price, _ := messagePrice(x.cfg.Catalogue.Now(), &settings.Settings, x.run.Model, settings.HasKnowledge)
		return price
	}
	for step := 1; ; step++ {
		answer, err := x.send(msg, step, price)
		if err != nil {
			return nil, err
		}
		x.add(answer)
		results, ok := resultsFor(c, answer.Actions)
		if !ok || step > conversation.MaxRounds {
			return answer, nil
		}
		msg.Text, msg.Variables, msg.Results = "", nil, results
	}
}

// add adds an answer of the tested agent to the result.
func (x *exchange) add(answer *chat.Answer) {
	first := len(x.turns) == 0
	x.turns = append(x.turns, answer.MessageID)
	r := &x.result
	r.TurnID, r.Model = &answer.MessageID, &answer.Model
	r.InputTokens = sum(first, r.InputTokens, answer.InputTokens)
	r.OutputTokens = sum(first, r.OutputTokens, answer.OutputTokens)
}

// sum adds two counts; nil if either is unknown.
func sum(first bool, others, count *int64) *int64 {
	switch {
	case first:
		return count
	case others == nil || count == nil:
		return nil
	}
	return new(*others + *count)
}

// resultsFor returns the case's results for the actions that a reply requests; false if it requests
// none, or one without a result.
func resultsFor(c *evaluation.Case, calls []conversation.ActionCall) (*conversation.ActionResults, bool) {
	list := make([]conversation.ActionResult, len(calls))
	for i, call := range calls {
		r, ok := c.ActionResults[call.Name]
		if !ok {
			return nil, false
		}
		list[i] = conversation.ActionResult{ID: call.ID, Result: r.Result, Error: r.Error}
	}
	return conversation.NewActionResults(list), len(list) > 0
}

// judge asks the judge about a check of the final reply.
func (x *exchange) judge(check int, reply evaluation.Reply) error {
	judge := x.settings.Judge
	if judge == nil { // a case has judge checks only if the run has a judge
		return fault.Wrap(fault.Internal, errors.New("a run of judge checks has no judge"))
	}
	session := fmt.Sprintf("%s.%d", x.session, check)
	msg := chat.Message{
		AgentID: judge.AgentID,
		Version: &judge.Version,
		Text:    x.to.Case.JudgeMessage(check, reply),
		Session: &session,
	}
	answer, err := x.send(msg, 1, func() int64 {
		price, _ := messagePrice(x.cfg.Catalogue.Now(), &judge.Settings, nil, judge.HasKnowledge)
		return price
	})
	if err != nil {
		return err
	}
	passed, _, err := evaluation.ParseVerdict([]byte(answer.Reply))
	if err != nil { // the judge's schema allows other replies than verdicts
		return &messageError{code: fault.InvalidOutput, turn: &answer.MessageID}
	}
	x.result.Verdicts = append(x.result.Verdicts, tests.Verdict{
		Verdict:   evaluation.Verdict{Check: check, Type: evaluation.Judge, Passed: passed},
		JudgeTurn: &answer.MessageID,
	})
	return nil
}
