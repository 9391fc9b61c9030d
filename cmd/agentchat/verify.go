package main

import (
	"context"
	"fmt"
	"strings"

	"agentchat/internal/store/operator"
)

// maxViolations is the largest number of violations listed.
const maxViolations = 100

// verifyCmd is `agentchat verify`.
type verifyCmd struct {
	databaseSettings
}

// Run checks the ledger in one snapshot, even while the service runs, and prints the violations.
func (c *verifyCmd) Run(ctx context.Context, out *output) error {
	return withDatabase(ctx, &c.databaseSettings, out, openForCommand, func(db *database) error {
		found, err := operator.On(db.DB).Verify(ctx, maxViolations)
		if err != nil {
			return err
		}
		violations := found.Violations
		if violations == nil {
			violations = []operator.Violation{} // an empty list in JSON
		}
		err = out.result(verdict(found), map[string]any{
			"consistent": found.Total == 0, "accounts": found.Accounts, "turns": found.Turns, "entries": found.Entries,
			"violation_count": found.Total, "violations": violations,
		})
		if err == nil && found.Total > 0 {
			err = fmt.Errorf("the ledger is not consistent: %d violations in %d accounts, %d turns and %d entries",
				found.Total, found.Accounts, found.Turns, found.Entries)
		}
		return err
	})
}

// verdict returns the result as text, with one line per violation.
func verdict(v operator.Verification) string {
	if v.Total == 0 {
		return fmt.Sprintf("the ledger is consistent: %d accounts, %d turns, %d entries", v.Accounts,
			v.Turns, v.Entries)
	}
	lines := make([]string, len(v.Violations))
	for i, found := range v.Violations {
		lines[i] = fmt.Sprintf("%s: account %s: %s", found.Kind, found.AccountID, found.Figures)
	}
	return strings.Join(lines, "\n")
}
