package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"agentchat/internal/store/accounts"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/dataexport"
)

// progressEvery is the interval at which a long command reports its progress.
const progressEvery = 5 * time.Second

// accountExportCmd is `agentchat account export`.
type accountExportCmd struct {
	accountShowCmd
	actingOperator
}

// Run writes the account as JSON lines on standard output: the account, its agents with their
// versions, its exports, its conversations with their messages, and its credit history. Each line
// has a "type".
func (c *accountExportCmd) Run(ctx context.Context, out *output) error {
	ctx, err := c.acting(ctx, "account export")
	if err != nil {
		return err
	}
	return c.with(ctx, out, func(db *database, found accounts.Owned) error {
		if err := audit.On(db.DB).RecordRead(ctx, found.ID, found.ID.String()); err != nil {
			return err
		}
		buffered := bufio.NewWriter(out.stdout)
		lines, said := 0, time.Now()
		err := dataexport.On(db.DB).ExportAccount(ctx, found.ID, nil, func(line json.RawMessage) error {
			lines++
			if time.Since(said) > progressEvery {
				said = time.Now()
				out.progress("lines", lines)
			}
			_, err := buffered.Write(append(line, '\n'))
			return err
		})
		if err == nil {
			err = buffered.Flush()
		}
		if err != nil {
			return fmt.Errorf("the export is not complete: %w", err)
		}
		return nil
	})
}
