package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
	"agentchat/internal/store"
)

// maxAgentFile bounds an agent's file: its texts, each character escaped, are smaller.
const maxAgentFile = 4 << 20

// agentFile is an agent's draft as a file.
type agentFile struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	agent.Settings
}

// agentExportCmd is `agentchat agent export`.
type agentExportCmd struct {
	databaseSettings
	ID string `name:"id" required:"" placeholder:"ID" help:"The agent's ID, as in the panel's address."`
}

// Run prints the agent's draft as a file for agent import.
func (c *agentExportCmd) Run(ctx context.Context, out *output) error {
	id, err := parseID(c.ID)
	if err != nil {
		return err
	}
	return withDatabase(ctx, &c.databaseSettings, out, openForCommand, func(db *database) error {
		owner, err := db.OwnerOfAgent(ctx, id)
		if fault.Is(err, fault.NotFound) {
			return fault.New(fault.NotFound, "There is no agent "+c.ID+".")
		}
		if err != nil {
			return err
		}
		found, err := db.Agent(ctx, owner, id)
		if err != nil {
			return err
		}
		file := agentFile{found.Name, found.Description, found.Settings}
		text, err := json.MarshalIndent(file, "", "  ")
		if err != nil {
			return err
		}
		return out.result(string(text), file)
	})
}

// agentImportCmd is `agentchat agent import`.
type agentImportCmd struct {
	accountShowCmd
	File string `arg:"" help:"A file that agent export printed; - for standard input."`
}

// Run creates an agent of the account from the file. It is a draft: its owner publishes it.
func (c *agentImportCmd) Run(ctx context.Context, p *process, out *output) error {
	file, err := c.read(p.stdin)
	if err != nil {
		return err
	}
	changes := agent.Replace(file.Name, file.Description, file.Settings)
	// Which models there are is the service's to say: its panel marks one that it does not offer.
	if err := changes.CheckNew(func(string) bool { return true }); err != nil {
		return err
	}
	return c.with(ctx, out, func(db *database, owner store.Owned) error {
		created, err := db.CreateAgent(ctx, owner.ID, agent.New(changes))
		if err != nil {
			return err
		}
		return out.result(fmt.Sprintf("The agent “%s” is a draft of %s. Its ID is %s.", created.Name, owner.Email, created.ID),
			map[string]any{"id": created.ID, "name": created.Name, "account_id": owner.ID})
	})
}

func (c *agentImportCmd) read(stdin io.Reader) (file agentFile, err error) {
	from := stdin
	if c.File != "-" {
		opened, err := os.Open(filepath.Clean(c.File))
		if err != nil {
			return file, usagef("%s cannot be read: %v", c.File, plainFileError(err))
		}
		defer func() { _ = opened.Close() }()
		from = opened
	}
	content, err := io.ReadAll(io.LimitReader(from, maxAgentFile+1))
	if err != nil {
		return file, fmt.Errorf("%s cannot be read: %w", c.File, plainFileError(err))
	}
	if len(content) > maxAgentFile {
		return file, usagef("%s is longer than 4 MiB", c.File)
	}
	file.Settings = agent.DefaultSettings()
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	err = decoder.Decode(&file)
	if err == nil && decoder.More() {
		err = errors.New("something follows the agent")
	}
	if err != nil {
		return file, usagef("%s is not a file of agent export: %v", c.File, err)
	}
	return file, nil
}
