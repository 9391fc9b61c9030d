package filetext_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/knowledge/filetext"
)

// TestDialects checks that each way to write a table gives the same rows, uploaded and imported.
func TestDialects(t *testing.T) {
	t.Parallel()
	want := [][]string{{"Question", "Answer"}, {"Why, when; how|?", "So\n\"now\", 5\" wide"}}
	row := func(separator, line string) string {
		return `Question` + separator + `Answer` + line +
			`"Why, when; how|?"` + separator + `"So` + line + `""now"", 5"" wide"` + line
	}
	for name, c := range map[string]struct {
		data string
		want [][]string
		// marks and first are the marks without a partner and the row of the first one.
		marks, first int
	}{
		"comma":       {data: row(",", "\n")},
		"semicolon":   {data: row(";", "\r\n")},
		"tab":         {data: row("\t", "\r")},
		"bar":         {data: row("|", "\n")},
		"Excel's":     {data: "sep=^\r\n" + row("^", "\r\n")},
		"spaces":      {data: row(" , ", "\n")},
		"no line end": {data: strings.TrimSpace(row(",", "\n"))},
		"escaped": {data: strings.ReplaceAll(row(",", "\n"), `""`, `\"`) +
			`"C:\\","\"\\"`, want: append(slices.Clone(want), []string{`C:\`, `"\`})},
		"backslashes": {data: `"C:\","a"` + "\n" + `b,"c\"`, want: [][]string{{`C:\`, "a"}, {"b", `c\`}}},
		"bare marks":  {data: `"The "A, B" series",x`, want: [][]string{{`The "A, B" series`, "x"}}},
		"inches":      {data: "5\" pipe,1\n7\",2", want: [][]string{{`5" pipe`, "1"}, {`7"`, "2"}}},
		"no partner": {data: "a,b\n1,\"x\n2,\"y\"\n\"3,z\n", marks: 2, first: 2,
			want: [][]string{{"a", "b"}, {"1", `"x`}, {"2", "y"}, {`"3`, "z"}}},
		"empty lines": {data: "\n\na,b\n,\n\"\",c,", want: [][]string{{""}, {""}, {"a", "b"}, {"", ""}, {"", "c", ""}}},
		"decimals":    {data: "S;1,5\nM;2,5\n", want: [][]string{{"S", "1,5"}, {"M", "2,5"}}},
		"a title":     {data: "Prices, fees\nS;1\nM;2", want: [][]string{{"Prices, fees"}, {"S", "1"}, {"M", "2"}}},
		"nothing":     {want: [][]string{}},
	} {
		if c.want == nil && c.data != "" {
			c.want = want
		}
		sheet := filetext.Rows(c.data)
		got := [][]string{}
		for n, row := range sheet.All() {
			if got = append(got, row); n != len(got) {
				t.Errorf("%s: row %d has the number %d", name, len(got), n)
			}
		}
		for _, row := range got {
			for i := range row {
				row[i] = strings.TrimSpace(row[i])
			}
		}
		if !slices.EqualFunc(got, c.want, slices.Equal) ||
			sheet.Unpaired != c.marks || sheet.FirstUnpaired != c.first {
			t.Errorf("%s: %q, %d marks from row %d; want %q, %d, %d", name, got,
				sheet.Unpaired, sheet.FirstUnpaired, c.want, c.marks, c.first)
		}
		uploaded := strings.Join(strings.Fields(read(t, "a.csv", c.data)), " ")
		answers, err := filetext.ReadAnswers([]byte(c.data), "", new(bool))
		if c.data != "" && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, a := range answers.Rows {
			row := []string{strings.Join(a.Questions, "\n"), a.Answer}
			if want := append(slices.Clone(got[a.Row-1]), "")[:2]; !slices.Equal(row, want) {
				t.Errorf("%s: imported %q, want %q", name, row, want)
			}
			line := "| " + strings.ReplaceAll(strings.Join(got[a.Row-1], " § "), "|", `\|`) + " |"
			line = strings.Join(strings.Fields(strings.ReplaceAll(line, "§", "|")), " ")
			if len(got) > 1 && len(got[a.Row-1]) > 1 && !strings.Contains(uploaded, line) {
				t.Errorf("%s: uploaded %q, want %q", name, uploaded, line)
			}
		}
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	const columns, noAnswer, noQuestion = "More than two columns. Put quotation marks around text that contains commas.",
		"The answer is missing.", "The question is missing."
	faq := strings.Repeat("How?,So.\n", 3)
	for name, c := range map[string]struct {
		data   string
		header bool
		want   []filetext.Answer
	}{
		"rows": {"Question,Answer\r\n\"May I?\r\n Can I? \r\n\",Yes.\r\n\r\n,No.\r\nWhy?,\r\nHow?,So, then\r\nWhen?,Now,,\r\n", true, []filetext.Answer{
			{2, []string{"May I?", "Can I?"}, "Yes.", ""}, {4, nil, "No.", noQuestion}, {5, []string{"Why?"}, "", noAnswer},
			{6, []string{"How?"}, "So", columns}, {7, []string{"When?"}, "Now", ""}}},
		"a title":     {"Our shop\nFrage;Antwort\nA?;1\n", true, []filetext.Answer{{1, []string{"Our shop"}, "", noAnswer}, {3, []string{"A?"}, "1", ""}}},
		"long":        {strings.Repeat("a", 501) + ",b", false, []filetext.Answer{{1, []string{strings.Repeat("a", 501)}, "b", "The question is longer than 500 characters."}}},
		"two lines":   {"\"A?\vB?\",x\x00y", false, []filetext.Answer{{1, []string{"A?", "B?"}, "x y", ""}}},
		"other names": {"Topic,Reply\n" + faq, true, nil},
		"no names":    {"Refunds,We refund at once.\n" + faq, false, nil},
		"no asking":   {"Refunds,Now\nReturns,Later\n", false, nil},
	} {
		got, err := filetext.ReadAnswers([]byte(c.data), "", nil)
		if err != nil || got.Header != c.header || c.want != nil && !reflect.DeepEqual(got.Rows, c.want) {
			t.Errorf("%s: %+v %v, want %+v", name, got, err, c.want)
		}
		if got, err := filetext.ReadAnswers([]byte(c.data), "", new(!c.header)); err != nil || got.Header == c.header {
			t.Errorf("%s: a header of %t is not respected: %v", name, !c.header, err)
		}
	}
	most := strings.Repeat("a,b\n\n", 5_001)
	if got, err := filetext.ReadAnswers([]byte(most), "", new(true)); err != nil || len(got.Rows) != 5_000 {
		t.Errorf("5,000 rows: %d, %v", len(got.Rows), err)
	}
	for data, want := range map[string]string{most: "5,000 rows", "": "empty", "PK\x03\x04": "Save each sheet as .csv",
		"%PDF-1.4": "a PDF"} {
		if _, err := filetext.ReadAnswers([]byte(data), "", nil); !fault.Is(err, fault.InvalidInput) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.9q: %v, want %q", data, err, want)
		}
	}
}

// TestRowsTakeLinearTime checks that no arrangement of quotation marks takes quadratic time.
func TestRowsTakeLinearTime(t *testing.T) {
	t.Parallel()
	for _, part := range []string{`"a"b,`, "\"a\n", `"`, `"",`, "\"a\"b\n", `"a\"`, "\"\"\"a\n", ",\"\n\"\"", `"a ,`, ` "`, `\"`} {
		start := time.Now()
		for range filetext.Rows(strings.Repeat(part, 1<<20/len(part))).All() {
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%q: %s", part, took)
		}
	}
}

// TestEmptyRows shows that empty rows do not count as text, however many a spreadsheet exports.
func TestEmptyRows(t *testing.T) {
	t.Parallel()
	got := read(t, "a.csv", "a,b\n1,2\n"+strings.Repeat(",\n", 1_500_000))
	if want := "| a | b |\n| --- | --- |\n| 1 | 2 |"; got != want {
		t.Errorf("%.200q, want %q", got, want)
	}
}

// TestAnswersOfUncertainEncodings checks that a short file is shown in its likeliest encoding, and read
// in the one that the owner chooses.
func TestAnswersOfUncertainEncodings(t *testing.T) {
	t.Parallel()
	data := []byte("\xcd\xcb\xbb\xf5?,3\n") // "退货?" in GBK
	got, err := filetext.ReadAnswers(data, "", nil)
	if err != nil || got.Certain || len(got.Notes) < 2 || got.Encoding != *got.Notes[0].Encoding || len(got.Rows) != 1 {
		t.Errorf("%+v, %v, want several encodings", got, err)
	}
	got, err = filetext.ReadAnswers(data, "gbk", nil)
	if err != nil || !got.Certain || got.Encoding != "gbk" || got.Rows[0].Questions[0] != "退货?" {
		t.Errorf("%+v, %v, want GBK", got, err)
	}
	if _, err := filetext.ReadAnswers(data, "utf-8", nil); !fault.Is(err, fault.InvalidInput) ||
		!strings.Contains(err.Error(), "The file is not utf-8.") {
		t.Errorf("%v, want another encoding", err)
	}
}
