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
	// heapLimit is the heap size from which the garbage collector takes precedence, in bytes.
	heapLimit = 192 << 20
	// heapGrowth is the heap growth between two collections, in percent.
	heapGrowth = 50
)

// Child reads one file. It is the main function of a process whose first argument is Command. The
// second argument is the directory of the compiled PDF reader. Child returns the exit code.
func Child(args []string, in io.Reader, out io.Writer) int {
	runtime.GOMAXPROCS(1) // the other processors are for chats
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
	return answer(out, func() (knowledge.FileText, error) { return parser.Read(name, encoding, data) })
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
			err = fault.New(fault.InvalidInput,
				"The file is damaged, or written in an unusual way. Save it in another format.")
		}
	}()
	return read()
}
