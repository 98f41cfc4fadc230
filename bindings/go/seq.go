package lately

import "iter"

// FilterNew passes on the keys of a sequence that [Filter.Observe] calls New:
//
//	for key, err := range filter.FilterNew(keys) {
//		if err != nil { ... }
//		first(key)
//	}
//
// An error comes with the key that could not be judged, and is the last. A key
// is observed when the loop asks for it, not before.
func (f *Filter) FilterNew(keys iter.Seq[[]byte]) iter.Seq2[[]byte, error] {
	return filterNew(keys, f.Observe)
}

// FilterNewStrings is FilterNew for strings.
func (f *Filter) FilterNewStrings(keys iter.Seq[string]) iter.Seq2[string, error] {
	return filterNew(keys, f.ObserveString)
}

// First passes on the items of a sequence whose keys are New, by the key that
// the function makes of an item:
//
//	for order, err := range lately.First(seen, orders, func(o Order) string { return o.ID }) {
//		if err != nil { ... }
//		ship(order)
//	}
//
// An error comes with the item that could not be judged, and is the last.
func First[T any](f *Filter, items iter.Seq[T], key func(T) string) iter.Seq2[T, error] {
	return filterNew(items, func(item T) (Verdict, error) { return f.ObserveString(key(item)) })
}

func filterNew[K any](keys iter.Seq[K], observe func(K) (Verdict, error)) iter.Seq2[K, error] {
	return func(yield func(K, error) bool) {
		for key := range keys {
			verdict, err := observe(key)
			if err == nil && verdict == Duplicate {
				continue
			}
			if !yield(key, err) || err != nil {
				return
			}
		}
	}
}
