package play

// The verbs of a driver: list, run, documented.

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// Main is the program of these rivals.
func Main(rivals []Rival) {
	if err := command(rivals, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func command(rivals []Rival, words []string) error {
	switch {
	case len(words) == 1 && words[0] == "list":
		return list(rivals)
	case len(words) == 5 && words[0] == "run":
		return ran(rivals, words[1], words[2], words[3], words[4])
	case len(words) == 2 && words[0] == "documented":
		return documented(rivals, words[1])
	}
	return fmt.Errorf("%q: allowed are list, run RIVAL WORKLOAD SEED FILE, documented RIVAL", strings.Join(words, " "))
}

// Listed is the line of a rival.
type Listed struct {
	Rival     string   `json:"rival"`
	Version   string   `json:"version"`
	Language  string   `json:"language"`
	Workloads []string `json:"workloads"`
	Base      string   `json:"base"`
	Error     float64  `json:"error"`
	Misses    bool     `json:"misses"`
	Bytes     string   `json:"bytes"`
	What      string   `json:"what"`
}

func list(rivals []Rival) error {
	for _, r := range rivals {
		line := Listed{r.Name, version(r.Module), "Go", r.workloads(), r.Base, r.Error, false, r.Bytes, r.What}
		if err := emit(line); err != nil {
			return err
		}
	}
	return nil
}

// workloads that the rival can do.
func (r Rival) workloads() []string {
	var names []string
	for _, w := range workloads {
		if r.takes(w) {
			names = append(names, w.Name)
		}
	}
	return names
}

func ran(rivals []Rival, name, workload, text, file string) error {
	rival, err := pick(rivals, name)
	if err != nil {
		return err
	}
	w, err := find(workload)
	if err != nil {
		return err
	}
	if !rival.takes(w) {
		return fmt.Errorf("workload %q: %s allows %s", workload, name, strings.Join(rival.workloads(), ", "))
	}
	seed, err := strconv.ParseUint(text, 10, 53)
	if err != nil {
		return fmt.Errorf("seed %q: allowed are whole numbers from 0 to 2^53 - 1", text)
	}
	result, verdicts, err := play(rival, w, seed)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, packed(verdicts), 0o644); err != nil {
		return err
	}
	return emit(result)
}

func documented(rivals []Rival, name string) error {
	rival, err := pick(rivals, name)
	if err != nil || rival.Figures == nil {
		return err
	}
	figures, err := rival.Figures()
	if err != nil {
		return err
	}
	for _, figure := range figures {
		figure.Rival = name
		if err := emit(figure); err != nil {
			return err
		}
	}
	return nil
}

func pick(rivals []Rival, name string) (Rival, error) {
	return named("rival", rivals, name, func(r Rival) string { return r.Name })
}

// named finds the one of this name, or names all.
func named[T any](what string, all []T, name string, of func(T) string) (T, error) {
	var names []string
	for _, one := range all {
		if of(one) == name {
			return one, nil
		}
		names = append(names, of(one))
	}
	var none T
	return none, fmt.Errorf("%s %q: allowed are %s", what, name, strings.Join(names, ", "))
}

func emit(line any) error {
	text, err := json.Marshal(line)
	if err == nil {
		_, err = fmt.Println(string(text))
	}
	return err
}

// packed has bit i of the verdicts at bit i % 8 of byte i / 8.
func packed(verdicts []bool) []byte {
	bytes := make([]byte, (len(verdicts)+7)/8)
	for i, duplicate := range verdicts {
		if duplicate {
			bytes[i/8] |= 1 << (i % 8)
		}
	}
	return bytes
}

// version of a module that this program was built of.
func version(module string) string {
	info, _ := debug.ReadBuildInfo()
	for _, m := range info.Deps {
		if m.Path == module {
			return module + " " + m.Version
		}
	}
	return module
}
