package llm

import (
	"cmp"
	_ "embed" // the table of models
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// USD is an amount of money in millionths of a dollar.
type USD int64

// dollar is one.
const dollar USD = 1_000_000

// String is the amount with cents, or with all its digits below a cent.
func (u USD) String() string {
	sign := ""
	if u < 0 {
		sign, u = "-", -u
	}
	if u >= dollar/100 || u == 0 {
		u = (u + dollar/200) / (dollar / 100)
		return fmt.Sprintf("%s$%d.%02d", sign, u/100, u%100)
	}
	return fmt.Sprintf("%s$0.%s", sign, strings.TrimRight(fmt.Sprintf("%06d", int64(u)), "0"))
}

// UnmarshalText reads an amount such as 5, 0.25 or $1.50.
func (u *USD) UnmarshalText(text []byte) error {
	s := string(text)
	whole, cents, dot := strings.Cut(strings.TrimPrefix(s, "$"), ".")
	if whole == "" || len(whole) > 9 || len(cents) > 6 || strings.Trim(whole+cents, "0123456789") != "" || dot && cents == "" {
		return fmt.Errorf("%q is not an amount of dollars such as 5 or 0.25", s)
	}
	n, err := strconv.ParseInt(whole+(cents + "000000")[:6], 10, 64)
	*u = USD(n)
	return err
}

// Price is what a million tokens cost. The file holds amounts as text: "0.25".
type Price struct {
	In     USD    `json:"in"`
	Cached USD    `json:"cached,omitempty"` // input that the server had kept; 0: as any other
	Write  USD    `json:"write,omitempty"`  // input that it began to keep; 0: as any other
	Silent bool   `json:"silent,omitempty"` // it does not say how much it began to keep: all that it had not kept counts
	Out    USD    `json:"out"`
	UpTo   int    `json:"up_to,omitempty"` // tokens of input for which this holds; 0: any number
	Until  string `json:"until,omitempty"` // the last day on which this holds; empty: none was announced
	Source string `json:"source"`
	Dated  string `json:"dated"` // of the source, as far as it says
}

// Listed is one model of the table.
type Listed struct {
	Name    string `json:"name"`
	Context int    `json:"context,omitempty"` // tokens; 0: not known
	Vision  bool   `json:"vision"`
	Retires string `json:"retires,omitempty"` // a day; empty: none was announced
	Price   *Price `json:"price,omitempty"`   // nil: nobody knows
}

// Models is the table of models: a dated file of what providers published.
type Models struct {
	Dated     string              `json:"dated"`
	Defaults  map[string]string   `json:"defaults"` // a provider's model when none was named
	Providers map[string][]Listed `json:"providers"`
}

//go:embed models.json
var modelsJSON []byte

var readModels = sync.OnceValues(func() (Models, error) {
	var m Models
	err := strict(modelsJSON, &m)
	return m, err
})

// Known is the table of models that comes with the program.
func Known() Models {
	m, err := readModels()
	if err != nil {
		panic(fmt.Sprintf("the table of models: %v", err)) // it is embedded, and tests read it
	}
	return m
}

var dateSuffix = regexp.MustCompile(`-(20\d{2}-\d{2}-\d{2}|20\d{6})$`)

// Find looks a model up by its name, with or without the date of a snapshot.
func (m Models) Find(provider, name string) (Listed, bool) {
	for _, want := range []string{name, dateSuffix.ReplaceAllString(name, "")} {
		for _, l := range m.Providers[provider] {
			if l.Name == want || dateSuffix.ReplaceAllString(l.Name, "") == want {
				return l, true
			}
		}
	}
	return Listed{}, false
}

// What a prompt counts as at worst, in tokens. Servers frame a conversation,
// and describe tools, with words of their own.
const (
	bytesPerToken = 3
	framingTokens = 800
)

// worst is what a prompt may take: its input, and its answer.
func worst(p Prompt) (in, out int) {
	n := len(p.Instruction()) + len(p.Answer.Name) + len(p.Answer.Doc) + len(p.Answer.Schema)
	images := 0
	for _, m := range p.Messages {
		n += len(m.Text) + len(m.Role)
		for _, i := range m.Images {
			images += imageTokens(i)
		}
	}
	out = p.MaxTokens
	if out <= 0 {
		out = defaultTokens
	}
	return n/bytesPerToken + 1 + framingTokens + images, out
}

func worstBill(p Prompt, price *Price) Bill {
	in, out := worst(p)
	b := Bill{Calls: 1, In: int64(in), Out: int64(out), Unknown: price == nil}
	if price != nil {
		b.Cost = per(in, max(price.In, price.Write)) + per(out, price.Out)
	}
	return b
}

func billOf(u Usage, price *Price) Bill {
	b := Bill{Calls: 1, In: int64(u.In), Out: int64(u.Out), Unknown: price == nil}
	if price != nil {
		fresh, write := price.In, cmp.Or(price.Write, price.In)
		if price.Silent {
			fresh = max(fresh, write)
		}
		b.Cost = per(max(u.In-u.Cached-u.Written, 0), fresh) + per(u.Cached, cmp.Or(price.Cached, price.In)) + per(u.Written, write) + per(u.Out, price.Out)
	}
	return b
}

// per is the cost of so many tokens, rounded up.
func per(tokens int, million USD) USD {
	return (USD(tokens)*million + dollar - 1) / dollar
}
