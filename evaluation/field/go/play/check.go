package play

// What the tests of the programs ask of every rival.

import "fmt"

// Check runs every rival on the small workloads that it has: it must find every repeat, and be wrong about new keys at ten times its
// promise at most. A run whose pace the machine could not keep is tried again.
func Check(rivals []Rival) error {
	for _, rival := range rivals {
		for _, w := range workloads {
			if w.Records > 2_000 || !rival.takes(w) {
				continue
			}
			if err := check(rival, w); err != nil {
				return fmt.Errorf("%s, %s: %w", rival.Name, w.Name, err)
			}
		}
	}
	return nil
}

func check(rival Rival, w Workload) error {
	for range 20 {
		result, _, err := play(rival, w, 1)
		switch {
		case err != nil:
			return err
		case uint64(result.Late) > w.Window/8:
			continue
		case result.Missed > 0:
			return fmt.Errorf("%d repeats of the window were called new", result.Missed)
		case float64(result.False) > 10*rival.Error*float64(w.Counted):
			return fmt.Errorf("%d new keys were called duplicates", result.False)
		}
		return nil
	}
	return fmt.Errorf("the machine is too busy for the pace")
}
