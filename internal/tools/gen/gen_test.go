package main

import (
	"path/filepath"
	"testing"
)

// TestGeneratedFilesAreCurrent fails where a registry, a rule's page, or a page about the knowledge base is stale.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	if err := run(filepath.Join("..", "..", ".."), true); err != nil {
		t.Error(err)
	}
}
