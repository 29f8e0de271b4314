package analyse_test

import (
	"testing"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// What hangs on a switch that nobody turns on, and on which.
func TestOff(t *testing.T) {
	for name, tt := range map[string]struct {
		files []string
		want  string // the switches, "!" behind constants; "" where a run may come there
	}{
		"a constant":                     {[]string{"m.py", "USE = False\ndef go():\n    if USE:\n        here()\ngo()\n"}, "USE!"},
		"a constant that is on":          {[]string{"m.py", "USE = True\ndef go():\n    if USE:\n        here()\ngo()\n"}, ""},
		"a constant that is written":     {[]string{"m.py", "USE = False\ndef on():\n    global USE\n    USE = True\ndef go():\n    if USE:\n        here()\non()\ngo()\n"}, ""},
		"a constant of another file":     {[]string{"c.py", "use = False\n", "m.py", "import c\ndef go():\n    if c.use:\n        here()\ngo()\n"}, "use!"},
		"it returns before":              {[]string{"m.py", "USE = False\ndef go():\n    if not USE:\n        return\n    here()\ngo()\n"}, "USE!"},
		"a parameter":                    {[]string{"m.py", "def go(use=False):\n    if use:\n        here()\ngo(True)\n"}, ""},
		"the environment":                {[]string{"m.py", "import os\ndef go():\n    if os.getenv('ENABLE_IT') == '1':\n        here()\ngo()\n"}, "ENABLE_IT"},
		"a word":                         {[]string{"m.py", "import os\ndef go():\n    if os.environ.get('COURT', '').lower() in ('1', 'true'):\n        here()\ngo()\n"}, "COURT"},
		"its truth":                      {[]string{"m.py", "import os\ndef go():\n    if os.environ.get('USE_MODEL', ''):\n        here()\ngo()\n"}, "USE_MODEL"},
		"on where nobody sets it":        {[]string{"m.py", "import os\ndef go():\n    if os.getenv('USE_MODEL', '1') == '1':\n        here()\ngo()\n"}, ""},
		"a key":                          {[]string{"m.py", "import os\ndef go():\n    if os.getenv('USE_API_KEY'):\n        here()\ngo()\n"}, ""},
		"a choice":                       {[]string{"m.py", "import os\ndef go():\n    if os.getenv('PROVIDER') == 'groq':\n        here()\ngo()\n"}, ""},
		"a name of the module":           {[]string{"m.py", "import os\nON = os.getenv('ENABLE_IT', '0') == '1'\ndef go():\n    if ON:\n        here()\ngo()\n"}, "ENABLE_IT"},
		"a name of another module":       {[]string{"c.py", "import os\nON = os.getenv('ENABLE_IT', '0') == '1'\n", "m.py", "from c import ON\ndef go():\n    if ON:\n        here()\ngo()\n"}, "ENABLE_IT"},
		"a function that reads it":       {[]string{"m.py", "import os\ndef flag(name, unset='0'):\n    return os.getenv(name, unset).lower() in ['1', 'true']\ndef go():\n    if flag('ENABLE_IT'):\n        here()\ngo()\n"}, "ENABLE_IT"},
		"a function with it on":          {[]string{"m.py", "import os\ndef flag(name, unset='0'):\n    return os.getenv(name, unset).lower() in {'1', 'true'}\ndef go():\n    if flag('ENABLE_IT', 'true'):\n        here()\ngo()\n"}, ""},
		"a field of settings":            {[]string{"c.py", "from pydantic_settings import BaseSettings\nclass Settings(BaseSettings):\n    enable_it: bool = False\nsettings = Settings()\n", "m.py", "from c import settings\ndef go():\n    if settings.enable_it:\n        here()\ngo()\n"}, "enable_it"},
		"a field that is given":          {[]string{"m.py", "from dataclasses import dataclass\n@dataclass\nclass Rules:\n    strict: bool = False\nRULES = Rules(strict=True)\ndef go():\n    if RULES.strict:\n        here()\ngo()\n"}, ""},
		"a field that is set":            {[]string{"m.py", "from dataclasses import dataclass\n@dataclass\nclass Rules:\n    strict: bool = False\nRULES = Rules()\nRULES.strict = True\ndef go():\n    if RULES.strict:\n        here()\ngo()\n"}, ""},
		"settings that are read of data": {[]string{"m.py", "import json\nfrom dataclasses import dataclass\n@dataclass\nclass Rules:\n    strict: bool = False\ndef go(text):\n    rules = Rules(**json.loads(text))\n    if rules.strict:\n        here()\ngo('')\n"}, ""},
		"one of two ways is on":          {[]string{"m.py", "USE = False\ndef go(x):\n    if USE or x:\n        here()\ngo(1)\n"}, ""},
		"both ways are off":              {[]string{"m.py", "import os\nUSE = False\ndef go():\n    if USE or os.getenv('ENABLE_IT'):\n        here()\ngo()\n"}, "ENABLE_IT, USE"},
		"only its caller":                {[]string{"m.py", "USE = False\ndef ask():\n    here()\ndef go():\n    if USE:\n        ask()\ngo()\n"}, "USE!"},
		"another caller":                 {[]string{"m.py", "USE = False\ndef ask():\n    here()\ndef go():\n    if USE:\n        ask()\n    ask()\ngo()\n"}, ""},
		"files that import each other":   {[]string{"a.py", "import b\nON = b.OFF\ndef go():\n    if ON:\n        here()\ngo()\n", "b.py", "import a\nOFF = a.ON\n"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var files []code.File
			for i := 0; i < len(tt.files); i += 2 {
				files = append(files, code.File{Path: tt.files[i], Bytes: []byte(tt.files[i+1])})
			}
			p := load(t, files)
			a := analyse.Of(p)
			var entries []*il.Function
			for _, m := range p.Modules {
				entries = append(entries, m.Top)
			}
			runs, got := a.Runs(entries...), "no call"
			for f := range p.All() {
				for _, in := range f.Instructions() {
					if in.Op != il.Call || in.Kind != "here" {
						continue
					}
					got = ""
					if x, ok := runs.Off(f, in); ok {
						got = x.Flag + map[bool]string{true: "!"}[x.Is == analyse.No]
					}
				}
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
