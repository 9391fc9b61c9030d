package db

import (
	"context"
	"time"
)

// Period is a period in which an export's use is counted.
type Period string

// The periods: UTC days and calendar months. Day and Month count the export's credits, UserDay the
// messages of one end user: through the export, or, under a limit of their own, over the account.
const (
	Day     Period = "DAY"
	Month   Period = "MONTH"
	UserDay Period = "USER_DAY"
)

// Periods are the starts of the current periods.
type Periods struct{ Today, ThisMonth time.Time }

// CurrentPeriods reads the current periods by the database's clock.
func CurrentPeriods(ctx context.Context, s *DB) (Periods, error) {
	return One[Periods](ctx, s, `
		SELECT date_trunc('day', n.now) AT TIME ZONE 'UTC' AS today, date_trunc('month', n.now) AT TIME ZONE 'UTC' AS this_month
		FROM (SELECT statement_timestamp() AT TIME ZONE 'UTC' AS now) n`)
}
