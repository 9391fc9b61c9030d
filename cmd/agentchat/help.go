package main

import (
	"fmt"
	"go/doc/comment"
	"strings"

	"github.com/alecthomas/kong"
)

// withoutFlag is the heading of the variables that have no flag in a command's help.
const withoutFlag = "Variables without a flag, because all users of the machine can see flags:"

// printHelp prints a command's help and, below the flags, the settings without a flag.
func printHelp(options kong.HelpOptions, ctx *kong.Context) error {
	err := kong.DefaultHelpPrinter(options, ctx)
	command := ctx.Selected()
	if err != nil || command == nil {
		return err
	}
	var list strings.Builder
	printer := comment.Printer{TextPrefix: "      "}
	for _, flag := range command.Flags {
		if flag.Tag.Has("noflag") {
			text := new(comment.Parser).Parse(withLimits(flag.Value) + ".")
			fmt.Fprintf(&list, "  %s\n%s", settingName(flag.Value), printer.Text(text))
		}
	}
	if list.Len() > 0 {
		_, err = fmt.Fprintf(ctx.Stdout, "\n%s\n%s", withoutFlag, list.String())
	}
	return err
}
