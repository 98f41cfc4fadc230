package prometheus

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// blocks are the program of the page in Go, and the text below it.
func blocks(t *testing.T) (program, text string) {
	t.Helper()
	page, err := os.ReadFile("../../../docs/reference/metrics.md")
	must(t, err)
	found := regexp.MustCompile("(?s)```go\n(.*?)```\n.*?```text\n(.*?)```\n").FindSubmatch(page)
	if found == nil {
		t.Fatal("the page has no program in Go with a text below it")
	}
	return string(found[1]), string(found[2])
}

func TestThePagesProgramWritesThePagesMetrics(t *testing.T) {
	program, text := blocks(t)
	folder := t.TempDir()
	source, binary := filepath.Join(folder, "main.go"), filepath.Join(folder, "orders")
	must(t, os.WriteFile(source, []byte(program), 0o600))
	if output, err := exec.Command("go", "build", "-o", binary, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	run := exec.Command(binary)
	run.Dir = folder
	if output, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	written, err := os.ReadFile(filepath.Join(folder, "orders.prom"))
	must(t, err)
	lines := strings.Split(string(written), "\n")
	want := strings.Split(strings.TrimSpace(text), "\n")
	for _, line := range want {
		if !strings.HasPrefix(line, "lately_") || !slices.Contains(lines, line) {
			t.Errorf("no line %q in\n%s", line, written)
		}
	}
}
