package sandbox

import (
	"iter"
	"slices"
	"strings"
	"unicode"
)

// fact is something that users say about themselves, "my <subject> is <value>", or ask about.
type fact struct {
	// subject is in lower case, with single spaces.
	subject string
	// verb is "is" or "are".
	verb string
	// value is as the user wrote it, without surrounding punctuation.
	value string
}

// maxSubject and maxValue bound a fact, in words.
const (
	maxSubject = 5
	maxValue   = 50
)

// word is one word of a sentence: as written, and in lower case without surrounding punctuation.
type word struct{ raw, key string }

// clauseStarts are words that begin a new clause after a conjunction or a comma: "my name is Ada and my order …".
var clauseStarts = []string{
	"my", "i", "i'm", "i've", "what", "what's", "whats", "can", "could", "please", "you", "do", "tell",
}

var conjunctions = []string{"and", "but", "so", "or"}

// subjectEnds are words that a subject cannot contain.
var subjectEnds = []string{"is", "are", "was", "my", "and", "or", "but", "again", "please", "now"}

// facts returns the facts that a text states, in its order, and those that it asks about.
func facts(text string) (stated, asked []fact) {
	if !mentions(text) {
		return nil, nil
	}
	for words := range sentences(text) {
		askedHere := false
		for i := 0; i < len(words); i++ {
			if words[i].key != "my" {
				continue
			}
			if f, end, ok := statement(words, i, verb(words, i)); ok {
				stated = append(stated, f)
				i = end - 1
			} else if f, ok := question(words, i, askedHere); ok {
				// Checked before the contraction: "what is my dog's name" does not state that my dog is a name.
				askedHere = true
				if !slices.Contains(asked, f) && len(asked) < maxNoted {
					asked = append(asked, f)
				}
			} else if f, end, ok := statement(words, i, contraction(words, i)); ok {
				stated = append(stated, f)
				i = end - 1
			}
		}
	}
	return stated, asked
}

// newest returns the last statement about a subject in a text.
func newest(text, subject string) (fact, bool) {
	stated, _ := facts(text)
	for _, f := range slices.Backward(stated) {
		if f.subject == subject {
			return f, true
		}
	}
	return fact{}, false
}

// mentions reports whether a text can contain a fact at all.
func mentions(text string) bool {
	for i := 0; i+1 < len(text); i++ {
		if text[i]|0x20 == 'm' && text[i+1]|0x20 == 'y' {
			return true
		}
	}
	return false
}

// statement parses "my <subject> is <value>" at words[i], with the verb at words[at] (0 for none). It returns the index after it.
func statement(words []word, i, at int) (f fact, end int, ok bool) {
	if at == 0 {
		return fact{}, 0, false
	}
	if key := words[at].key; key == "is" || key == "are" {
		f = fact{subject: join(words[i+1 : at]), verb: key}
	} else {
		f = fact{subject: strings.TrimSuffix(join(words[i+1:at+1]), "'s"), verb: "is"}
	}
	end = clauseEnd(words, at+1)
	raw := make([]string, 0, end-at)
	for _, w := range words[at+1 : end] {
		raw = append(raw, w.raw)
	}
	f.value = strings.Trim(strings.Join(raw, " "), ".,!?;:…\"'“”‘’„«»` ")
	return f, end, f.value != "" && f.subject != ""
}

// verb returns the index of the word "is" or "are" that follows the subject of words[i], or 0.
func verb(words []word, i int) int {
	for k := i + 1; k < len(words) && k <= i+maxSubject+1; k++ {
		if slices.Contains(subjectEnds, words[k].key) {
			if key := words[k].key; k > i+1 && (key == "is" || key == "are") {
				return k
			}
			return 0
		}
	}
	return 0
}

// contraction returns the index of the word with the verb in "my name's Ada", or 0.
func contraction(words []word, i int) int {
	for k := i + 1; k < len(words)-1 && k <= i+maxSubject; k++ {
		if slices.Contains(subjectEnds, words[k].key) {
			return 0
		}
		if strings.HasSuffix(words[k].key, "'s") && len(words[k].key) > len("'s") {
			return k
		}
	}
	return 0
}

// clauseEnd returns the index after the value that begins at words[start].
func clauseEnd(words []word, start int) int {
	for k := start; k < len(words); k++ {
		if k-start == maxValue {
			return k
		}
		starts := func(at int) bool { return at < len(words) && slices.Contains(clauseStarts, words[at].key) }
		if k > start && slices.Contains(conjunctions, words[k].key) && starts(k+1) {
			return k
		}
		if strings.HasSuffix(words[k].raw, ",") && starts(k+1) {
			return k + 1
		}
		if strings.HasSuffix(words[k].raw, ",") && k+1 < len(words) &&
			slices.Contains(conjunctions, words[k+1].key) && starts(k+2) {
			return k + 1
		}
	}
	return len(words)
}

// question parses the subject of a question at words[i], as in "what is my name", "do you remember my name", "what my name is",
// and, after one of those, "… and my name".
func question(words []word, i int, askedBefore bool) (fact, bool) {
	verb, ok := "is", false
	if i > 0 {
		switch before := words[i-1].key; before {
		case "what's", "whats", "what", "know", "remember", "recall", "repeat":
			ok = true
		case "is", "are":
			verb, ok = before, i > 1 && words[i-2].key == "what"
		case "me":
			ok = i > 1 && words[i-2].key == "tell"
		case "and", "or":
			ok = askedBefore
		default:
			ok = askedBefore && strings.HasSuffix(words[i-1].raw, ",")
		}
	}
	end := i + 1
	for end < len(words) && end-i <= maxSubject && !slices.Contains(subjectEnds, words[end].key) {
		end++
		if strings.HasSuffix(words[end-1].raw, ",") {
			break
		}
	}
	f := fact{subject: join(words[i+1 : end]), verb: verb}
	return f, ok && f.subject != ""
}

func join(words []word) string {
	keys := make([]string, 0, len(words))
	for _, w := range words {
		if w.key != "" {
			keys = append(keys, w.key)
		}
	}
	return strings.Join(keys, " ")
}

// sentences yields the words of each sentence. The end of a line also ends a sentence.
func sentences(text string) iter.Seq[[]word] {
	return func(yield func([]word) bool) {
		for line := range strings.Lines(text) {
			var words []word
			for raw := range strings.FieldsSeq(line) {
				words = append(words, newWord(raw))
				bare := strings.TrimRight(raw, "\"'“”‘’„«»`)]")
				if strings.HasSuffix(bare, ".") || strings.HasSuffix(bare, "!") || strings.HasSuffix(bare, "?") ||
					strings.HasSuffix(bare, ";") {
					if !yield(words) {
						return
					}
					words = nil
				}
			}
			if len(words) > 0 && !yield(words) {
				return
			}
		}
	}
}

func newWord(raw string) word {
	key := strings.ReplaceAll(strings.ToLower(raw), "’", "'")
	key = strings.TrimFunc(key, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return word{raw: raw, key: key}
}
