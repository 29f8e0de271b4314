package code

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestShipped(t *testing.T) {
	files := []File{
		{Path: "main.py", Bytes: []byte("from vendor.lib import a\nimport tests.help\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import vendor.types\n")},
		{Path: "tests/__init__.py", Bytes: []byte("")},
		{Path: "tests/help.py", Bytes: []byte("from build import later\n")},
		{Path: "tests/test_a.py", Bytes: []byte("import vendor.only_tested\n")},
		{Path: "build/later.py", Bytes: []byte("x = 1\n")},
		{Path: "vendor/lib/__init__.py", Bytes: []byte("from . import b\n")},
		{Path: "vendor/lib/a.py", Bytes: []byte("x = 1\n")},
		{Path: "vendor/lib/b.py", Bytes: []byte("x = 1\n")},
		{Path: "vendor/lib/c.py", Bytes: []byte("x = 1\n")},
		{Path: "vendor/types.py", Bytes: []byte("x = 1\n")},
		{Path: "vendor/only_tested.py", Bytes: []byte("x = 1\n")},
		{Path: "bin/tool", Bytes: []byte("#!/usr/bin/env python3\nimport vendor.lib.b\n")},
		{Path: "bin/shell", Bytes: []byte("#!/bin/sh\necho python\n")},
	}
	p := loadFiles(t, files)
	x, used, err := p.Shipped(t.Context(), inline{}, files)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"build/later.py", "tests/__init__.py", "tests/help.py", "vendor/lib/__init__.py", "vendor/lib/a.py", "vendor/lib/b.py"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(used))); diff != "" {
		t.Errorf("what is used differs (-want +got):\n%s", diff)
	}
	var paths []string
	for _, m := range x.Modules {
		if !m.Parsed {
			t.Errorf("%s has no tree", m.Path)
		}
		if p.Module(m.Path) == nil {
			paths = append(paths, m.Path)
		}
	}
	want = []string{"bin/tool", "build/later.py", "vendor/lib/__init__.py", "vendor/lib/a.py", "vendor/lib/b.py"}
	if diff := cmp.Diff(want, paths); diff != "" {
		t.Errorf("the new modules differ (-want +got):\n%s", diff)
	}
}

// TestShippedNothing has nothing to add: the program itself is the answer.
func TestShippedNothing(t *testing.T) {
	files := []File{{Path: "main.py", Bytes: []byte("import helper\n")}, {Path: "helper.py", Bytes: []byte("")}, {Path: "vendor/a.py", Bytes: []byte("")}}
	p := loadFiles(t, files)
	if x, used, err := p.Shipped(t.Context(), inline{}, files); err != nil || x != p || len(used) > 0 {
		t.Errorf("got another program, used %v, error %v", used, err)
	}
}

func TestShippedIsBounded(t *testing.T) {
	files := []File{{Path: "main.py", Bytes: []byte("import vendor.m0\n")}}
	for i := range maxBorrowed + 5 {
		files = append(files, File{Path: fmt.Sprintf("vendor/m%d.py", i), Bytes: fmt.Appendf(nil, "from vendor import m%d\n", i+1)})
	}
	p := loadFiles(t, files)
	x, used, err := p.Shipped(t.Context(), inline{}, files)
	if err != nil {
		t.Fatal(err)
	}
	if len(x.Faults) != 1 || len(used) != maxBorrowed+1 || x.Module("vendor/m200.py").Parsed {
		t.Errorf("%d files are used and %d left out, want %d and the next one", len(used), len(x.Faults), maxBorrowed)
	}
}
