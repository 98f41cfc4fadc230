package play

// Figure is what a rival documents, and what was measured here.
type Figure struct {
	Rival      string  `json:"rival"`
	What       string  `json:"what"`
	Unit       string  `json:"unit"`
	Documented float64 `json:"documented"`
	Measured   float64 `json:"measured"`
	Law        string  `json:"law"` // exactly, about, at most, at least
	Slack      float64 `json:"slack"`
	Source     string  `json:"source"`
}

// AgeWhenNew finds the least age at which a key is new again, up to twice what is expected, with a clock that is set. Each try has
// a key of its own.
func AgeWhenNew(observe func(key []byte, tick uint64) (bool, error), expected uint64) (uint64, error) {
	low, high, start := uint64(0), 2*expected, uint64(0)
	for try := byte(0); low+1 < high; try++ {
		age, key := (low+high)/2, []byte{try}
		if _, err := observe(key, start); err != nil {
			return 0, err
		}
		start += age
		duplicate, err := observe(key, start)
		if err != nil {
			return 0, err
		}
		if duplicate {
			low = age
		} else {
			high = age
		}
	}
	return high, nil
}
