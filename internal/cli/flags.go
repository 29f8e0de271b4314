package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// errTwice says that a flag stands there again.
var errTwice = errors.New("given twice")

// errVersion ends the reading of flags, as --version asks for nothing else.
var errVersion = errors.New("the version was asked for")

// once is a flag that may be given one time.
type once struct {
	pflag.Value
	set bool
}

// Set sets the value, the first time.
func (o *once) Set(v string) error {
	if o.set {
		return errTwice
	}
	o.set = true
	return o.Value.Set(v)
}

// onlyOnce holds every flag of a command and its children to one use, but for
// those that are lists.
func onlyOnce(c *cobra.Command) {
	hold := func(f *pflag.Flag) {
		if _, list := f.Value.(pflag.SliceValue); !list {
			f.Value = &once{Value: f.Value}
		}
	}
	c.PersistentFlags().VisitAll(hold)
	c.LocalNonPersistentFlags().VisitAll(hold)
	for _, sub := range c.Commands() {
		onlyOnce(sub)
	}
}

// placed is a flag whose help names what it takes beside the flag and not in the
// sentence.
type placed struct {
	pflag.Value
	name string
}

// Type is what the help shows beside the flag.
func (p placed) Type() string { return p.name }

// placedList is placed for a list.
type placedList struct {
	placed
	pflag.SliceValue
}

// placeholders takes the placeholders out of the texts of all flags: such a text
// begins with one, in backquotes.
func placeholders(c *cobra.Command) {
	take := func(f *pflag.Flag) {
		text, takes := strings.CutPrefix(f.Usage, "`")
		name, text, ends := strings.Cut(text, "` ")
		if !takes || !ends {
			return
		}
		f.Usage = text
		p := placed{f.Value, name}
		f.Value = p
		if list, ok := p.Value.(pflag.SliceValue); ok {
			f.Value, f.DefValue = placedList{p, list}, ""
		}
	}
	c.PersistentFlags().VisitAll(take)
	c.LocalNonPersistentFlags().VisitAll(take)
	for _, sub := range c.Commands() {
		placeholders(sub)
	}
}

// choice is a flag with a few known values.
type choice struct {
	value   *string
	allowed []string
	flag    string // as messages name it
}

// String is the value.
func (c choice) String() string {
	if c.value == nil { // asked of a zero value, for the help
		return ""
	}
	return *c.value
}

// Type is not shown.
func (choice) Type() string { return "string" }

// Set takes one of the known values.
func (c choice) Set(v string) error {
	if slices.Contains(c.allowed, v) {
		*c.value = v
		return nil
	}
	have := slices.DeleteFunc(slices.Clone(c.allowed), func(s string) bool { return s == "" })
	return usage(meant(v, have), "reading flags: unknown %s (have %s)", fmt.Sprintf(c.flag, v), strings.Join(have, ", "))
}

// meant suggests the known word that was probably meant.
func meant(word string, known []string) string {
	if near := safetext.Nearest(word, known, 2); near != "" {
		return "did you mean " + near
	}
	return ""
}

// formatFlag gives a command -f; what it prints without is the first format.
func formatFlag(c *cobra.Command, value *string, formats ...string) {
	*value = formats[0]
	sorted := slices.Sorted(slices.Values(formats))
	c.Flags().VarP(choice{value, sorted, "format %q for -f"}, "format", "f", "`FORMAT` format of standard output: "+strings.Join(formats, ", "))
}

// versionFlag is --version: it may stand anywhere and ends everything else.
type versionFlag struct{}

// String is shown nowhere.
func (versionFlag) String() string { return "" }

// Type makes it a flag without a value.
func (versionFlag) Type() string { return "bool" }

// Set ends the reading of flags.
func (versionFlag) Set(string) error { return errVersion }

// flagError explains what is wrong with a flag.
func flagError(c *cobra.Command, err error) error {
	if errors.Is(err, errVersion) {
		return errVersion
	}
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	hint := c.CommandPath() + " --help shows the flags"
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok && errors.Is(err, errTwice) {
		return usage(hint, "reading flags: --%s is given twice", invalid.GetFlag().Name)
	}
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if unknown.GetSpecifiedName() == "v" {
			hint = "--version prints the version; -d says what is read and decided"
		} else if m := meant(unknown.GetSpecifiedName(), names); m != "" {
			hint = strings.Replace(m, "mean ", "mean --", 1)
		}
	}
	return usage(hint, "reading flags: %w", err)
}

// global makes --json and -f json one, and refuses --json where there is none.
func (a *app) global(c *cobra.Command, _ []string) error {
	if !a.flags.json {
		return nil
	}
	f := c.Flags().Lookup("format")
	switch {
	case f == nil:
		return usage("leave --json out", "reading flags: %s does not print JSON", c.CommandPath())
	case f.Changed && f.Value.String() != "json":
		return usage("leave one of them out", "reading flags: --json and -f %s contradict each other", f.Value.String())
	case f.Changed:
		return nil
	}
	return c.Flags().Set("format", "json")
}
