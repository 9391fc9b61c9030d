package reading

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"agentchat/internal/child"
	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/knowledge/filetext"
)

const (
	// heapLimit is the heap size from which the garbage collector takes precedence, in bytes.
	// quickHeapLimit is that of a quick reader.
	heapLimit      = 192 << 20
	quickHeapLimit = 48 << 20
	// quickArg is the third argument of a process of a quick reader.
	quickArg = "quick"
	// maxUnzipped is the most that a quick reader unzips, in bytes: parsing it takes a few seconds.
	maxUnzipped = 16 << 20
	// heapGrowth is the heap growth between two collections, in percent.
	heapGrowth = 50
)

// Child reads one file. It is the main function of a process whose first argument is Command. The
// second argument is the directory of the compiled PDF reader, and quickArg can follow. Child returns
// the exit code.
func Child(args []string, in io.Reader, out io.Writer) int {
	runtime.GOMAXPROCS(1) // the other processors are for chats
	debug.SetGCPercent(heapGrowth)
	debug.SetMemoryLimit(heapLimit)
	if slices.Contains(args, quickArg) {
		debug.SetMemoryLimit(quickHeapLimit)
	}
	if err := read(args, in, out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func read(args []string, in io.Reader, out io.Writer) error {
	if err := child.Restrict(MaxTime); err != nil {
		return err
	}
	input := bufio.NewReaderSize(in, maxHeader)
	name, err := readLine(input)
	if err != nil {
		return err
	}
	encoding, err := readLine(input)
	if err != nil {
		return err
	}
	var parser filetext.Parser
	if len(args) > 0 {
		parser.Dir = args[0]
	}
	if err := parser.Prepare(name); err != nil {
		return err
	}
	debug.FreeOSMemory() // memory that the compiler used
	// From here on the process cannot write files, and it gets the content of the file.
	if err := child.RestrictFiles(); err != nil {
		return err
	}
	if _, err := io.WriteString(out, ready); err != nil {
		return err
	}
	data, err := io.ReadAll(io.LimitReader(input, knowledge.MaxFile+1))
	if err != nil {
		return err
	}
	return answer(out, func() (knowledge.FileText, error) {
		if slices.Contains(args, quickArg) && unzipped(data) > maxUnzipped {
			return knowledge.FileText{}, ErrNotQuick
		}
		return parser.Read(name, encoding, data)
	})
}

// unzipped returns the size of all files in a zip archive as its directory declares it, in bytes, at
// most just above maxUnzipped; 0 for other data. Go reads no more of a file than is declared.
func unzipped(data []byte) (size uint64) {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return 0
	}
	for _, f := range archive.File {
		size = min(size+min(f.UncompressedSize64, maxUnzipped+1), maxUnzipped+1)
	}
	return size
}

// readLine returns the next line, without its end.
func readLine(in *bufio.Reader) (string, error) {
	line, err := in.ReadSlice('\n')
	return strings.TrimSuffix(string(line), "\n"), err
}

// answer writes the text of a file, or the reason why there is no text.
func answer(out io.Writer, read func() (knowledge.FileText, error)) error {
	text, err := safely(read)
	h := header{Pages: text.Pages, Encoding: text.Encoding, Notes: text.Notes, Size: len(text.Text)}
	switch {
	case errors.Is(err, ErrNotQuick):
		h.NotQuick = true
	case fault.Is(err, fault.InvalidInput):
		h.Refusal = fault.ClientMessage(err)
	case err != nil:
		return err
	}
	line, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if _, err := out.Write(append(line, '\n')); err != nil {
		return err
	}
	_, err = io.WriteString(out, text.Text)
	return err
}

// safely turns a panic into a refusal, because the same file would cause it again.
func safely(read func() (knowledge.FileText, error)) (text knowledge.FileText, err error) {
	defer func() {
		if recover() != nil {
			text = knowledge.FileText{}
			err = errUnusual
		}
	}()
	return read()
}
