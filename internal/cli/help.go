package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// exitCodes are what every help says about them.
var exitCodes = []struct {
	code int
	text string
}{
	{exitDone, "done; the gate passed, or there is none"},
	{exitFailed, "the gate failed, or what was asked about does not hold"},
	{exitUsage, "wrong usage or input; nothing was examined"},
	{exitUnexamined, "the case could not be examined, or only in part"},
	{exitBug, "a bug in automaton"},
	{exitInterrupted, "interrupted; what was known is kept"},
}

// flagGroup is a titled list of flags.
type flagGroup struct {
	title string
	names []string
}

// flagGroups order the flags of a command that has many.
var flagGroups = []flagGroup{
	{"What is examined", []string{"root", "pdf", "ocr", "commit", "path", "rubric", "only", "answers", "calibration"}},
	{"What is written", []string{"format", "output", "out", "id", "open"}},
	{"The class", []string{"map", "repo-template", "skip-bad", "retry", "cancel", "similarity", "base", "old"}},
	{"The gate", []string{"fail-under", "fail-on", "baseline", "allow-partial"}},
	{"The run", []string{"dry-run", "jobs", "timeout", "memory", "fetches-per-host", "store", "wait", "offline", "allow-host", "require-sandbox", "trust-tree"}},
	{"Models", []string{"bench", "seat", "investigate", "redact", "budget", "budget-tokens", "model-share", "no-cache", "cassette", "cassette-mode", "trace-content"}},
}

// fewFlags need no groups.
const fewFlags = 12

// groupsOf are the flags of a command without the global ones, in groups where
// there are many.
func groupsOf(c *cobra.Command) []flagGroup {
	var all, rest []string
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" {
			all = append(all, f.Name)
		}
	})
	if len(all) <= fewFlags {
		return []flagGroup{{"Flags", all}}
	}
	var out []flagGroup
	for _, g := range flagGroups {
		g.names = slices.DeleteFunc(slices.Clone(g.names), func(n string) bool { return !slices.Contains(all, n) })
		out = append(out, g)
	}
	for _, name := range all {
		if !slices.ContainsFunc(out, func(g flagGroup) bool { return slices.Contains(g.names, name) }) {
			rest = append(rest, name)
		}
	}
	return append(out, flagGroup{"More", rest})
}

// globalNames are the flags of every command.
func globalNames(c *cobra.Command) []string {
	names := []string{"help"}
	c.Root().PersistentFlags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// commandGroup is a titled list of commands.
type commandGroup struct {
	title    string
	commands []*cobra.Command
}

// childrenOf are the commands below one, in their groups and in their order.
func childrenOf(c *cobra.Command) []commandGroup {
	commands := slices.DeleteFunc(slices.Clone(c.Commands()), func(s *cobra.Command) bool { return s.Hidden })
	order := commandNames()
	slices.SortStableFunc(commands, func(a, b *cobra.Command) int {
		return cmp.Compare(slices.Index(order, a.Name()), slices.Index(order, b.Name()))
	})
	if len(c.Groups()) == 0 {
		return []commandGroup{{"Commands", commands}}
	}
	var out []commandGroup
	for _, g := range c.Groups() {
		out = append(out, commandGroup{g.Title, slices.DeleteFunc(slices.Clone(commands), func(s *cobra.Command) bool { return s.GroupID != g.ID })})
	}
	return out
}

// help is what a command says of itself, in lines of so many columns: what it is
// for, how it is called, examples, its commands or flags, exit codes.
func help(c *cobra.Command, width int) string {
	var b strings.Builder
	b.WriteString(wrapped(c.Short+".", width) + "\n\nUsage:\n  " + usageLine(c) + "\n")
	if c.Long != "" {
		b.WriteString("\n" + paragraphs(c.Long, width))
	}
	if c.Example != "" {
		b.WriteString("\nExamples:\n" + c.Example + "\n")
	}
	for _, g := range childrenOf(c) {
		if len(g.commands) == 0 {
			continue
		}
		b.WriteString("\n" + g.title + ":\n")
		for _, s := range g.commands {
			b.WriteString(hung("  "+fmt.Sprintf("%-12s", s.Name()), s.Short, width))
		}
	}
	groups, own := groupsOf(c), c.LocalNonPersistentFlags()
	global := slices.DeleteFunc(globalNames(c), func(name string) bool { return name != "help" && own.Lookup(name) != nil })
	for _, g := range append(groups, flagGroup{"Global flags", global}) {
		if set := flagSet(c, g.names); set.HasFlags() {
			b.WriteString("\n" + g.title + ":\n" + set.FlagUsagesWrapped(width))
		}
	}
	b.WriteString("\nExit codes:\n")
	for _, e := range exitCodes {
		b.WriteString(hung(fmt.Sprintf("  %3d  ", e.code), e.text, width))
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\n" + c.CommandPath() + " COMMAND --help shows the help of one command.\n")
	}
	return b.String()
}

// paragraphs are texts that stand on a line each, indented as they are.
func paragraphs(text string, width int) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		start := line[:len(line)-len(strings.TrimLeft(line, " "))]
		b.WriteString(strings.TrimRight(hung(start, line, width), " \n") + "\n")
	}
	return b.String()
}

// usageLine is how a command is called.
func usageLine(c *cobra.Command) string {
	if c.HasAvailableSubCommands() {
		return c.CommandPath() + " COMMAND"
	}
	return c.UseLine()
}

func flagSet(c *cobra.Command, names []string) *pflag.FlagSet {
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	set.SortFlags = false
	for _, name := range names {
		f := cmp.Or(c.Flags().Lookup(name), c.Root().PersistentFlags().Lookup(name))
		if f == nil {
			continue
		}
		if name == "help" {
			f.Usage = "show this help"
		}
		if f.NoOptDefVal == noFile { // the library would show the blank
			copied := *f
			copied.NoOptDefVal, copied.Value = "", placed{f.Value, "[=FILE]"}
			f = &copied
		}
		set.AddFlag(f)
	}
	return set
}

// hung is text behind a start, its further lines below its first.
func hung(start, text string, width int) string {
	indent := strings.Repeat(" ", len(start))
	return start + strings.ReplaceAll(wrapped(text, width-len(start)), "\n", "\n"+indent) + "\n"
}
