package figure

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParsePlantUML(t *testing.T) {
	tests := map[string]struct {
		source string
		kind   GraphKind
		want   []string
	}{
		"components": {"@startuml\n[Repo] --> [Join] : facts\n[Join] -down-> [Bench]\n@enduml", Flow, []string{"Repo -facts-> Join", "Join --> Bench"}},
		"declared":   {"@startuml\ncomponent \"Repo detective\" as R\nnode J\nR --> J\n@enduml", Flow, []string{"R --> J"}},
		"states":     {"@startuml\n[*] --> Fetch\nFetch --> [*]\n@enduml", States, []string{"[*] --> Fetch", "Fetch --> [*]end"}},
		"backwards":  {"@startuml\n[A] <-- [B]\n@enduml", Flow, []string{"B --> A"}},
		"dotted":     {"@startuml\n[A] ..> [B]\n' [A] --> [Z]\n@enduml", Flow, []string{"A --> B"}},
		"activity":   {"@startuml\n(*) --> \"Read it\"\n\"Read it\" --> (*)\n@enduml", Flow, []string{"[*] --> Read it", "Read it --> [*]end"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			g, err := ParsePlantUML(test.source)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, shown(g)); diff != "" || g.Kind != test.kind {
				t.Error(g.Kind, diff)
			}
		})
	}
	if g, err := ParsePlantUML("@startuml\nparticipant A\nA -> B\n@enduml"); !errors.Is(err, errNotRead) || g.Kind != Sequence {
		t.Errorf("sequence: %+v, %v", g, err)
	}
	if _, err := ParsePlantUML("A --> B"); !errors.Is(err, errSource) {
		t.Errorf("without frame: %v", err)
	}
}

func FuzzParsePlantUML(f *testing.F) {
	f.Add("@startuml\n[A] --> [B] : x\npackage \"p\" {\n}\n(*) -down-> \"q\"\nstate s as \"t\"")
	f.Fuzz(func(t *testing.T, source string) {
		g, err := ParsePlantUML(source)
		if g == nil && err == nil {
			t.Fatal("neither a graph nor an error")
		}
		sound(t, g)
	})
}
