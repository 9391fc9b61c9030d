package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	// shippedLine is the line of .ci/release that names what archives and packages hold besides the
	// binary.
	shippedLine = regexp.MustCompile(`(?m)^\tgit .* archive HEAD (.*) \|$`)
	codeBlock   = regexp.MustCompile("(?ms)^```.*?^```")
	linkTarget  = regexp.MustCompile(`\]\(([^)#\s]+)[^)]*\)`)
	// namedPath finds words that can be paths from the top of the repository.
	namedPath = regexp.MustCompile(`(?:^|[\s("'` + "`" + `=])(\.?\w[\w.-]*(?:/[\w.-]+)*)`)
)

// TestReleaseHasWhatItsDocumentsName tests that each link and path in a document of a release leads
// to a file of the release. Documents for developers may name paths of the source.
func TestReleaseHasWhatItsDocumentsName(t *testing.T) {
	t.Parallel()
	const root = "../.."
	script, err := os.ReadFile(filepath.Join(root, ".ci/release"))
	if err != nil {
		t.Fatal(err)
	}
	shipped := strings.Fields(shippedLine.FindStringSubmatch(string(script))[1])
	isTop := func(name string) bool { // bin and data are made by make run
		_, err := os.Stat(filepath.Join(root, name))
		return err == nil && name != "bin" && name != "data"
	}
	missing := func(name string) bool {
		_, err := os.Stat(filepath.Join(root, name))
		return err != nil || !slices.ContainsFunc(shipped, func(s string) bool {
			return name == s || strings.HasPrefix(name, s+"/") || strings.HasPrefix(s, name+"/")
		})
	}
	links, paths := 0, 0
	check := func(document, page string) {
		for _, m := range linkTarget.FindAllStringSubmatch(codeBlock.ReplaceAllString(page, ""), -1) {
			if target := path.Join(path.Dir(document), m[1]); !strings.Contains(m[1], ":") {
				if links++; missing(target) {
					t.Errorf("%s links to %s, which a release lacks", document, target)
				}
			}
		}
		if strings.Contains(page, "\n\nFor developers.") || path.Dir(document) == "docs/decisions" {
			return
		}
		page = strings.ReplaceAll(page, "/usr/share/doc/agentchat/", "")
		for _, m := range namedPath.FindAllStringSubmatch(page, -1) {
			name := strings.TrimRight(m[1], ".")
			if first, _, deep := strings.Cut(name, "/"); isTop(first) && (deep || strings.Contains(name, ".")) {
				if paths++; missing(name) {
					t.Errorf("%s names %s, which a release lacks", document, name)
				}
			}
		}
	}
	for _, s := range shipped {
		err := filepath.WalkDir(filepath.Join(root, s), func(file string, e fs.DirEntry, err error) error {
			if err == nil && e.Name() == "node_modules" {
				return filepath.SkipDir
			}
			if err != nil || path.Ext(file) != ".md" {
				return err
			}
			page, err := os.ReadFile(file)
			document, _ := filepath.Rel(root, file)
			check(filepath.ToSlash(document), string(page))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if links < 100 || paths < 20 {
		t.Errorf("only %d links and %d paths were found", links, paths)
	}
}
