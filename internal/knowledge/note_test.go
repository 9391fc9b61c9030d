package knowledge_test

import (
	"slices"
	"strings"
	"testing"

	"agentchat/internal/knowledge"
)

// TestReadingIsChecked tests what a process that reads a hostile file can claim about it.
func TestReadingIsChecked(t *testing.T) {
	t.Parallel()
	note := knowledge.Note{Code: knowledge.NoteEncoding, Message: "It may be big5.", Count: 1,
		Sample: new(strings.Repeat("語", knowledge.MaxNote)), Encoding: new("big5")}
	good := knowledge.FileText{Encoding: "iso-8859-2",
		Notes: slices.Repeat([]knowledge.Note{note}, knowledge.MaxNotes)}
	if err := good.CheckReading(); err != nil {
		t.Fatal(err)
	}
	for what, spoil := range map[string]func(*knowledge.FileText, *knowledge.Note){
		"too many notes":    func(f *knowledge.FileText, _ *knowledge.Note) { f.Notes = append(f.Notes, note) },
		"an encoding":       func(f *knowledge.FileText, _ *knowledge.Note) { f.Encoding = "<b>" },
		"a code":            func(_ *knowledge.FileText, n *knowledge.Note) { n.Code = "OTHER" },
		"no count":          func(_ *knowledge.FileText, n *knowledge.Note) { n.Count = 0 },
		"no message":        func(_ *knowledge.FileText, n *knowledge.Note) { n.Message = "" },
		"a long message":    func(_ *knowledge.FileText, n *knowledge.Note) { n.Message = *n.Sample + "x" },
		"a long sample":     func(_ *knowledge.FileText, n *knowledge.Note) { n.Sample = new(*n.Sample + "x") },
		"a raw sample":      func(_ *knowledge.FileText, n *knowledge.Note) { n.Sample = new("a\x00b") },
		"a note's encoding": func(_ *knowledge.FileText, n *knowledge.Note) { n.Encoding = new("Big5") },
	} {
		bad := knowledge.FileText{Encoding: good.Encoding, Notes: slices.Clone(good.Notes)}
		spoil(&bad, &bad.Notes[3])
		if bad.CheckReading() == nil {
			t.Errorf("%s is accepted", what)
		}
	}
}
