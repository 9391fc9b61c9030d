package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/uuid"

	"agentchat/internal/agentfile"
	"agentchat/internal/foreign"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/versions"
)

// agentImportCmd is `agentchat agent import`.
type agentImportCmd struct {
	accountShowCmd
	actingOperator
	knowledgeSettings
	From   fileFormat `placeholder:"FORMAT" help:"The format of another system's file: dify, openai-prompt or openai-assistant. Without it, the format is detected."` //nolint:lll // one tag
	DryRun bool       `help:"Print the draft and what was changed or left out, but import nothing. Needs no database."`
	File   string     `arg:"" help:"A file that agent export printed, or that another system exported; - for standard input."`
}

// fileFormat is a format of files; empty to detect it.
type fileFormat foreign.Format

// UnmarshalText reads the value of --from.
func (f *fileFormat) UnmarshalText(text []byte) error {
	switch format := strings.ToUpper(strings.ReplaceAll(string(text), "-", "_")); foreign.Format(format) {
	case foreign.Dify, foreign.OpenAIPrompt, foreign.OpenAIAssistant:
		*f = fileFormat(format)
		return nil
	}
	return fmt.Errorf("must be dify, openai-prompt or openai-assistant, not %q", text)
}

// Run creates an agent of the account from the file, with its knowledge, as a draft.
func (c *agentImportCmd) Run(ctx context.Context, p *process, out *output) error {
	if !c.DryRun {
		acting, err := c.acting(ctx, "agent import")
		if err != nil {
			return err
		}
		ctx = acting
	}
	content, err := c.read(p.stdin)
	if err != nil {
		return err
	}
	in, err := foreign.NewReader().Read(ctx, uuid.Nil, foreign.Format(c.From), content)
	if err != nil {
		return err
	}
	if c.DryRun {
		return printDraft(in, out)
	}
	c.knowledgePassages = c.KnowledgePassages
	return c.with(ctx, out, func(db *database, owner accounts.Owned) error {
		created, err := versions.On(db.DB).ImportAgent(ctx, owner.ID, in.Agent,
			in.File.Sources(nil, unbounded))
		if err != nil {
			return in.File.OnLine(err)
		}
		text := fmt.Sprintf("The agent “%s” is a draft of %s. Its ID is %s.", created.Name, owner.Email,
			created.ID)
		if in.File.Known > 0 {
			text = strings.TrimSuffix(text, ".") + fmt.Sprintf("; it knows %d sources.", in.File.Known)
		}
		return printImport(in, out, text, map[string]any{
			"id":         created.ID,
			"name":       created.Name,
			"account_id": owner.ID,
			"sources":    in.File.Known,
		})
	})
}

func unbounded(int64) error { return nil }

// printDraft prints the settings of a draft, as agent export does, after reading all of its file.
func printDraft(in foreign.Draft, out *output) error {
	for _, err := range in.File.Sources(nil, unbounded) {
		if err != nil {
			return in.File.OnLine(err)
		}
	}
	head := agentfile.HeadOf(in.Agent)
	return printImport(in, out, head.Text(true), map[string]any{
		"draft":   head,
		"sources": in.File.Known,
	})
}

// printImport prints a result with the notes on the file: in the object, or on standard error.
func printImport(in foreign.Draft, out *output, text string, object map[string]any) error {
	object["notes"], object["more_notes"] = append([]foreign.Note{}, in.Notes...), in.More
	if err := out.result(text, object); err != nil || out.json {
		return err
	}
	for _, n := range in.Notes {
		out.note(fmt.Sprintf("line %d, %s: %s", n.Line, n.Path, n.Message))
	}
	if in.More > 0 {
		out.note(fmt.Sprintf("%d more notes", in.More))
	}
	return nil
}

// maxAgentFile is the largest file of an agent, in bytes. The largest agent fits, with line feeds
// and quotes escaped.
const maxAgentFile = 128 << 20

func (c *agentImportCmd) read(stdin io.Reader) ([]byte, error) {
	from, name := stdin, "standard input"
	if c.File != "-" {
		name = c.File
		opened, err := os.Open(filepath.Clean(name))
		if err != nil {
			return nil, usagef("%s cannot be read: %v", name, plainFileError(err))
		}
		defer func() { _ = opened.Close() }()
		from = opened
	}
	content, err := io.ReadAll(io.LimitReader(from, maxAgentFile+1))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", name, plainFileError(err))
	}
	if len(content) > maxAgentFile {
		return nil, usagef("%s is longer than 128 MiB", name)
	}
	return content, nil
}
