package mcp

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// rootsKey names the question for the client's folders among those of one call.
const rootsKey = "roots"

// askRoots is the answer that asks the client for its folders, where it says that it
// has some and did not name them yet; nil otherwise. The library puts the question
// in the way that the client's version of the protocol has for it.
func askRoots(r *sdk.CallToolRequest) *sdk.CallToolResult {
	if !hasRoots(r) || r.Params.InputResponses[rootsKey] != nil {
		return nil
	}
	return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{rootsKey: &sdk.ListRootsParams{}}}
}

func hasRoots(r *sdk.CallToolRequest) bool {
	p := r.Session.InitializeParams()
	return p != nil && p.Capabilities != nil && p.Capabilities.RootsV2 != nil
}

// rootsOf are the folders that the client named. One that is no file:// address of
// this machine is a mistake, not a folder less: the client may rely on it.
func rootsOf(r *sdk.CallToolRequest) (rooted bool, roots []string, err error) {
	if !hasRoots(r) {
		return false, nil, nil
	}
	list, ok := r.Params.InputResponses[rootsKey].(*sdk.ListRootsResult)
	if !ok {
		return true, nil, errors.New("reading the client's roots: it answered with something else")
	}
	for _, root := range list.Roots {
		if root == nil {
			continue
		}
		u, err := url.Parse(root.URI)
		if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || !filepath.IsAbs(u.Path) {
			return true, nil, fmt.Errorf("reading the client's roots: %q is not the file:// address of a folder on this machine", root.URI)
		}
		roots = append(roots, filepath.Clean(u.Path))
	}
	return true, roots, nil
}
