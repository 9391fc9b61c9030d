package credit_test

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"agentchat/internal/credit"
	"agentchat/internal/fault"
)

func zoneOf(t testing.TB, name string) *time.Location {
	t.Helper()
	zone, err := credit.ParseZone(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func at(t testing.TB, text string) time.Time {
	t.Helper()
	out, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// field returns path and reason of the one invalid field.
func field(err error) string {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Kind != fault.InvalidInput || len(f.Fields) != 1 || f.Fields[0].Message == "" {
		return ""
	}
	return f.Fields[0].Path + " " + string(f.Fields[0].Reason)
}

func TestParseZone(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"": "UTC", "UTC": "UTC", "Europe/Berlin": "Europe/Berlin", "Asia/Kolkata": "Asia/Kolkata",
		"America/Argentina/Buenos_Aires": "America/Argentina/Buenos_Aires"} {
		if zone, err := credit.ParseZone(name); err != nil || zone.String() != want {
			t.Errorf("%q: %v %v", name, zone, err)
		}
	}
	for _, name := range []string{"Local", "Berlin", "Europe/Nowhere", "+02:00", "UTC+2",
		"../etc/passwd", "/etc/localtime", "Europe/Berlin ",
		"Europe/Berlin\x00", "' OR 1=1 --", "Europe"} {
		if zone, err := credit.ParseZone(name); field(err) != "timeZone invalid_value" {
			t.Errorf("%q: %v %v", name, zone, err)
		}
	}
}

// TestUsageStarts checks days with clock changes, half hours, and the edges of months and ranges.
func TestUsageStarts(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		zone, from, to string
		by             credit.Interval
		want           []string
	}{
		"clocks forward in Berlin": {"Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-30T12:00:00Z", credit.Day,
			[]string{"2026-03-27T23:00:00Z", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"}},
		"clocks back in Berlin": {"Europe/Berlin", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00.000001Z", credit.Day,
			[]string{"2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"}},
		"clocks back in New York": {"America/New_York", "2026-10-31T12:00:00Z", "2026-11-02T05:00:00Z", credit.Day,
			[]string{"2026-10-31T04:00:00Z", "2026-11-01T04:00:00Z"}},
		"clocks forward in New York": {"America/New_York", "2026-03-08T05:00:00Z", "2026-03-09T04:00:01Z", credit.Day,
			[]string{"2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z"}},
		"the hour that comes twice": {"Europe/Berlin", "2026-10-24T23:30:00Z", "2026-10-25T02:00:00Z", credit.Hour,
			[]string{"2026-10-24T23:00:00Z", "2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z"}},
		"the hour that is left out": {"Europe/Berlin", "2026-03-29T00:30:00Z", "2026-03-29T02:00:00Z", credit.Hour,
			[]string{"2026-03-29T00:00:00Z", "2026-03-29T01:00:00Z"}},
		"half hours": {"Asia/Kolkata", "2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z", credit.Hour,
			[]string{"2025-12-31T23:30:00Z", "2026-01-01T00:30:00Z"}},
		"clocks back by half an hour": {"Australia/Lord_Howe", "2026-04-04T14:00:00Z", "2026-04-04T16:30:00Z", credit.Hour,
			[]string{"2026-04-04T14:00:00Z", "2026-04-04T15:00:00Z", "2026-04-04T15:30:00Z"}},
		"a midnight that is left out": {"Asia/Beirut", "2024-03-30T12:00:00Z", "2024-03-31T22:00:00Z", credit.Day,
			[]string{"2024-03-29T22:00:00Z", "2024-03-30T22:00:00Z", "2024-03-31T21:00:00Z"}},
		"a midnight that comes twice": {"America/Havana", "2024-11-02T12:00:00Z", "2024-11-04T12:00:00Z", credit.Day,
			[]string{"2024-11-02T04:00:00Z", "2024-11-03T04:00:00Z", "2024-11-04T05:00:00Z"}},
		"a day that is left out": {"Pacific/Apia", "2011-12-29T12:00:00Z", "2011-12-31T12:00:00Z", credit.Day,
			[]string{"2011-12-29T10:00:00Z", "2011-12-30T10:00:00Z", "2011-12-31T10:00:00Z"}},
		"months": {"Europe/Berlin", "2026-01-31T23:00:00Z", "2026-04-30T22:00:00Z", credit.Month,
			[]string{"2026-01-31T23:00:00Z", "2026-02-28T23:00:00Z", "2026-03-31T22:00:00Z"}},
		"February of a leap year": {"UTC", "2024-02-29T23:59:59.999999Z", "2024-03-01T00:00:00Z", credit.Month, []string{"2024-02-01T00:00:00Z"}},
		"over the year":           {"UTC", "2025-12-31T00:00:00Z", "2026-01-01T00:00:00.000001Z", credit.Month, []string{"2025-12-01T00:00:00Z", "2026-01-01T00:00:00Z"}},
	} {
		got, err := credit.UsageStarts(at(t, c.from), at(t, c.to), c.by, zoneOf(t, c.zone))
		if err != nil || len(got) != len(c.want) {
			t.Errorf("%s: %v %v, want %v", what, got, err, c.want)
			continue
		}
		for i, start := range got {
			if !start.Equal(at(t, c.want[i])) || start.Location() != time.UTC {
				t.Errorf("%s: point %d is %v, want %s", what, i, start, c.want[i])
			}
		}
	}
}

func TestUsageBounds(t *testing.T) {
	t.Parallel()
	from := at(t, "2026-01-01T00:00:00Z")
	for by, one := range map[credit.Interval]time.Time{credit.Hour: from.Add(time.Hour * credit.MaxIntervals),
		credit.Day: from.AddDate(0, 0, credit.MaxIntervals), credit.Month: from.AddDate(0, credit.MaxIntervals, 0)} {
		if got, err := credit.UsageStarts(from, one, by, time.UTC); err != nil ||
			len(got) != credit.MaxIntervals {
			t.Errorf("%s: %d points, %v", by, len(got), err)
		}
		if got, err := credit.UsageStarts(from, one.Add(time.Microsecond), by, time.UTC); field(err) != "to out_of_range" {
			t.Errorf("%s: one too many: %d points, %v", by, len(got), err)
		}
	}
	for what, to := range map[string]time.Time{"the same": from, "before": from.Add(-1), "long before": {}} {
		if got, err := credit.UsageStarts(from, to, credit.Day, time.UTC); field(err) != "to out_of_range" {
			t.Errorf("%s: %v %v", what, got, err)
		}
	}
	last := at(t, "9999-12-31T23:59:59Z")
	if _, err := credit.UsageStarts(at(t, "0001-01-01T00:00:00Z"), last, credit.Hour, zoneOf(t, "Europe/Berlin")); field(err) != "to out_of_range" {
		t.Errorf("all of time: %v", err)
	}
	if got, err := credit.UsageStarts(last.AddDate(0, 0, -3), last, credit.Day, zoneOf(t, "Pacific/Kiritimati")); err != nil || len(got) != 4 {
		t.Errorf("the end of time: %v %v", got, err)
	}
}

// TestUsageStartsOnRandomRanges shows that in every zone the points are in order and cover the
// range, and that each but the first and last is exactly one day or month of the calendar, or at
// most an hour.
func TestUsageStartsOnRandomRanges(t *testing.T) {
	t.Parallel()
	zones := []string{"UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata",
		"Australia/Lord_Howe", "Africa/Cairo", "Asia/Beirut",
		"America/Havana", "America/Sao_Paulo", "Pacific/Apia", "Asia/Amman", "Atlantic/Azores", "Africa/Casablanca", "America/St_Johns"}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(zones).Draw(t, "zone")
		zone, err := credit.ParseZone(name)
		if err != nil {
			t.Fatal(err)
		}
		by := rapid.SampledFrom([]credit.Interval{credit.Hour, credit.Day, credit.Month}).Draw(t, "by")
		from := time.UnixMicro(rapid.Int64Range(-60*365*24*3600e6, 80*365*24*3600e6).Draw(t, "from"))
		to := from.Add(time.Duration(rapid.Int64Range(1, 40*24*3600e9).Draw(t, "long")))
		starts, err := credit.UsageStarts(from, to, by, zone)
		if err != nil || starts[0].After(from) || !starts[len(starts)-1].Before(to) {
			t.Fatalf("%v to %v: %v, %v", from, to, starts, err)
		}
		for i, start := range starts {
			end := to
			if i+1 < len(starts) {
				end = starts[i+1]
			}
			if !start.Before(end) {
				t.Fatalf("%d: %v is not before %v", i, start, end)
			}
			label := func(at time.Time) string {
				return at.In(zone).Format(map[credit.Interval]string{credit.Hour: "2006-01-02 15", credit.Day: "2006-01-02", credit.Month: "2006-01"}[by])
			}
			if last := end.Add(-1); label(last) != label(start) ||
				by == credit.Hour && end.Sub(start) > time.Hour {
				t.Fatalf("%s: %v to %v is more than one: %s, %s", name, start, last, label(start), label(last))
			}
			if before := start.Add(-1); by != credit.Hour && i > 0 && label(before) == label(start) {
				t.Fatalf("%s: %v cuts one in two", name, start)
			}
		}
	})
}
