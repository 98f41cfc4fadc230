//go:build !race && !lately_gcstress

package lately

import "testing"

// The race detector takes all of the address space, so that this test is not for it. A process under a limit of memory
// is tested in tests/unobtainable.rs.
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
