package credit

import (
	"time"
	_ "time/tzdata" // the same zones on every machine

	"agentchat/internal/fault"
)

// Interval is the length of the intervals of a usage report.
type Interval string

// The intervals. Days and months are calendar days and months in the requested zone: a day can last
// 23 or 25 hours.
const (
	Hour  Interval = "HOUR"
	Day   Interval = "DAY"
	Month Interval = "MONTH"
)

// MaxIntervals is the most intervals of a usage report: 41 days of hours, or 2.7 years of days.
const MaxIntervals = 1_000

// ParseZone returns the zone of an IANA name like Europe/Berlin; empty means UTC. Fault:
// InvalidInput on timeZone.
func ParseZone(name string) (*time.Location, error) {
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" { // package time accepts "Local" for the machine's zone
		return nil, fault.Invalid(fault.Field{
			Path:    "timeZone",
			Reason:  fault.InvalidValue,
			Message: "This is not a known time zone. Use an IANA name like Europe/Berlin.",
		})
	}
	return zone, nil
}

// UsageStarts returns the starts, in UTC and ascending, of all intervals that overlap [from, to);
// the first may be before from. Fault: InvalidInput on to if it is not after from, or if there are
// more than MaxIntervals.
func UsageStarts(from, to time.Time, by Interval, zone *time.Location) ([]time.Time, error) {
	if !from.Before(to) {
		return nil, fault.Invalid(fault.Field{
			Path:    "to",
			Reason:  fault.OutOfRange,
			Message: "The end must be after the start.",
		})
	}
	var starts []time.Time
	for at := startOf(from.In(zone), by); at.Before(to); at = after(at.In(zone), by) {
		if len(starts) == MaxIntervals {
			return nil, fault.Invalid(fault.Field{Path: "to", Reason: fault.OutOfRange, Limit: MaxIntervals,
				Message: "This is more than 1,000 intervals. Choose a shorter range or longer intervals."})
		}
		starts = append(starts, at.UTC())
	}
	return starts, nil
}

// startOf returns the start of the interval that contains t.
func startOf(t time.Time, by Interval) time.Time {
	switch by {
	case Month:
		return startOfDay(t.Year(), t.Month(), 1, t.Location())
	case Day:
		return startOfDay(t.Year(), t.Month(), t.Day(), t.Location())
	}
	return startOfHour(t)
}

// after returns the start of the interval after the one that starts at t.
func after(t time.Time, by Interval) time.Time {
	switch by {
	case Month:
		return startOfDay(t.Year(), t.Month()+1, 1, t.Location())
	case Day:
		return startOfDay(t.Year(), t.Month(), t.Day()+1, t.Location())
	}
	next := startOfHour(t.Add(time.Hour))
	if !next.After(t) { // the clock was set back by less than an hour, into the hour that starts at t
		next = startOfHour(t.Add(2 * time.Hour))
	}
	return next
}

// startOfHour returns the last time up to t at which the clock showed a whole hour, or was set
// forward or back.
func startOfHour(t time.Time) time.Time {
	past := time.Duration(t.Minute())*time.Minute + time.Duration(t.Second())*time.Second +
		time.Duration(t.Nanosecond())
	start := t.Add(-past)
	if changed, _ := t.ZoneBounds(); !changed.IsZero() && changed.After(start) {
		return changed
	}
	return start
}

// startOfDay returns the start of a day. It is not always midnight: a day whose clocks are set
// forward at midnight has no midnight, and one whose clocks are set back at one o'clock has two.
func startOfDay(year int, month time.Month, day int, zone *time.Location) time.Time {
	noon := time.Date(year, month, day, 12, 0, 0, 0, zone) // normalizes month and day
	year, month, day = noon.Date()
	t := time.Date(year, month, day, 0, 0, 0, 0, zone)
	changed, changes := t.ZoneBounds()
	if t.Day() != day {
		return changes // there was no midnight: t is before the clock was set forward
	}
	if changed.IsZero() {
		return t
	}
	_, offset := t.Zone()
	_, before := changed.Add(-time.Nanosecond).Zone()
	if first := t.Add(time.Duration(offset-before) * time.Second); first.Before(changed) &&
		first.In(zone).Day() == day {
		return first // the clock was set back over midnight
	}
	return t
}
