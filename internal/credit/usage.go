package credit

import (
	"time"
	_ "time/tzdata" // the same zones on every machine

	"agentchat/internal/fault"
)

// Interval is how long each point of a usage lasts.
type Interval string

// The intervals. Days and months are those of the calendar in the zone that is asked for: a day may last 23 or 25 hours.
const (
	Hour  Interval = "HOUR"
	Day   Interval = "DAY"
	Month Interval = "MONTH"
)

// MaxUsagePoints is the most points of one usage: 41 days of hours, or 2.7 years of days.
const MaxUsagePoints = 1_000

// UsagePoint is what was charged in one interval.
type UsagePoint struct {
	// Start is the interval's first moment.
	Start time.Time
	// Credits is the sum of the charges, as a positive number of whole credits.
	Credits int64
	// Messages is the number of charges.
	Messages int64
}

// ParseZone returns the zone of an IANA name like Europe/Berlin; empty is UTC. Fault: InvalidInput on timeZone.
func ParseZone(name string) (*time.Location, error) {
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" { // a word of package time, which means the machine's zone
		return nil, fault.Invalid(fault.Field{Path: "timeZone", Reason: fault.InvalidValue,
			Message: "There is no such time zone; use an IANA name like Europe/Berlin."})
	}
	return zone, nil
}

// UsageStarts returns the first moments, in UTC, of all intervals that have a part in [from, to), in order; the first one may
// lie before from. Fault: InvalidInput on to when it is not after from, or when there are more than MaxUsagePoints.
func UsageStarts(from, to time.Time, by Interval, zone *time.Location) ([]time.Time, error) {
	if !from.Before(to) {
		return nil, fault.Invalid(fault.Field{Path: "to", Reason: fault.OutOfRange, Message: "The end must be later than the beginning."})
	}
	var starts []time.Time
	for at := startOf(from.In(zone), by); at.Before(to); at = after(at.In(zone), by) {
		if len(starts) == MaxUsagePoints {
			return nil, fault.Invalid(fault.Field{Path: "to", Reason: fault.OutOfRange, Limit: MaxUsagePoints,
				Message: "This is more than 1,000 points. Ask for a shorter time, or for longer intervals."})
		}
		starts = append(starts, at.UTC())
	}
	return starts, nil
}

// startOf returns the first moment of the interval that t lies in.
func startOf(t time.Time, by Interval) time.Time {
	switch by {
	case Month:
		return startOfDay(t.Year(), t.Month(), 1, t.Location())
	case Day:
		return startOfDay(t.Year(), t.Month(), t.Day(), t.Location())
	}
	return startOfHour(t)
}

// after returns the first moment of the interval after the one that begins at t.
func after(t time.Time, by Interval) time.Time {
	switch by {
	case Month:
		return startOfDay(t.Year(), t.Month()+1, 1, t.Location())
	case Day:
		return startOfDay(t.Year(), t.Month(), t.Day()+1, t.Location())
	}
	next := startOfHour(t.Add(time.Hour))
	if !next.After(t) { // the clock was put back by less than an hour, into the hour that begins at t
		next = startOfHour(t.Add(2 * time.Hour))
	}
	return next
}

// startOfHour returns the last moment until t at which the clock showed a whole hour, or at which it was put forward or back.
func startOfHour(t time.Time) time.Time {
	past := time.Duration(t.Minute())*time.Minute + time.Duration(t.Second())*time.Second + time.Duration(t.Nanosecond())
	start := t.Add(-past)
	if changed, _ := t.ZoneBounds(); !changed.IsZero() && changed.After(start) {
		return changed
	}
	return start
}

// startOfDay returns the first moment of a day. It is not always midnight: where clocks are put forward at midnight there is
// none, and where they are put back at one o'clock there are two.
func startOfDay(year int, month time.Month, day int, zone *time.Location) time.Time {
	noon := time.Date(year, month, day, 12, 0, 0, 0, zone) // normal, whatever month and day were given
	year, month, day = noon.Date()
	t := time.Date(year, month, day, 0, 0, 0, 0, zone)
	changed, changes := t.ZoneBounds()
	if t.Day() != day {
		return changes // midnight was left out: t is before the clock was put forward
	}
	if changed.IsZero() {
		return t
	}
	_, offset := t.Zone()
	_, before := changed.Add(-time.Nanosecond).Zone()
	if first := t.Add(time.Duration(offset-before) * time.Second); first.Before(changed) && first.In(zone).Day() == day {
		return first // the clock was put back over midnight
	}
	return t
}
