package sandbox

import (
	"slices"
	"strings"

	"agentchat/internal/llm"
)

// maxSubject is the most words between "my" and "is".
const maxSubject = 5

// fact is a statement "my <subject> is <value>". The subject is in lower case, and the value
// includes the verb.
type fact struct{ subject, value string }

// questions are the words before "my" in a question.
var questions = []string{"what is", "what are", "what's", "what’s"}

// clauses puts clauses that no other punctuation ends on separate lines. A dot alone may be part of
// an address or a number.
var clauses = strings.NewReplacer(". ", "\n", " and my ", "\nmy ")

// facts returns the statements "my X is Y" of a text, and the X of each "what is my X", at most one
// per clause.
func facts(text string) (stated []fact, asked []string) {
	for clause := range strings.FieldsFuncSeq(clauses.Replace(text), endsClause) {
		words := strings.Fields(clause)
		my := 1 + slices.IndexFunc(words, func(word string) bool { return strings.EqualFold(word, "my") })
		if my == 0 || my == len(words) {
			continue
		}
		verb := slices.IndexFunc(words[my:], isVerb)
		before := strings.ToLower(join(words[max(0, my-3) : my-1]))
		switch {
		case slices.ContainsFunc(questions, func(q string) bool { return strings.HasSuffix(before, q) }):
			asked = append(asked, strings.ToLower(join(words[my:min(len(words), my+maxSubject)])))
		case verb > 0 && verb <= maxSubject && my+verb+1 < len(words):
			stated = append(stated, fact{strings.ToLower(join(words[my : my+verb])), join(words[my+verb:])})
		}
	}
	return stated, asked
}

func endsClause(r rune) bool { return strings.ContainsRune(",;!?\n", r) }

func isVerb(word string) bool {
	return strings.EqualFold(word, "is") || strings.EqualFold(word, "are")
}

func join(words []string) string { return strings.TrimRight(strings.Join(words, " "), ".") }

// recall returns the newest values of the subjects in the conversation.
func recall(history []llm.EarlierTurn, stated []fact, subjects []string) map[string]string {
	known := make(map[string]string)
	note := func(stated []fact) {
		for _, f := range stated {
			if slices.Contains(subjects, f.subject) {
				known[f.subject] = f.value
			}
		}
	}
	for _, e := range history {
		text, _, _ := split(e.User)
		earlier, _ := facts(text)
		note(earlier)
	}
	note(stated)
	return known
}
