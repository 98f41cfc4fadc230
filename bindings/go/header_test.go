package lately

// Compares the package with ../../include/lately.h: every function, field and
// constant that the header has, this package has, with the same number and in
// the same place.

import (
	"math"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"
)

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	return string(text)
}

// header returns the header without its comments.
func header(t *testing.T) string {
	t.Helper()
	return regexp.MustCompile(`(?s)/\*.*?\*/`).ReplaceAllString(read(t, "../../include/lately.h"), "")
}

// atLeast guards against a pattern that finds nothing.
func atLeast(t *testing.T, n int, found [][]string, what string) [][]string {
	t.Helper()
	if len(found) < n {
		t.Fatalf("found %d %s in the header, there are %d or more", len(found), what, n)
	}
	return found
}

func functions(t *testing.T) []string {
	t.Helper()
	declared := regexp.MustCompile(`LATELY_API\s+[\w\s*]*?\b(lately_\w+)\(`).FindAllStringSubmatch(header(t), -1)
	var names []string
	for _, match := range atLeast(t, 44, declared, "functions") {
		names = append(names, match[1])
	}
	return names
}

// members are the fields of a C struct after struct_size, by their places in words of 8 bytes.
func members(t *testing.T, name string, least int) map[string]uint64 {
	t.Helper()
	body := regexp.MustCompile(`(?s)typedef struct ` + name + ` \{(.*?)\}`).FindStringSubmatch(header(t))
	if body == nil {
		t.Fatalf("no struct %s", name)
	}
	fields := regexp.MustCompile(`\b(?:size_t|uint64_t|double) (\w+);`).FindAllStringSubmatch(body[1], -1)
	found := map[string]uint64{}
	for i, field := range atLeast(t, least, fields, "fields") {
		if field[1] != "struct_size" {
			found[field[1]] = uint64(i)
		}
	}
	return found
}

// camel writes snake_case or UPPER_CASE as CamelCase.
func camel(name string) string {
	var out strings.Builder
	for _, word := range strings.Split(strings.ToLower(name), "_") {
		out.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return out.String()
}

// goName is the name of a field of a C struct in Go.
func goName(c string) string {
	if strings.HasPrefix(c, "secret_") {
		return "Secret"
	}
	return camel(strings.TrimSuffix(c, "_ns"))
}

// literals are functions that only fill in a struct, which in Go is a literal.
var literals = []string{"lately_options_window", "lately_options_last"}

// inPieces are functions that call a writer or a reader: one of Go may use the filter,
// which it must not during the call (snapshot.go has whole snapshots).
var inPieces = []string{"lately_filter_snapshot_pieces", "lately_filter_load_pieces", "lately_shared_load_pieces"}

func TestEveryFunctionIsCalledAndThoseOfKeysAreMarked(t *testing.T) {
	cgo := read(t, "cgo.go")
	ofKeys := regexp.MustCompile(`lately_status (go_\w+)\(uintptr_t`).FindAllStringSubmatch(cgo, -1)
	for _, function := range atLeast(t, 2, ofKeys, "functions of keys") {
		for _, needed := range []string{"#cgo noescape " + function[1] + "\n", "#cgo nocallback " + function[1] + "\n"} {
			if !strings.Contains(cgo, needed) {
				t.Errorf("cgo.go has no %q", needed)
			}
		}
	}
	for _, name := range functions(t) {
		inGo := slices.Contains(literals, name) || slices.Contains(inPieces, name)
		if !inGo && !regexp.MustCompile(`\b`+name+`\(`).MatchString(cgo) {
			t.Errorf("nothing calls %s", name)
		}
	}
}

// A call of C as a statement loses its status: only functions that have none are called so.
func TestNoStatusIsIgnored(t *testing.T) {
	without := []string{"lately_filter_free", "lately_options_init", "lately_load_options_init"}
	calls := regexp.MustCompile(`(?m)^\s*(?:_ = )?C\.((?:lately|go)_\w+)\(`).FindAllStringSubmatch(read(t, "cgo.go"), -1)
	for _, call := range atLeast(t, 3, calls, "statements") {
		if !slices.Contains(without, call[1]) {
			t.Errorf("cgo.go ignores the status of %s", call[1])
		}
	}
}

// constants returns those of this package that are plain numbers.
func constants(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, path := range []string{"verdict.go", "options.go", "errors.go"} {
		for _, match := range regexp.MustCompile(`(?m)^\t(\w+) +\w+ = (\d+)$`).FindAllStringSubmatch(read(t, path), -1) {
			found[match[1]] = match[2]
		}
	}
	return found
}

// constantName is the Go name of a constant of the header.
func constantName(name string) string {
	for _, prefix := range []string{"KIND_", "REPEAT_", "ON_LIMIT_"} {
		if rest, found := strings.CutPrefix(name, prefix); found {
			return camel(rest)
		}
	}
	switch name {
	case "CLOCK_MANUAL_NS":
		return "ManualClock"
	case "CLOCK_SYSTEM":
		return "SystemClock"
	case "ERR_IO":
		return "ErrIO"
	}
	if rest, found := strings.CutPrefix(name, "ERR_"); found {
		return "Err" + camel(rest)
	}
	if rest, found := strings.CutPrefix(name, "VARIANT_"); found {
		return rest
	}
	return camel(name)
}

func defines(t *testing.T) [][]string {
	t.Helper()
	found := regexp.MustCompile(`(?m)^#define LATELY_(\w+) (\d+) *$`).FindAllStringSubmatch(header(t), -1)
	return atLeast(t, 60, found, "constants")
}

func TestEveryConstantIsHere(t *testing.T) {
	elsewhere := regexp.MustCompile(`^(FIELD_|VERSION_|ABI_|OK$|KEYS_|CLOCK_MANUAL_(US|MS|S)$)`)
	have := constants(t)
	for _, define := range defines(t) {
		name := constantName(define[1])
		if verdicts := []string{"New", "Duplicate", "Pending", "AbsentKey"}; slices.Contains(verdicts, name) {
			number, err := strconv.Atoi(define[2])
			must(t, err)
			define[2] = strconv.Itoa(number + 1) // so that 0 is no verdict
		}
		if !elsewhere.MatchString(define[1]) && have[name] != define[2] {
			t.Errorf("LATELY_%s is %s, %s is %q", define[1], define[2], name, have[name])
		}
	}
}

func TestVersionsAreTheHeaders(t *testing.T) {
	if headerABI != ABIVersion() || headerVersion != VersionNumber() || dotted(headerVersion) != Version() {
		t.Errorf("built for %d, ABI %d, runs %d (%s), ABI %d", headerVersion, headerABI, VersionNumber(), Version(), ABIVersion())
	}
}

// setOne gives a field of a Go struct the value 1.
func setOne(field reflect.Value) {
	switch {
	case field.Kind() == reflect.Bool:
		field.SetBool(true)
	case field.CanFloat():
		field.SetFloat(1)
	case field.CanInt():
		field.SetInt(1)
	default:
		field.SetUint(1)
	}
}

// Each option alone comes back alone. That each goes to the place of its name, the refusals of
// tests/vectors/errors.txt show.
func TestEveryOptionComesHome(t *testing.T) {
	for number, option := range options {
		var o Options
		if field := reflect.ValueOf(&o).Elem().FieldByName(option.field); option.field != "Secret" {
			setOne(field)
		}
		if c := o.inC(); optionsInGo(&c) != o {
			t.Errorf("%d, %s: %v is %v", number, option.c, o, optionsInGo(&c))
		}
	}
}

// comesHome checks that a C struct whose members are 1, 2, 3 .. gives a Go
// struct with those numbers in the fields of the same names, and no others.
func comesHome[C, G any](t *testing.T, name string, least int, convert func(*C) G) {
	t.Helper()
	var c C
	words := unsafe.Slice((*uint64)(unsafe.Pointer(&c)), unsafe.Sizeof(c)/8)
	for i := range words {
		words[i] = uint64(i + 1)
	}
	out := reflect.ValueOf(convert(&c))
	all := members(t, name, least)
	for name, place := range all {
		if field := out.FieldByName(goName(name)); !field.IsValid() {
			t.Errorf("%s has no %s", out.Type(), goName(name))
		} else if got := bitsOf(field); got != place+1 {
			t.Errorf("%s.%s is %d, member %d in C", out.Type(), goName(name), got, place+1)
		}
	}
	if out.NumField() != len(all) {
		t.Errorf("%s has %d fields for %d", out.Type(), out.NumField(), len(all))
	}
}

func bitsOf(field reflect.Value) uint64 {
	switch {
	case field.CanFloat():
		return math.Float64bits(field.Float())
	case field.CanInt():
		return uint64(field.Int())
	}
	return field.Uint()
}

func TestEveryFigureComesHome(t *testing.T) {
	comesHome(t, "lately_stats", 15, statsInGo)
	comesHome(t, "lately_plan_result", 15, planInGo)
}
