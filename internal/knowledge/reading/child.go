package reading

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/knowledge/filetext"
)

const (
	// heapLimit is from which size on the runtime collects garbage before anything else, in bytes.
	heapLimit = 192 << 20
	// heapGrowth is how much the heap may grow before it is collected, in percent.
	heapGrowth = 50
)

// Child reads one file: it is all that a process with the argument Command does, before anything else. The other argument is where the
// compiled reader of PDF files is kept. It returns the exit code.
func Child(args []string, in io.Reader, out io.Writer) int {
	runtime.GOMAXPROCS(1) // chats need the others
	debug.SetGCPercent(heapGrowth)
	debug.SetMemoryLimit(heapLimit)
	if err := read(args, in, out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func read(args []string, in io.Reader, out io.Writer) error {
	if err := limitProcess(); err != nil {
		return err
	}
	input := bufio.NewReaderSize(in, maxHeader)
	line, err := input.ReadSlice('\n')
	if err != nil {
		return err
	}
	name := strings.TrimSuffix(string(line), "\n")
	var parser filetext.Parser
	if len(args) > 0 {
		parser.Dir = args[0]
	}
	if err := parser.Prepare(name); err != nil {
		return err
	}
	debug.FreeOSMemory() // what compiling took
	// From here on it writes no file, and sees the content of one.
	if err := limitFiles(); err != nil {
		return err
	}
	if _, err := io.WriteString(out, ready); err != nil {
		return err
	}
	data, err := io.ReadAll(io.LimitReader(input, knowledge.MaxFile+1))
	if err != nil {
		return err
	}
	return answer(out, func() (filetext.Text, error) { return parser.Read(name, data) })
}

// answer writes the text of a file, or why there is none.
func answer(out io.Writer, read func() (filetext.Text, error)) error {
	text, err := safely(read)
	h := header{Pages: text.Pages, Size: len(text.Text)}
	switch {
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

// safely turns a panic, which the same file would bring about again, into a refusal.
func safely(read func() (filetext.Text, error)) (text filetext.Text, err error) {
	defer func() {
		if recover() != nil {
			text = filetext.Text{}
			err = fault.New(fault.InvalidInput, "The file is damaged, or written in an unusual way. Save it in another format.")
		}
	}()
	return read()
}
