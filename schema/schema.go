// Package schema holds the public contracts as JSON Schema (draft 2020-12): of
// the record, the fact sheet and the native rubric. It is data for other
// programs; the house itself reads with strict types and not through it.
package schema

import (
	"embed"
	"fmt"
)

//go:embed *.json
var files embed.FS

// File is one schema by its file name, such as record-v1.json. The error wraps
// fs.ErrNotExist when there is none of that name.
func File(name string) ([]byte, error) {
	raw, err := files.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading schema %q: %w", name, err)
	}
	return raw, nil
}
