package graph

import (
	"context"

	"agentchat/graph/model"
	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/knowledge/filetext"
	"agentchat/internal/store/sources"
)

// importAnswers reads a file of questions and answers, and adds them if the input says so. Faults:
// InvalidInput on file and encoding, also for adding answers in an uncertain encoding; NotFound;
// Unavailable when no memory is left for the work.
func (r *Resolver) importAnswers(
	ctx context.Context,
	input model.ImportKnowledgeAnswersInput,
) (*model.ImportKnowledgeAnswersPayload, error) {
	encoding, err := chosenEncoding(".csv", input.Encoding.Value())
	if err == nil {
		err = requestOf(ctx).hold.Grow(indexing * int64(len(input.File.Content)))
	}
	if err != nil {
		return nil, err
	}
	read, err := filetext.ReadAnswers(input.File.Content, deref(encoding), input.Header.Value())
	if err == nil && input.Add {
		err = read.CheckCertain()
	}
	if err != nil {
		return nil, err
	}
	var answers []sources.NewKnowledge
	for _, row := range read.Rows {
		if row.Problem == "" {
			answers = append(answers, sources.NewKnowledge{Kind: knowledge.Answer, Questions: row.Questions,
				Text: row.Answer, By: author(ctx)}.Cut())
		}
	}
	add := sources.On(r.store).KnownAnswers
	if input.Add {
		add = sources.On(r.store).ImportAnswers
	}
	refused, err := add(ctx, owner(ctx), input.AgentID, answers)
	if err != nil {
		return nil, err
	}
	out := &model.ImportKnowledgeAnswersPayload{Encoding: read.Encoding, Header: read.Header,
		Rows: []*model.AnswerRow{}, Notes: pointers(read.Notes)}
	for _, row := range read.Rows {
		if row.Problem == "" {
			if err := refused[0]; err != nil {
				row.Problem = fault.ClientMessage(err)
			} else if input.Add {
				out.Added++
			}
			refused = refused[1:]
		}
		out.Rows = append(out.Rows, &model.AnswerRow{Row: row.Row, Questions: row.Questions,
			Answer: row.Answer, Problem: textOrNull(row.Problem)})
	}
	return out, nil
}
