package main

import (
	"context"
	"math/big"
	"strings"
	"time"

	"agentchat/internal/admin"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/store/usage"
)

// marginDays is the number of days whose margins the doctor checks.
const marginDays = 7

// margins adds the models that cost more than they earn, and those whose cost is unknown although
// the operator has set the cost of another one.
func (f *findings) margins(ctx context.Context, out *output, db *database, c *serveCmd) {
	to := time.Now().Truncate(time.Hour).Add(time.Hour)
	rows, err := usage.On(db.DB).AccountsUsage(ctx, usage.AccountsQuery{
		From: to.AddDate(0, 0, -marginDays),
		To:   to,
		By:   []usage.Dimension{usage.ByModel},
	})
	if err != nil {
		f.add("Check again later.", "The usage of the last %d days cannot be read: %s.", marginDays,
			strings.TrimSuffix(out.line(operatorText(err)), "."))
	}
	models := c.catalogue.Now()
	for _, row := range rows {
		margin := admin.MarginOf(row, c.CreditValue.nano)
		if margin.Cost != nil && margin.Revenue != nil && margin.Revenue.Cmp(big.NewInt(*margin.Cost)) < 0 {
			f.add("Raise its credits, or use a cheaper model.",
				"Model %s cost %s for credits worth %s in the last %d days.", *row.Model,
				dollars(big.NewInt(*margin.Cost)), dollars(margin.Revenue), marginDays)
		}
		entry, offered := models.Lookup(*row.Model)
		if row.Uncosted > 0 && offered && entry.Cost == nil && hasCosts(models) {
			f.add("Add its cost to the models file.", "%d of %d turns of model %s have no known cost.",
				row.Uncosted, row.Messages+row.Failed, *row.Model)
		}
	}
}

// hasCosts reports whether a model of a provider has a cost.
func hasCosts(models *catalogue.Catalogue) bool {
	for _, entry := range models.All() {
		if entry.Cost != nil && !entry.Sandbox {
			return true
		}
	}
	return false
}
