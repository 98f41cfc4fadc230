package lately

// Every form of a verb on one key, found by reflection, does what its verb in cgo.go does
// with the same bytes at the same tick. What the verbs do, the vectors show.

import (
	"bytes"
	"fmt"
	"reflect"
	"regexp"
	"testing"
	"time"
)

// aForm is the name of a method that is a form of a verb: the verb, and how it has the key.
var aForm = regexp.MustCompile(`^(Observe|Insert|Contains|Remove|First|ObserveAge|ContainsAge|Claim)(String)?$`)

// plainly has the verbs as cgo.go has them, and what they return as text.
var plainly = map[string]func(*handle, []byte, Tick) string{
	"Observe":     func(h *handle, key []byte, now Tick) string { return fmt.Sprint(h.observe(key, now)) },
	"Insert":      func(h *handle, key []byte, now Tick) string { return fmt.Sprint(h.insert(key, now)) },
	"Contains":    func(h *handle, key []byte, now Tick) string { return fmt.Sprint(h.contains(key, now)) },
	"Remove":      func(h *handle, key []byte, now Tick) string { return fmt.Sprint(h.remove(key, now)) },
	"ObserveAge":  func(h *handle, key []byte, now Tick) string { return fmt.Sprint(h.observeAge(key, now)) },
	"ContainsAge": func(h *handle, key []byte, now Tick) string { return fmt.Sprint(h.containsAge(key, now)) },
	"Claim":       func(h *handle, key []byte, now Tick) string { return fmt.Sprint(h.claim(key, now)) },
	"First": func(h *handle, key []byte, now Tick) string {
		verdict, err := h.observe(key, now)
		return fmt.Sprint(verdict == New, err)
	},
}

// keyAs is a key as the last word of a method's name has it.
func keyAs(word, key string) any {
	if word == "String" {
		return key
	}
	return []byte(key)
}

// answer calls a method and returns what it returns as text, a claim by its two figures.
func answer(method reflect.Value, key any) string {
	var all []any
	for _, out := range method.Call([]reflect.Value{reflect.ValueOf(key)}) {
		if claim, isClaim := out.Interface().(*Claim); isClaim && claim != nil {
			all = append(all, claim.Verdict(), claim.Token())
			continue
		}
		all = append(all, out.Interface())
	}
	return fmt.Sprint(all...)
}

// sighted is a window of 70 s that took a key at 100 s. A filter with claims takes no hashes.
func sighted(t *testing.T, key string, claims bool) *Filter {
	t.Helper()
	o := Window(70 * time.Second)
	o.Clock = ManualClock
	if claims {
		o.Lease = time.Second
	}
	filter := newFilter(t, o)
	must(t, filter.handle.insert([]byte(key), 100*aSecond))
	return filter
}

const aSecond = Tick(time.Second)

func TestEveryFormDoesWhatItsVerbDoes(t *testing.T) {
	const key = "order-17"
	for _, now := range []Tick{130 * aSecond, 300 * aSecond} {
		date := now.Time()
		for name, c := range map[string]struct {
			count int
			form  func(*Filter) any
			plain func(*Filter) Tick
		}{
			"Filter": {16, func(f *Filter) any { return f }, func(*Filter) Tick { return Now }},
			"AtTick": {16, func(f *Filter) any { return f.AtTick(now) }, func(*Filter) Tick { return now }},
			"Now":    {16, func(f *Filter) any { return f.AtTick(Now) }, func(*Filter) Tick { return Now }},
			"At":     {16, func(f *Filter) any { return f.At(date) }, func(*Filter) Tick { return now }},
			"By": {16, func(f *Filter) any { return f.By(func() time.Time { return date }) },
				func(f *Filter) Tick { must(t, f.handle.advance(now)); return Now }},
		} {
			forms := 0
			methods := reflect.TypeOf(c.form(sighted(t, key, false)))
			for i := range methods.NumMethod() {
				method := methods.Method(i).Name
				words := aForm.FindStringSubmatch(method)
				if words == nil {
					continue
				}
				forms++
				for _, asked := range []string{key, "order-18", ""} {
					one, other := sighted(t, key, words[1] == "Claim"), sighted(t, key, words[1] == "Claim")
					got := answer(reflect.ValueOf(c.form(one)).Method(i), keyAs(words[2], asked))
					want := plainly[words[1]](other.handle, []byte(asked), c.plain(other))
					if got != want || !bytes.Equal(saved(t, one), saved(t, other)) {
						t.Errorf("%s at %d, %s(%q): %s, want %s and the same filter", name, now, method, asked, got, want)
					}
				}
			}
			expect(t, forms, nil, c.count)
		}
	}
}

func TestAnAgeOfTimeIsTwoDurations(t *testing.T) {
	filter := sighted(t, "a", false)
	before := saved(t, filter)
	_, age, err := filter.AtTick(125 * aSecond).ContainsAgeString("a")
	must(t, err)
	expect(t, bytes.Equal(saved(t, filter), before), nil, true)
	_, observed, err := filter.AtTick(125 * aSecond).ObserveAgeString("a")
	expect(t, observed, err, age)
	_, again, err := filter.ContainsAgeString("a")
	expect(t, again.AtLeast, err, 0)
	removed, err := filter.AtTick(300 * aSecond).RemoveString("a") // it is not within the window then
	expect(t, removed, err, false)
	atLeast, atMost := age.Durations()
	if atLeast > 25*time.Second || atMost < 25*time.Second || atMost-atLeast > 10*time.Second {
		t.Error(atLeast, atMost)
	}
	if _, atMost := (Age{AtMost: 1<<64 - 1}).Durations(); atMost != 1<<63-1 {
		t.Error(atMost)
	}
}
