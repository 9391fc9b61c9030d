package filetext

import (
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"

	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
)

// CheckEncoding returns the canonical name of the encoding that an owner chooses for a file: a label
// of the WHATWG Encoding Standard, or a name or alias of IANA's. Fault: InvalidInput on encoding.
func CheckEncoding(file, label string) (string, error) {
	problem := "Only texts, web pages and tables have an encoding."
	switch formats[knowledge.Extension(file)] {
	case plain, page, csv:
		name, _ := encodingOf(label)
		if name != "" {
			return name, nil
		}
		problem = "Unknown encoding. Use a name such as utf-8, gb18030 or windows-1252."
	}
	return "", fault.Invalid(fault.Field{Path: "encoding", Reason: fault.NotSupported,
		Message: problem})
}

// encodingOf returns an encoding with its canonical name, in lower case; empty for an unknown label.
func encodingOf(label string) (string, encoding.Encoding) {
	if enc, err := htmlindex.Get(label); err == nil {
		// The standard's "replacement" and "x-user-defined" decode no text.
		name, err := htmlindex.Name(enc)
		if err != nil || name == "replacement" || name == "x-user-defined" {
			return "", nil
		}
		return name, enc
	}
	enc, err := ianaindex.IANA.Encoding(strings.TrimSpace(label))
	if err != nil || enc == nil { // nil for names that x/text does not decode
		return "", nil
	}
	name, err := ianaindex.IANA.Name(enc)
	if err != nil {
		return "", nil
	}
	name = strings.ToLower(name)
	if standard, err := htmlindex.Name(enc); err == nil {
		name = standard
	} else if _, err := htmlindex.Get(name); err == nil { // as us-ascii is in the standard
		return encodingOf(name)
	}
	return name, enc
}
