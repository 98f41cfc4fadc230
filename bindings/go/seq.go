package lately

import "iter"

// First passes on the items of a sequence whose keys are New, by the key that
// the function makes of an item:
//
//	for order, err := range lately.First(seen, orders, func(o Order) string { return o.ID }) {
//		if err != nil { ... }
//		ship(order)
//	}
//
// An error comes with the item that could not be judged, and is the last. An item is
// observed when the loop asks for it, not before.
func First[T any](f *Filter, items iter.Seq[T], key func(T) string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for item := range items {
			isNew, err := f.FirstString(key(item))
			if err == nil && !isNew {
				continue
			}
			if !yield(item, err) || err != nil {
				return
			}
		}
	}
}
