package lately

// Compares the package with ../../include/lately.h: every function, field and
// constant that the header has, this package has, with the same number and in
// the same place.

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
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

// member is a field of a C struct. There is no padding.
type member struct {
	name   string
	offset uintptr
	size   uintptr
}

func members(t *testing.T, name string, least int) []member {
	t.Helper()
	body := regexp.MustCompile(`(?s)typedef struct ` + name + ` \{(.*?)\}`).FindStringSubmatch(header(t))
	if body == nil {
		t.Fatalf("no struct %s", name)
	}
	fields := regexp.MustCompile(`\b(size_t|uint64_t|uint32_t|double) (\w+);`).FindAllStringSubmatch(body[1], -1)
	var found []member
	offset := uintptr(0)
	for _, field := range atLeast(t, least, fields, "fields") {
		size := map[string]uintptr{"uint32_t": 4}[field[1]]
		if size == 0 {
			size = 8
		}
		found = append(found, member{field[2], offset, size})
		offset += size
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

// verb returns what a function on a filter does, if it is one.
func verb(function string) (string, bool) {
	return strings.CutPrefix(function, "lately_filter_")
}

// literals are functions that only fill in a struct, which in Go is a literal.
var literals = []string{"lately_options_window", "lately_options_last"}

// inPieces are functions that call a writer or a reader: one of Go may use the filter,
// which it must not during the call (snapshot.go has whole snapshots).
var inPieces = []string{"lately_filter_snapshot_pieces", "lately_filter_load_pieces", "lately_shared_load_pieces"}

func TestEveryFunctionIsCalledAndMarked(t *testing.T) {
	cgo := read(t, "cgo.go")
	called := regexp.MustCompile(`C\.(go_\w+|lately_\w+_\w+|lately_plan)\(`).FindAllStringSubmatch(cgo, -1)
	for _, call := range called {
		for _, needed := range []string{"#cgo noescape " + call[1] + "\n", "#cgo nocallback " + call[1] + "\n"} {
			if !strings.Contains(cgo, needed) {
				t.Errorf("cgo.go has no %q", needed)
			}
		}
	}
	if marked := strings.Count(cgo, "#cgo nocallback "); marked != len(set(called)) {
		t.Errorf("%d functions are marked, %d called", marked, len(set(called)))
	}
	call := read(t, "call.h")
	for _, name := range functions(t) {
		if slices.Contains(slices.Concat(literals, inPieces), name) {
			continue
		}
		if !strings.Contains(cgo, "C."+name+"(") && !strings.Contains(call, name+"(") {
			t.Errorf("nothing calls %s", name)
		}
	}
}

// set has each name that was found once.
func set(found [][]string) map[string]bool {
	names := map[string]bool{}
	for _, match := range found {
		names[match[1]] = true
	}
	return names
}

func TestOnlyOneFileCallsC(t *testing.T) {
	files, err := os.ReadDir(".")
	must(t, err)
	for _, file := range files {
		path := file.Name()
		if strings.HasSuffix(path, ".go") && path != "link.go" && strings.Contains(read(t, path), "\nimport \""+"C\"") != (path == "cgo.go") {
			t.Errorf("%s: cgo.go alone imports C, and link.go for its flags", path)
		}
		if path == "link.go" && strings.Contains(read(t, path), "C.") {
			t.Errorf("%s calls C", path)
		}
	}
}

// renamed are the methods with another name than the C function's.
var renamed = map[string][]string{
	"free":          {"Close"},
	"retain":        {"Share"},
	"copy":          {"Clone"},
	"observe":       {"Observe", "ObserveString"},
	"insert":        {"Insert", "InsertString"},
	"contains":      {"Contains", "ContainsString"},
	"remove":        {"Remove", "RemoveString"},
	"observe_age":   {"ObserveAge", "ObserveAgeString"},
	"contains_age":  {"ContainsAge", "ContainsAgeString"},
	"hash":          {"Hash"},
	"claim":         {"Claim", "ClaimString"},
	"commit":        {"Commit"},
	"abandon":       {"Abandon"},
	"observe_many":  {"ObserveBatch"},
	"insert_many":   {"InsertBatch"},
	"contains_many": {"ContainsBatch"},
	"remove_many":   {"RemoveBatch"},
	"describe":      {"String"},
	"advance":       {"At", "AtTick"},

	"snapshot_size":  {"Snapshot"},
	"snapshot_write": {"Snapshot", "WriteTo"},
}

// free functions of the header, and what is their like.
var others = map[string]any{
	"lately_shared_new":     NewFilter,
	"lately_filter_new":     NewUnshared,
	"lately_plan":           Plan,
	"lately_hash64":         Hash64,
	"lately_version_string": Version,
	"lately_version_number": VersionNumber,
	"lately_abi_version":    ABIVersion,
	"lately_options_init":   Options{},
	"lately_options_window": Window,
	"lately_options_last":   Last,
	"lately_status_name":    Code.Name,
	"lately_status_text":    Code.Error,

	"lately_shared_load":       ReadFilter,
	"lately_filter_load":       ReadUnshared,
	"lately_load_options_init": LoadOptions{},
}

func TestEveryVerbIsAMethod(t *testing.T) {
	filter := reflect.TypeFor[*Filter]()
	for _, name := range functions(t) {
		if others[name] != nil || slices.Contains(inPieces, name) {
			continue
		}
		verb, found := verb(name)
		if !found {
			t.Errorf("%s has no like in Go", name)
			continue
		}
		methods := renamed[verb]
		if methods == nil {
			methods = []string{camel(verb)}
		}
		for _, method := range methods {
			if _, found := filter.MethodByName(method); !found {
				t.Errorf("%s: Filter has no %s", name, method)
			}
		}
	}
}

// constants returns those of this package that are plain numbers.
func constants(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, path := range []string{"verdict.go", "options.go", "errors.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		must(t, err)
		ast.Inspect(file, func(node ast.Node) bool {
			if spec, isValue := node.(*ast.ValueSpec); isValue && len(spec.Values) == 1 {
				if number, isNumber := spec.Values[0].(*ast.BasicLit); isNumber {
					found[spec.Names[0].Name] = number.Value
				}
			}
			return true
		})
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

func TestEveryStatusHasItsName(t *testing.T) {
	seen := 0
	for _, define := range defines(t) {
		name, isError := strings.CutPrefix(define[1], "ERR_")
		if !isError {
			continue
		}
		seen++
		number, _ := strconv.Atoi(define[2])
		if got := Code(number).Name(); got != name {
			t.Errorf("status %d is %s in the header, %s in the library", number, name, got)
		}
	}
	if seen < 20 {
		t.Errorf("%d statuses in the header", seen)
	}
}

func TestEveryOptionHasItsNumberAndField(t *testing.T) {
	seen := 0
	for _, define := range defines(t) {
		name, isField := strings.CutPrefix(define[1], "FIELD_")
		if !isField {
			continue
		}
		seen++
		number, _ := strconv.ParseUint(define[2], 10, 32)
		want := option{strings.ToLower(name), goName(strings.ToLower(name))}
		if options[uint32(number)] != want {
			t.Errorf("option %d is %v, here %v", number, want, options[uint32(number)])
		}
	}
	if seen < 27 || seen != len(options) {
		t.Errorf("%d options in the header, %d here", seen, len(options))
	}
}

func TestVersionsAreTheHeaders(t *testing.T) {
	for _, define := range defines(t) {
		number, _ := strconv.ParseUint(define[2], 10, 32)
		switch define[1] {
		case "ABI_VERSION":
			if headerABI != uint32(number) || ABIVersion() != uint32(number) {
				t.Errorf("ABI %d, built for %d, runs %d", number, headerABI, ABIVersion())
			}
		case "VERSION_NUMBER":
			if headerVersion != uint32(number) || VersionNumber() != uint32(number) || Version() != dotted(uint32(number)) {
				t.Errorf("version %d, built for %d, runs %d (%s)", number, headerVersion, VersionNumber(), Version())
			}
		}
	}
}

// at returns the member's bits in a C struct.
func at(start unsafe.Pointer, m member) uint64 {
	if m.size == 4 {
		return uint64(*(*uint32)(unsafe.Add(start, m.offset)))
	}
	return *(*uint64)(unsafe.Add(start, m.offset))
}

// setOne gives a field of a Go struct the value 1: of a secret the word that C has
// under this name.
func setOne(field reflect.Value, name string) uint64 {
	switch {
	case name == "secret_lo":
		field.Set(reflect.ValueOf(SecretOf(1, 0)))
	case name == "secret_hi":
		field.Set(reflect.ValueOf(SecretOf(0, 1)))
	case field.Kind() == reflect.Bool:
		field.SetBool(true)
	case field.CanFloat():
		field.SetFloat(1)
		return math.Float64bits(1)
	case field.CanInt():
		field.SetInt(1)
	default:
		field.SetUint(1)
	}
	return 1
}

// goesToItsPlace checks that each option alone reaches its own place in the C
// struct, and no other.
func goesToItsPlace[O, C any](t *testing.T, name string, least int, convert func(*O) C) {
	all := members(t, name, least)
	for _, target := range all {
		if target.name == "struct_size" || strings.HasPrefix(target.name, "reserved_") {
			continue
		}
		var o O
		field := reflect.ValueOf(&o).Elem().FieldByName(goName(target.name))
		if !field.IsValid() {
			t.Errorf("%T has no %s for %s", o, goName(target.name), target.name)
			continue
		}
		want := setOne(field, target.name)
		c := convert(&o)
		for _, m := range all[1:] {
			got := at(unsafe.Pointer(&c), m)
			if (m == target && got != want) || (m != target && got != 0) {
				t.Errorf("%s set, %s is %d in C", target.name, m.name, got)
			}
		}
	}
	if c := convert(new(O)); at(unsafe.Pointer(&c), all[0]) != uint64(unsafe.Sizeof(c)) {
		t.Error("struct_size is not the size of the struct")
	}
}

func TestEveryOptionGoesToItsPlace(t *testing.T) {
	goesToItsPlace(t, "lately_options", 28, (*Options).inC)
}

func TestEveryOptionComesHome(t *testing.T) {
	for number, option := range options {
		var o Options
		if field := reflect.ValueOf(&o).Elem().FieldByName(option.field); option.field != "Secret" {
			setOne(field, option.c)
		}
		if c := o.inC(); optionsInGo(&c) != o {
			t.Errorf("%d, %s: %v is %v", number, option.c, o, optionsInGo(&c))
		}
	}
}

func TestEveryOptionOfLoadingGoesToItsPlace(t *testing.T) {
	goesToItsPlace(t, "lately_load_options", 5, (*LoadOptions).inC)
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
	all := slices.DeleteFunc(members(t, name, least), func(m member) bool { return m.name == "struct_size" })
	for _, m := range all {
		field := out.FieldByName(goName(m.name))
		if !field.IsValid() {
			t.Errorf("%s has no %s", out.Type(), goName(m.name))
		} else if got, want := bitsOf(field), uint64(m.offset/8+1); got != want {
			t.Errorf("%s.%s is %d, member %d in C", out.Type(), goName(m.name), got, want)
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

func TestEveryStatisticComesHome(t *testing.T) {
	comesHome(t, "lately_stats", 15, statsInGo)
}

func TestEveryFigureOfThePlanComesHome(t *testing.T) {
	comesHome(t, "lately_plan_result", 15, planInGo)
}

func TestBothEndsOfAnAgeComeHome(t *testing.T) {
	comesHome(t, "lately_age", 2, ageInGo)
}

// Of the verbs that take a tick, each form but the batches is also one of a Moment.
func TestEveryVerbOfTimeIsAMethodOfAMoment(t *testing.T) {
	timed := regexp.MustCompile(`lately_filter_(\w+)\([^;]*uint64_t tick\b`).FindAllStringSubmatch(header(t), -1)
	moment := reflect.TypeFor[Moment]()
	for _, match := range atLeast(t, 9, timed, "verbs of time") {
		if match[1] == "first" || match[1] == "advance" {
			continue // Advance has its own name; First is made of observe
		}
		for _, method := range renamed[match[1]] {
			if _, found := moment.MethodByName(method); !found {
				t.Errorf("%s: Moment has no %s", match[1], method)
			}
		}
	}
}

func TestRenamedVerbsExist(t *testing.T) {
	all := functions(t)
	for verb := range renamed {
		if !slices.Contains(all, "lately_filter_"+verb) {
			t.Errorf("lately_filter_%s is not in the header", verb)
		}
	}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(others)), literals, inPieces) {
		if !slices.Contains(all, name) {
			t.Errorf("%s is not in the header", name)
		}
	}
}
