package lately

// What values are as the bytes of a key, in every language:
// tests/vectors/keys.txt.

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

func TestKeys_valuesOfTheFile_haveTheirBytesAndHash(t *testing.T) {
	filter, lines := newFilter(t, small), 0
	for _, line := range strings.Split(read(t, "../../tests/vectors/keys.txt"), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		words := strings.Split(line, " ")
		last := len(words) - 2
		key := valuesOf(t, words[:last])
		if got := hex.EncodeToString(key); got != strings.TrimPrefix(words[last], "-") {
			t.Errorf("%s: the key is %s", line, got)
		}
		hash, err := filter.Hash(key)
		must(t, err)
		must(t, same(fmt.Sprintf("%016x", hash), words[last+1]))
		if number, isNumber := strings.CutPrefix(words[0], "int:"); isNumber && last == 1 {
			expectNumber(t, filter, number, key)
		}
		lines++
	}
	if lines < 20 {
		t.Errorf("only %d lines", lines)
	}
}

// valueOf returns the bytes of a value such as int:7.
func valueOf(t *testing.T, value string) []byte {
	kind, text, _ := strings.Cut(value, ":")
	switch kind {
	case "str":
		return []byte(text)
	case "int":
		number, err := strconv.ParseUint(text, 10, 64)
		must(t, err)
		return binary.LittleEndian.AppendUint64(nil, number)
	case "uuid", "bytes":
		key, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
		must(t, err)
		return key
	}
	t.Fatalf("unknown value %q", value)
	return nil
}

// valuesOf returns one key of several values: for each its length and its
// bytes, or 8 bytes of 255 for a null.
func valuesOf(t *testing.T, values []string) (key []byte) {
	if len(values) == 1 {
		return valueOf(t, values[0])
	}
	for _, value := range values {
		if value == "null:" {
			key = binary.LittleEndian.AppendUint64(key, 1<<64-1)
			continue
		}
		part := valueOf(t, value)
		key = append(binary.LittleEndian.AppendUint64(key, uint64(len(part))), part...)
	}
	return key
}

// expectNumber finds the bytes of a number that the verb for numbers stored.
func expectNumber(t *testing.T, filter *Filter, text string, key []byte) {
	number, err := strconv.ParseUint(text, 10, 64)
	must(t, err)
	must(t, filter.InsertUint64(number))
	if verdict, err := filter.Contains(key); verdict != Duplicate || err != nil {
		t.Errorf("%s: %v, %v", text, verdict, err)
	}
}
