//go:build !race && !lately_gcstress

package lately

// Memory that cannot be had is an error, and the program lives on. The race
// detector takes all of the address space, so that these tests are not for it.

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestAPlanThatNoMachineCanHoldIsAnError(t *testing.T) {
	o := small
	o.Capacity, o.Memory = 1<<48, 1<<56
	plan, err := Plan(o)
	if err != nil || plan.Bytes < 1<<48 {
		t.Errorf("%+v, %v", plan, err)
	}
	_, err = construct(o)
	refused(t, err, ErrNoMemory, "")
}

// child is set in the process that has a limit.
const child = "LATELY_TEST_LIMIT"

// A process of its own, as the limit on the address space stays: what
// `ulimit -v` sets.
func TestAProcessUnderALimitLivesOn(t *testing.T) {
	if os.Getenv(child) != "" {
		underALimit(t)
		return
	}
	arguments := []string{"-test.run=^TestAProcessUnderALimitLivesOn$", "-test.v"}
	if *unshared {
		arguments = append(arguments, "-unshared")
	}
	command := exec.Command(os.Args[0], arguments...)
	command.Env = append(os.Environ(), child+"=1")
	output, err := command.CombinedOutput()
	if err != nil || !strings.Contains(string(output), "lived on") {
		t.Errorf("%v:\n%s", err, output)
	}
}

func sized(bytes uint64) Options {
	return Options{Kind: Quotient, Memory: bytes}
}

func underALimit(t *testing.T) {
	spare()
	mapped, _ := process(t)
	limit := syscall.Rlimit{Cur: uint64(mapped) + 256*mib, Max: uint64(mapped) + 256*mib}
	must(t, syscall.Setrlimit(syscall.RLIMIT_AS, &limit))
	filter := newFilter(t, sized(144*mib))
	must(t, filter.InsertString("a"))
	_, err := construct(sized(1024 * mib))
	refused(t, err, ErrNoMemory, "")
	_, err = filter.Clone()
	refused(t, err, ErrNoMemory, "")
	verdict, err := filter.ObserveString("a")
	expect(t, verdict, err, Duplicate)
	grow(t)
	t.Log("lived on")
}

// spare leaves Go's own heap room that it keeps: it cannot live without memory,
// and what is tested is the library.
func spare() {
	room := make([]byte, 64*mib)
	runtime.KeepAlive(room)
	runtime.GC()
}

// grow fills a filter without a limit of its own until the system gives no
// more: then it forgets early, and no call fails.
func grow(t *testing.T) {
	filter := newFilter(t, Options{Kind: TimeLimited, Window: time.Minute, Clock: ManualClock,
		Capacity: 20_000_000, ErrorRate: 1e-6})
	var keys Keys
	for first := uint64(0); first < 400_000_000; first += 100_000 {
		keys.Reset()
		for key := first; key < first+100_000; key++ {
			keys.AppendUint64(key)
		}
		_, err := filter.InsertBatch(&keys, nil)
		must(t, err)
		stats, err := filter.Stats()
		must(t, err)
		if stats.Forgotten+stats.Deferred > 0 {
			return
		}
	}
	t.Error("400,000,000 keys found room")
}
