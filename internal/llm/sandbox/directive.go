package sandbox

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// The limits of directives.
const (
	maxDelay = 5 * time.Minute
	maxPace  = time.Minute
	maxWords = 100_000
)

// The brackets of a directive, and the word that distinguishes it from other text in double
// brackets.
const (
	opening = "[["
	closing = "]]"
	marker  = "sandbox"
)

// directives holds the directives of one message.
type directives struct {
	history   bool
	knowledge bool
	delay     time.Duration
	// fail is a key of failures, or empty for a message that is answered. after is the number of words
	// to stream before the failure.
	fail  string
	after int
	// first makes only the first model fail, so that the agent's fallback model answers.
	first bool
	// words is the length of the reply; 0 for a normal answer.
	words int
	pace  time.Duration
	cut   bool
	// output is the defect of a structured reply: misfit, misfit_once, text or cut; empty for a valid
	// one.
	output string
	// tokens means that inputTokens and outputTokens are reported instead of the number of words.
	tokens                    bool
	inputTokens, outputTokens int64
	// actions are the requested actions, in order; again requests them after every result, too.
	actions []action
	again   bool
}

// message is a parsed message.
type message struct {
	// text is the message without its directives.
	text       string
	directives directives
	// problem describes the first invalid directive, "" for none.
	problem string
}

// parse parses a message, in time linear in its length.
func parse(text string) message {
	rest, bodies, closed := split(text)
	m := message{text: rest}
	if closed && len(bodies) == 0 {
		return m
	}
	seen := make(map[string]bool)
	for _, body := range bodies {
		if m.problem = m.directives.applyAll(body, seen); m.problem != "" {
			return m
		}
	}
	switch {
	case !closed:
		m.problem = "A sandbox directive is not closed with ]]."
	case seen["after"] && !seen["fail"]:
		m.problem = "The sandbox directive after needs the directive fail."
	case seen["first"] && !slices.Contains(firstFails, m.directives.fail):
		m.problem = "The sandbox directive first needs the directive fail with one of " +
			strings.Join(firstFails, ", ") + "."
	case seen["history"] && seen["words"], seen["history"] && seen["knowledge"],
		seen["knowledge"] && seen["words"]:
		m.problem = "Of the sandbox directives history, knowledge and words only one can be used."
	case m.directives.again && len(m.directives.actions) == 0:
		m.problem = "The sandbox directive action=again needs another action."
	}
	return m
}

// split returns the text without its directives, the body of each directive after the marker, and
// whether the last one is closed. Double brackets without the marker are normal text.
func split(text string) (rest string, bodies []string, closed bool) {
	var b strings.Builder
	arguments := maxActions
	for {
		start := strings.Index(text, opening)
		if start < 0 {
			b.WriteString(text)
			return b.String(), bodies, true
		}
		inside, ok := cutMarker(text[start+len(opening):])
		if !ok {
			// Skip only one bracket: in "[[[sandbox" the directive begins at the second.
			b.WriteString(text[:start+1])
			text = text[start+1:]
			continue
		}
		b.WriteString(text[:start])
		end := closingOf(inside, &arguments)
		if end < 0 {
			return b.String(), bodies, false
		}
		bodies = append(bodies, inside[:end])
		text = inside[end+len(closing):]
	}
}

// cutMarker returns the text after the marker if the text begins with it as a whole word. Case does
// not matter.
func cutMarker(text string) (after string, ok bool) {
	text = strings.TrimLeftFunc(text, unicode.IsSpace)
	if len(text) < len(marker) || !strings.EqualFold(text[:len(marker)], marker) {
		return "", false
	}
	after = text[len(marker):]
	next, _ := utf8.DecodeRuneInString(after)
	return after, !unicode.IsLetter(next) && !unicode.IsDigit(next)
}

// applyAll applies the settings of one directive. It returns the first problem, or "".
func (d *directives) applyAll(body string, seen map[string]bool) (problem string) {
	setting, rest := firstWord(body)
	if setting == "" {
		return "A sandbox directive is empty."
	}
	for ; setting != "" && problem == ""; setting, rest = firstWord(rest) {
		if name, isAction := strings.CutPrefix(strings.ToLower(setting), "action="); isAction &&
			name != "" {
			rest, problem = d.addAction(name, rest)
		} else {
			problem = d.apply(setting, seen)
		}
	}
	return problem
}

// firstWord cuts a text after its first word, which is empty for a blank text.
func firstWord(text string) (word, rest string) {
	end := wordEnd(text)
	return strings.TrimSpace(text[:end]), text[end:]
}

// apply applies one setting, key=value or a single word. It returns the problem, or "".
func (d *directives) apply(setting string, seen map[string]bool) (problem string) {
	key, value, hasValue := strings.Cut(strings.ToLower(setting), "=")
	if seen[key] {
		return fmt.Sprintf("The sandbox directive %s occurs twice.", key)
	}
	set, known := settings[key]
	switch {
	case !known:
		return fmt.Sprintf("There is no sandbox directive %q.", excerpt(setting, 40))
	case flags[key] && hasValue:
		return fmt.Sprintf("The sandbox directive %s takes no value.", key)
	case !flags[key] && value == "":
		return fmt.Sprintf("The sandbox directive %s needs a value.", key)
	}
	seen[key] = true
	if want := set(d, value); want != "" {
		return fmt.Sprintf("The sandbox directive %s=%s is not valid: %s.", key, excerpt(value, 40), want)
	}
	return ""
}

// settings holds a function for each directive. It parses the value, and describes a valid value if
// this one is invalid.
var settings = map[string]func(d *directives, value string) (want string){
	"action":    func(*directives, string) string { return "" }, // addAction handles it when it has a value
	"history":   func(d *directives, _ string) string { d.history = true; return "" },
	"knowledge": func(d *directives, _ string) string { d.knowledge = true; return "" },
	"first":     func(d *directives, _ string) string { d.first = true; return "" },
	"delay": func(d *directives, value string) string {
		return duration(&d.delay, value, maxDelay, "a time such as 2s or 500ms, at most 5m")
	},
	"pace": func(d *directives, value string) string {
		return duration(&d.pace, value, maxPace, "a time such as 10ms, at most 1m")
	},
	"words": func(d *directives, value string) string { return count(&d.words, value, 1) },
	"after": func(d *directives, value string) string { return count(&d.after, value, 0) },
	"fail": func(d *directives, value string) string {
		d.fail = value
		if failures[value] == nil {
			return "it must be one of " + strings.Join(failNames(), ", ")
		}
		return ""
	},
	"finish": func(d *directives, value string) string {
		d.cut = value == "length"
		if !d.cut {
			return "it must be length"
		}
		return ""
	},
	"output": func(d *directives, value string) string {
		d.output = value
		if !slices.Contains(outputs, value) {
			return "it must be one of " + strings.Join(outputs, ", ")
		}
		return ""
	},
	"tokens": func(d *directives, value string) string {
		in, out, _ := strings.Cut(value, ":")
		var errIn, errOut error
		d.inputTokens, errIn = strconv.ParseInt(in, 10, 64)
		d.outputTokens, errOut = strconv.ParseInt(out, 10, 64)
		if d.tokens = errIn == nil && errOut == nil; !d.tokens {
			return "it must be two whole numbers of 64 bits with a colon between them, such as 120:30"
		}
		return ""
	},
}

// flags are the directives without a value.
var flags = map[string]bool{"history": true, "knowledge": true, "first": true}

// firstFails are the values of fail that first can be combined with.
var firstFails = []string{"error", "timeout", "unavailable"}

// outputs are the values of output.
var outputs = []string{"cut", "misfit", "misfit_once", "text"}

func duration(d *time.Duration, value string, most time.Duration, want string) string {
	parsed, err := time.ParseDuration(value)
	if err != nil || parsed < 0 || parsed > most {
		return "it must be " + want
	}
	*d = parsed
	return ""
}

func count(n *int, value string, least int) string {
	parsed, err := strconv.Atoi(value)
	if err != nil || parsed < least || parsed > maxWords {
		return fmt.Sprintf("it must be a whole number from %d to %d", least, maxWords)
	}
	*n = parsed
	return ""
}

// failNames returns the values of fail, sorted.
func failNames() []string { return slices.Sorted(maps.Keys(failures)) }
