package knowledge_test

import (
	"cmp"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"agentchat/internal/knowledge"
	"agentchat/internal/testlong"
)

// manuals are the folders of the manuals, with the number of questions found when they were last
// counted. The first lines of testdata/questions name the manuals' addresses and commits.
var manuals = map[string]struct {
	folder string
	found  int
}{
	"de": {"fastapi/docs/de/docs", 15},
	"en": {"fastapi/docs/en/docs", 18},
	"fr": {"klipper-translations/docs/locales/fr", 17},
	"it": {"klipper-translations/docs/locales/it", 17},
	"ja": {"fastapi/docs/ja/docs", 19},
	"ko": {"fastapi/docs/ko/docs", 17},
	"pl": {"tldr/pages.pl", 20},
	"ru": {"fastapi/docs/ru/docs", 18},
	"tr": {"fastapi/docs/tr/docs", 18},
	"zh": {"klipper-translations/docs/locales/zh_Hant", 16},
}

// TestQuestionsOverManuals asks 20 questions in each of ten languages over public manuals, whose
// checkouts are in the folder AGENTCHAT_MANUALS. A change of the search may lose one question of a
// language, and none in all. Before letters were folded, and numbers and joined names had terms of
// their own, 170 of 200 were found; now 175.
func TestQuestionsOverManuals(t *testing.T) {
	testlong.Only(t)
	root := os.Getenv("AGENTCHAT_MANUALS")
	if root == "" {
		t.Skip("AGENTCHAT_MANUALS names no folder")
	}
	sum, before := 0, 0
	for language, m := range manuals {
		folder := filepath.Join(root, m.folder)
		x, found := newIndex(t, folder), 0
		for line := range strings.Lines(read(t, "testdata/questions/"+language+".tsv")) {
			fields := strings.Split(strings.TrimSpace(line), "\t")
			if len(fields) < 3 {
				continue // the manual's address
			}
			file, part, question := fields[0], fields[1], fields[2]
			if n, err := strconv.Atoi(part); err == nil { // the number of a line
				part = strings.TrimLeft(strings.Split(read(t, filepath.Join(folder, file)), "\n")[n-1], "# ")
			}
			if x.finds(question, file, part) {
				found++
			} else {
				t.Logf("%s: not found: %s", language, question)
			}
		}
		t.Logf("%s: %d of 20 in %d passages", language, found, len(x.passages))
		if found < m.found-1 {
			t.Errorf("%s: %d questions found, %d before", language, found, m.found)
		}
		sum, before = sum+found, before+m.found
	}
	if t.Logf("%d of 200", sum); sum < before {
		t.Errorf("%d questions found, %d before", sum, before)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// index finds passages as find_knowledge.sql does.
type index struct {
	passages []knowledge.Given
	postings map[string]map[int]int16
}

func newIndex(t *testing.T, folder string) *index {
	t.Helper()
	x := index{postings: map[string]map[int]int16{}}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".md" {
			name, _ := filepath.Rel(folder, path)
			for _, p := range knowledge.Passages(read(t, path), false) {
				x.add(knowledge.Given{Name: name, Passage: p})
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return &x
}

func (x *index) add(g knowledge.Given) {
	terms, counts := g.Terms(), map[string]int{}
	for _, term := range terms {
		counts[term]++
	}
	for term, n := range counts {
		if x.postings[term] == nil {
			x.postings[term] = map[int]int16{}
		}
		x.postings[term][len(x.passages)] = knowledge.Weight(n, len(terms))
	}
	x.passages = append(x.passages, g)
}

// finds reports whether the passages that a model gets include one of a file with the beginning or
// the end of a text.
func (x *index) finds(question, file, text string) bool {
	scores, all := map[int]int{}, float64(len(x.passages))
	for _, term := range knowledge.QuestionTerms(question) {
		df := float64(len(x.postings[term]))
		if all > 200 && 2*df > all {
			continue
		}
		for i, weight := range x.postings[term] {
			scores[i] += int(weight) * int(math.Round(1000*math.Log(1+(all-df+0.5)/(df+0.5))))
		}
	}
	var order []int
	for i := range scores {
		order = append(order, i)
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b))
	})
	var best []knowledge.Given
	for _, i := range order[:min(len(order), 2*knowledge.MaxGiven)] {
		best = append(best, x.passages[i])
	}
	wanted := []rune(text)
	n := min(40, len(wanted))
	return slices.ContainsFunc(knowledge.Best(best), func(g knowledge.Given) bool {
		shown := g.Heading + "\n" + g.Text
		return g.Name == file && (strings.Contains(shown, string(wanted[:n])) ||
			strings.Contains(shown, string(wanted[len(wanted)-n:])))
	})
}
