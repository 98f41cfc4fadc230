package lately

// This file has all calls of C, except the link flags (link.go): it converts Go
// values to those of C, and has no logic of filters. The library keeps no pointer
// and has no callbacks, hence noescape and nocallback for every function (no call
// allocates).

/*
#include "either.h"

#cgo noescape either_abandon
#cgo nocallback either_abandon
#cgo noescape either_advance
#cgo nocallback either_advance
#cgo noescape either_claim
#cgo nocallback either_claim
#cgo noescape either_claim_at
#cgo nocallback either_claim_at
#cgo noescape either_clear
#cgo nocallback either_clear
#cgo noescape either_commit
#cgo nocallback either_commit
#cgo noescape either_commit_at
#cgo nocallback either_commit_at
#cgo noescape either_contains
#cgo nocallback either_contains
#cgo noescape either_contains_age
#cgo nocallback either_contains_age
#cgo noescape either_contains_age_at
#cgo nocallback either_contains_age_at
#cgo noescape either_contains_at
#cgo nocallback either_contains_at
#cgo noescape either_contains_batch
#cgo nocallback either_contains_batch
#cgo noescape either_contains_column
#cgo nocallback either_contains_column
#cgo noescape either_contains_hash
#cgo nocallback either_contains_hash
#cgo noescape either_contains_hash_at
#cgo nocallback either_contains_hash_at
#cgo noescape either_contains_hashes
#cgo nocallback either_contains_hashes
#cgo noescape either_contains_u64s
#cgo nocallback either_contains_u64s
#cgo noescape either_copy
#cgo nocallback either_copy
#cgo noescape either_describe
#cgo nocallback either_describe
#cgo noescape either_filter_load
#cgo nocallback either_filter_load
#cgo noescape either_free
#cgo nocallback either_free
#cgo noescape either_hash
#cgo nocallback either_hash
#cgo noescape either_hash64
#cgo nocallback either_hash64
#cgo noescape either_insert
#cgo nocallback either_insert
#cgo noescape either_insert_at
#cgo nocallback either_insert_at
#cgo noescape either_insert_batch
#cgo nocallback either_insert_batch
#cgo noescape either_insert_column
#cgo nocallback either_insert_column
#cgo noescape either_insert_hash
#cgo nocallback either_insert_hash
#cgo noescape either_insert_hash_at
#cgo nocallback either_insert_hash_at
#cgo noescape either_insert_hashes
#cgo nocallback either_insert_hashes
#cgo noescape either_insert_u64s
#cgo nocallback either_insert_u64s
#cgo noescape either_observe
#cgo nocallback either_observe
#cgo noescape either_observe_age
#cgo nocallback either_observe_age
#cgo noescape either_observe_age_at
#cgo nocallback either_observe_age_at
#cgo noescape either_observe_at
#cgo nocallback either_observe_at
#cgo noescape either_observe_batch
#cgo nocallback either_observe_batch
#cgo noescape either_observe_column
#cgo nocallback either_observe_column
#cgo noescape either_observe_hash
#cgo nocallback either_observe_hash
#cgo noescape either_observe_hash_at
#cgo nocallback either_observe_hash_at
#cgo noescape either_observe_hashes
#cgo nocallback either_observe_hashes
#cgo noescape either_observe_u64s
#cgo nocallback either_observe_u64s
#cgo noescape either_remove
#cgo nocallback either_remove
#cgo noescape either_retain
#cgo nocallback either_retain
#cgo noescape either_secret
#cgo nocallback either_secret
#cgo noescape either_shared_load
#cgo nocallback either_shared_load
#cgo noescape either_snapshot_size
#cgo nocallback either_snapshot_size
#cgo noescape either_snapshot_write
#cgo nocallback either_snapshot_write
#cgo noescape either_stats
#cgo nocallback either_stats
#cgo noescape either_stats_reset
#cgo nocallback either_stats_reset
#cgo noescape lately_abi_version
#cgo nocallback lately_abi_version
#cgo noescape lately_filter_new
#cgo nocallback lately_filter_new
#cgo noescape lately_load_options_init
#cgo nocallback lately_load_options_init
#cgo noescape lately_options_init
#cgo nocallback lately_options_init
#cgo noescape lately_plan
#cgo nocallback lately_plan
#cgo noescape lately_shared_new
#cgo nocallback lately_shared_new
#cgo noescape lately_status_name
#cgo nocallback lately_status_name
#cgo noescape lately_version_number
#cgo nocallback lately_version_number
#cgo noescape lately_version_string
#cgo nocallback lately_version_string
*/
import "C"

import (
	"time"
	"unsafe"
)

type (
	cAge        = C.lately_age
	cFilter     = C.either
	cLoading    = C.lately_load_options
	cOptions    = C.lately_options
	cPlanResult = C.lately_plan_result
	cStats      = C.lately_stats
	cStatus     = C.lately_status
)

// Of the header that this program is built with.
const (
	headerABI     = uint32(C.LATELY_ABI_VERSION)
	headerVersion = uint32(C.LATELY_VERSION_NUMBER)
)

func versionString() string { return C.GoString(C.lately_version_string()) }
func versionNumber() uint32 { return uint32(C.lately_version_number()) }
func abiVersion() uint32    { return uint32(C.lately_abi_version()) }

// statusName returns the library's name of a status.
func statusName(code Code) string {
	return C.GoString(C.lately_status_name(C.lately_status(code)))
}

func hash64(key []byte, seed uint64) uint64 {
	return uint64(C.either_hash64(first(key), length(key), C.uint64_t(seed)))
}

// first returns a slice's pointer as C sees it; nil for a nil slice.
func first[T ~uint8](s []T) *C.uint8_t {
	return (*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(s)))
}

func firstWord[T ~uint64](s []T) *C.uint64_t {
	return (*C.uint64_t)(unsafe.Pointer(unsafe.SliceData(s)))
}

func length[T any](s []T) C.size_t {
	return C.size_t(len(s))
}

// view returns the bytes of a string, which must not be written to.
func view(s string) []byte {
	return unsafe.Slice(unsafe.StringData(s), len(s))
}

func flag(set bool) C.uint32_t {
	if set {
		return 1
	}
	return 0
}

// inC returns the options as C has them.
func (o *Options) inC() (c cOptions) {
	C.lately_options_init(&c, C.size_t(unsafe.Sizeof(c)))
	c.kind = C.uint32_t(o.Kind)
	c.clock = C.uint32_t(o.Clock)
	c.repeat = C.uint32_t(o.Repeat)
	c.on_limit = C.uint32_t(o.OnLimit)
	c.window_ns = C.uint64_t(o.Window)
	c.window_keys = C.uint64_t(o.WindowKeys)
	c.capacity = C.uint64_t(o.Capacity)
	c.error_rate = C.double(o.ErrorRate)
	c.miss_rate = C.double(o.MissRate)
	c.memory = C.uint64_t(o.Memory)
	c.max_step_ns = C.uint64_t(o.MaxStep)
	c.k = C.uint32_t(o.K)
	c.l = C.uint32_t(o.L)
	c.max_slices = C.uint32_t(o.MaxSlices)
	c.fill = C.double(o.Fill)
	c.variant = C.uint32_t(o.Variant)
	c.fingerprint_bits = C.uint32_t(o.FingerprintBits)
	c.semi_sort = flag(o.SemiSort)
	c.removable = flag(o.Removable)
	c.block_bytes = C.uint32_t(o.BlockBytes)
	c.chains = C.uint32_t(o.Chains)
	c.load = C.double(o.Load)
	c.keyed = flag(o.Keyed)
	c.seed = C.uint64_t(o.Seed)
	lo, hi := o.Secret.Words()
	c.secret_lo, c.secret_hi = C.uint64_t(lo), C.uint64_t(hi)
	c.age_bits = C.uint32_t(o.AgeBits)
	c.lateness_ns = C.uint64_t(o.Lateness)
	c.lease_ns = C.uint64_t(o.Lease)
	c.max_claims = C.uint64_t(o.MaxClaims)
	return c
}

// inC returns the options as C has them.
func (o *LoadOptions) inC() (c cLoading) {
	C.lately_load_options_init(&c, C.size_t(unsafe.Sizeof(c)))
	c.memory = C.uint64_t(o.Memory)
	lo, hi := o.Secret.Words()
	c.secret_lo, c.secret_hi = C.uint64_t(lo), C.uint64_t(hi)
	c.new_memory = C.uint64_t(o.NewMemory)
	return c
}

func emptyError() (c C.lately_error) {
	c.struct_size = C.size_t(unsafe.Sizeof(c))
	return c
}

// explained returns the error of a cold call, in the library's words; nil for OK.
func explained(status cStatus, c *C.lately_error, o *Options) error {
	if c.message[0] == 0 {
		return failure(status)
	}
	return &Error{
		Code:    Code(status),
		Field:   options[uint32(c.field)].field,
		Message: o.inGo(uint32(c.field), C.GoString(&c.message[0])),
	}
}

func buildShared(o *Options) (filter cFilter, err error) {
	in, why := o.inC(), emptyError()
	var built *C.lately_shared
	status := C.lately_shared_new(&in, &built, &why)
	return sharedFilter(built), explained(status, &why, o)
}

func buildUnshared(o *Options) (filter cFilter, err error) {
	in, why := o.inC(), emptyError()
	var built *C.lately_filter
	status := C.lately_filter_new(&in, &built, &why)
	return unsharedFilter(built), explained(status, &why, o)
}

func loadShared(snapshot []byte, elapsed time.Duration, o *LoadOptions) (filter cFilter, err error) {
	in, why := o.inC(), emptyError()
	var loaded *C.lately_shared
	status := C.either_shared_load(
		first(snapshot), length(snapshot), C.int64_t(elapsed), &in, &loaded, &why)
	return sharedFilter(loaded), explained(status, &why, nil)
}

func loadUnshared(snapshot []byte, elapsed time.Duration, o *LoadOptions) (filter cFilter, err error) {
	in, why := o.inC(), emptyError()
	var loaded *C.lately_filter
	status := C.either_filter_load(
		first(snapshot), length(snapshot), C.int64_t(elapsed), &in, &loaded, &why)
	return unsharedFilter(loaded), explained(status, &why, nil)
}

// A filter goes to C as words (either.h); the library's memory does not move.
func sharedFilter(filter *C.lately_shared) cFilter {
	return cFilter{shared: C.uintptr_t(uintptr(unsafe.Pointer(filter)))}
}

func unsharedFilter(filter *C.lately_filter) cFilter {
	return cFilter{unshared: C.uintptr_t(uintptr(unsafe.Pointer(filter)))}
}

func free(filter cFilter) {
	C.either_free(filter)
}

// shared tells a filter of NewFilter from one of NewUnshared.
func shared(filter cFilter) bool {
	return filter.shared != 0
}

// retain makes the caller one more holder of a shared filter.
func (h *handle) retain() (held cFilter, err error) {
	err = h.use(func(filter cFilter) cStatus {
		held = filter
		return C.either_retain(filter)
	})
	return held, err
}

func plan(o *Options) (PlanResult, error) {
	in, why := o.inC(), emptyError()
	var c cPlanResult
	c.struct_size = C.size_t(unsafe.Sizeof(c))
	if status := C.lately_plan(&in, &c, &why); status != C.LATELY_OK {
		return PlanResult{}, explained(status, &why, o)
	}
	return planInGo(&c), nil
}

func planInGo(c *cPlanResult) PlanResult {
	return PlanResult{
		Bytes:                uint64(c.bytes),
		BitsPerKey:           float64(c.bits_per_key),
		K:                    uint64(c.k),
		L:                    uint64(c.l),
		Fill:                 float64(c.fill),
		Slices:               uint64(c.slices),
		Blocks:               uint64(c.blocks),
		Rows:                 uint64(c.rows),
		Load:                 float64(c.load),
		Margin:               float64(c.margin),
		ErrorRateWorst:       float64(c.error_rate_worst),
		ErrorRateMean:        float64(c.error_rate_mean),
		MissRate:             float64(c.miss_rate),
		WindowKeys:           uint64(c.window_keys),
		CacheLinesPerObserve: float64(c.cache_lines_per_observe),
		FingerprintBits:      uint64(c.fingerprint_bits),
		Chains:               uint64(c.chains),
		BlockBytes:           uint64(c.block_bytes),
		BitsPerKeyPeak:       float64(c.bits_per_key_peak),
	}
}

func (h *handle) observe(key []byte) (verdict Verdict, err error) {
	filter, in, status := h.enter()
	if status == 0 {
		status = C.either_observe(filter, first(key), length(key), (*C.uint8_t)(&verdict))
		h.leave(in)
	}
	return verdict, failure(status)
}

func (h *handle) observeAt(key []byte, now Tick) (verdict Verdict, err error) {
	filter, in, status := h.enter()
	if status == 0 {
		status = C.either_observe_at(filter, first(key), length(key), C.uint64_t(now), (*C.uint8_t)(&verdict))
		h.leave(in)
	}
	return verdict, failure(status)
}

func (h *handle) insert(key []byte) error {
	filter, in, status := h.enter()
	if status == 0 {
		status = C.either_insert(filter, first(key), length(key))
		h.leave(in)
	}
	return failure(status)
}

func (h *handle) insertAt(key []byte, now Tick) error {
	filter, in, status := h.enter()
	if status == 0 {
		status = C.either_insert_at(filter, first(key), length(key), C.uint64_t(now))
		h.leave(in)
	}
	return failure(status)
}

func (h *handle) contains(key []byte) (verdict Verdict, err error) {
	filter, in, status := h.enter()
	if status == 0 {
		status = C.either_contains(filter, first(key), length(key), (*C.uint8_t)(&verdict))
		h.leave(in)
	}
	return verdict, failure(status)
}

func (h *handle) containsAt(key []byte, now Tick) (verdict Verdict, err error) {
	filter, in, status := h.enter()
	if status == 0 {
		status = C.either_contains_at(filter, first(key), length(key), C.uint64_t(now), (*C.uint8_t)(&verdict))
		h.leave(in)
	}
	return verdict, failure(status)
}

func (h *handle) observeAge(key []byte) (verdict Verdict, age Age, err error) {
	var c cAge
	filter, in, status := h.enter()
	if status == 0 {
		status = C.either_observe_age(filter, first(key), length(key), (*C.uint8_t)(&verdict), &c)
		h.leave(in)
	}
	return verdict, ageInGo(&c), failure(status)
}

func (h *handle) observeAgeAt(key []byte, now Tick) (verdict Verdict, age Age, err error) {
	var c cAge
	filter, in, status := h.enter()
	if status == 0 {
		status = C.either_observe_age_at(
			filter, first(key), length(key), C.uint64_t(now), (*C.uint8_t)(&verdict), &c)
		h.leave(in)
	}
	return verdict, ageInGo(&c), failure(status)
}

func (h *handle) containsAge(key []byte) (verdict Verdict, age Age, err error) {
	var c cAge
	filter, in, status := h.enter()
	if status == 0 {
		status = C.either_contains_age(filter, first(key), length(key), (*C.uint8_t)(&verdict), &c)
		h.leave(in)
	}
	return verdict, ageInGo(&c), failure(status)
}

func (h *handle) containsAgeAt(key []byte, now Tick) (verdict Verdict, age Age, err error) {
	var c cAge
	filter, in, status := h.enter()
	if status == 0 {
		status = C.either_contains_age_at(
			filter, first(key), length(key), C.uint64_t(now), (*C.uint8_t)(&verdict), &c)
		h.leave(in)
	}
	return verdict, ageInGo(&c), failure(status)
}

func ageInGo(c *cAge) Age {
	return Age{AtLeast: uint64(c.at_least), AtMost: uint64(c.at_most)}
}

func (h *handle) claim(key []byte) (verdict Verdict, token Token, err error) {
	filter, in, status := h.enter()
	if status == 0 {
		status = C.either_claim(filter, first(key), length(key), (*C.uint8_t)(&verdict), (*C.uint64_t)(&token))
		h.leave(in)
	}
	return verdict, token, failure(status)
}

func (h *handle) claimAt(key []byte, now Tick) (verdict Verdict, token Token, err error) {
	filter, in, status := h.enter()
	if status == 0 {
		status = C.either_claim_at(
			filter, first(key), length(key), C.uint64_t(now), (*C.uint8_t)(&verdict), (*C.uint64_t)(&token))
		h.leave(in)
	}
	return verdict, token, failure(status)
}

func (h *handle) commit(key []byte, token Token) (found Committed, err error) {
	filter, in, status := h.enter()
	if status == 0 {
		status = C.either_commit(filter, first(key), length(key), C.uint64_t(token), (*C.uint8_t)(&found))
		h.leave(in)
	}
	return found, failure(status)
}

func (h *handle) commitAt(key []byte, token Token, now Tick) (found Committed, err error) {
	filter, in, status := h.enter()
	if status == 0 {
		status = C.either_commit_at(
			filter, first(key), length(key), C.uint64_t(token), C.uint64_t(now), (*C.uint8_t)(&found))
		h.leave(in)
	}
	return found, failure(status)
}

func (h *handle) abandon(key []byte, token Token) error {
	filter, in, status := h.enter()
	if status == 0 {
		status = C.either_abandon(filter, first(key), length(key), C.uint64_t(token))
		h.leave(in)
	}
	return failure(status)
}

func (h *handle) remove(key []byte) (bool, error) {
	var removed C.uint8_t
	filter, in, status := h.enter()
	if status == 0 {
		status = C.either_remove(filter, first(key), length(key), &removed)
		h.leave(in)
	}
	return removed != 0, failure(status)
}

func (h *handle) advance(now Tick) error {
	return h.use(func(filter cFilter) cStatus {
		return C.either_advance(filter, C.uint64_t(now))
	})
}

func (h *handle) clear() error {
	return h.use(func(filter cFilter) cStatus {
		return C.either_clear(filter)
	})
}

func (h *handle) clone() (clone cFilter, err error) {
	err = h.use(func(filter cFilter) cStatus {
		return C.either_copy(filter, &clone)
	})
	return clone, err
}

func (h *handle) stats() (Stats, error) {
	var c cStats
	c.struct_size = C.size_t(unsafe.Sizeof(c))
	err := h.use(func(filter cFilter) cStatus {
		return C.either_stats(filter, &c)
	})
	return statsInGo(&c), err
}

func statsInGo(c *cStats) Stats {
	return Stats{
		Bytes:           uint64(c.bytes),
		BytesPeak:       uint64(c.bytes_peak),
		Slices:          uint64(c.slices),
		NewestSliceBits: uint64(c.newest_slice_bits),
		Items:           uint64(c.items),
		Stored:          uint64(c.stored),
		Reach:           span(uint64(c.reach_ns)),
		ErrorRate:       float64(c.error_rate),
		Shifts:          uint64(c.shifts),
		Forgotten:       uint64(c.forgotten),
		Deferred:        uint64(c.deferred),
		NewCount:        uint64(c.new_count),
		DuplicateCount:  uint64(c.duplicate_count),
		LateTicks:       uint64(c.late_ticks),
		RefusedTicks:    uint64(c.refused_ticks),
		Clock:           Tick(c.clock),
		RowsFull:        uint64(c.rows_full),
		MissRate:        float64(c.miss_rate),
		Moved:           uint64(c.moved),
		Stashed:         uint64(c.stashed),
		MaxLateness:     span(uint64(c.max_lateness_ns)),
		LastRefusedTick: Tick(c.last_refused_tick),
		OpenClaims:      uint64(c.open_claims),
		MaxClaims:       uint64(c.max_claims),
		ExpiredClaims:   uint64(c.expired_claims),
		Pending:         uint64(c.pending),
	}
}

func (h *handle) statsReset() error {
	return h.use(func(filter cFilter) cStatus {
		return C.either_stats_reset(filter)
	})
}

func (h *handle) snapshotSize() (int, error) {
	var size C.size_t
	err := h.use(func(filter cFilter) cStatus {
		return C.either_snapshot_size(filter, &size)
	})
	return int(size), err
}

// snapshotWrite returns the size of the snapshot, also with an ErrShortBuffer.
func (h *handle) snapshotWrite(buffer []byte) (int, error) {
	var size C.size_t
	err := h.use(func(filter cFilter) cStatus {
		return C.either_snapshot_write(filter, first(buffer), length(buffer), &size)
	})
	return int(size), err
}

func (h *handle) hash(key []byte) (uint64, error) {
	var hash C.uint64_t
	filter, in, status := h.enter()
	if status == 0 {
		status = C.either_hash(filter, first(key), length(key), &hash)
		h.leave(in)
	}
	return uint64(hash), failure(status)
}

func (h *handle) secret() (Secret, error) {
	var lo, hi C.uint64_t
	err := h.use(func(filter cFilter) cStatus {
		return C.either_secret(filter, &lo, &hi)
	})
	return SecretOf(uint64(lo), uint64(hi)), err
}

// noOffsets are those of no keys: even they begin with a 0.
var noOffsets [1]uint64

// inC returns the bytes and offsets of a batch.
func (k *Keys) inC() (bytes *C.uint8_t, size C.size_t, offsets *C.uint64_t, n C.size_t) {
	if k.Len() == 0 {
		return nil, 0, firstWord(noOffsets[:]), 0
	}
	return first(k.bytes), length(k.bytes), firstWord(k.offsets), C.size_t(k.Len())
}

func (h *handle) observeBatch(keys *Keys, ticks []Tick, verdicts []Verdict) (int, error) {
	bytes, size, offsets, n := keys.inC()
	var done C.size_t
	err := h.use(func(filter cFilter) cStatus {
		return C.either_observe_batch(
			filter, bytes, size, offsets, firstWord(ticks), n, first(verdicts), &done)
	})
	return int(done), err
}

func (h *handle) insertBatch(keys *Keys, ticks []Tick) (int, error) {
	bytes, size, offsets, n := keys.inC()
	var done C.size_t
	err := h.use(func(filter cFilter) cStatus {
		return C.either_insert_batch(filter, bytes, size, offsets, firstWord(ticks), n, &done)
	})
	return int(done), err
}

func (h *handle) containsBatch(keys *Keys, ticks []Tick, verdicts []Verdict) (int, error) {
	bytes, size, offsets, n := keys.inC()
	var done C.size_t
	err := h.use(func(filter cFilter) cStatus {
		return C.either_contains_batch(
			filter, bytes, size, offsets, firstWord(ticks), n, first(verdicts), &done)
	})
	return int(done), err
}

func (h *handle) observeHashes(hashes []uint64, ticks []Tick, verdicts []Verdict) (int, error) {
	var done C.size_t
	err := h.use(func(filter cFilter) cStatus {
		return C.either_observe_hashes(
			filter, firstWord(hashes), firstWord(ticks), length(hashes), first(verdicts), &done)
	})
	return int(done), err
}

func (h *handle) insertHashes(hashes []uint64, ticks []Tick) (int, error) {
	var done C.size_t
	err := h.use(func(filter cFilter) cStatus {
		return C.either_insert_hashes(filter, firstWord(hashes), firstWord(ticks), length(hashes), &done)
	})
	return int(done), err
}

func (h *handle) containsHashes(hashes []uint64, ticks []Tick, verdicts []Verdict) (int, error) {
	var done C.size_t
	err := h.use(func(filter cFilter) cStatus {
		return C.either_contains_hashes(
			filter, firstWord(hashes), firstWord(ticks), length(hashes), first(verdicts), &done)
	})
	return int(done), err
}

func (h *handle) observeU64s(keys []uint64, ticks []Tick, verdicts []Verdict) (int, error) {
	var done C.size_t
	err := h.use(func(filter cFilter) cStatus {
		return C.either_observe_u64s(
			filter, firstWord(keys), firstWord(ticks), length(keys), first(verdicts), &done)
	})
	return int(done), err
}

func (h *handle) insertU64s(keys []uint64, ticks []Tick) (int, error) {
	var done C.size_t
	err := h.use(func(filter cFilter) cStatus {
		return C.either_insert_u64s(filter, firstWord(keys), firstWord(ticks), length(keys), &done)
	})
	return int(done), err
}

func (h *handle) containsU64s(keys []uint64, ticks []Tick, verdicts []Verdict) (int, error) {
	var done C.size_t
	err := h.use(func(filter cFilter) cStatus {
		return C.either_contains_u64s(
			filter, firstWord(keys), firstWord(ticks), length(keys), first(verdicts), &done)
	})
	return int(done), err
}

// inC returns the buffers of a column.
func (c *Column) inC() (bytes *C.uint8_t, size C.size_t, offsets *C.uint8_t, bits C.uint32_t, n C.size_t) {
	bytes, size, n = first(c.Bytes), length(c.Bytes), C.size_t(c.Len())
	switch {
	case len(c.Offsets64) > 0:
		return bytes, size, (*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(c.Offsets64))), 64, n
	case len(c.Offsets32) > 0:
		return bytes, size, (*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(c.Offsets32))), 32, n
	}
	return bytes, size, (*C.uint8_t)(unsafe.Pointer(&noOffsets)), 64, n
}

func (h *handle) observeColumn(keys *Column, ticks []Tick, verdicts []Verdict) (int, error) {
	bytes, size, offsets, bits, n := keys.inC()
	var done C.size_t
	err := h.use(func(filter cFilter) cStatus {
		return C.either_observe_column(filter, bytes, size, offsets, bits,
			first(keys.Validity), C.size_t(keys.ValidityOffset), firstWord(ticks), n, first(verdicts), &done)
	})
	return int(done), err
}

func (h *handle) insertColumn(keys *Column, ticks []Tick) (int, error) {
	bytes, size, offsets, bits, n := keys.inC()
	var done C.size_t
	err := h.use(func(filter cFilter) cStatus {
		return C.either_insert_column(filter, bytes, size, offsets, bits,
			first(keys.Validity), C.size_t(keys.ValidityOffset), firstWord(ticks), n, &done)
	})
	return int(done), err
}

func (h *handle) containsColumn(keys *Column, ticks []Tick, verdicts []Verdict) (int, error) {
	bytes, size, offsets, bits, n := keys.inC()
	var done C.size_t
	err := h.use(func(filter cFilter) cStatus {
		return C.either_contains_column(filter, bytes, size, offsets, bits,
			first(keys.Validity), C.size_t(keys.ValidityOffset), firstWord(ticks), n, first(verdicts), &done)
	})
	return int(done), err
}

func (h *handle) describe() (string, error) {
	var text [128]C.char
	err := h.use(func(filter cFilter) cStatus {
		return C.either_describe(filter, &text[0], length(text[:]))
	})
	if err != nil {
		return "", err
	}
	return C.GoString(&text[0]), nil
}

func (h *handle) observeHash(hash uint64) (verdict Verdict, err error) {
	filter, in, status := h.enter()
	if status == 0 {
		status = C.either_observe_hash(filter, C.uint64_t(hash), (*C.uint8_t)(&verdict))
		h.leave(in)
	}
	return verdict, failure(status)
}

func (h *handle) observeHashAt(hash uint64, now Tick) (verdict Verdict, err error) {
	filter, in, status := h.enter()
	if status == 0 {
		status = C.either_observe_hash_at(filter, C.uint64_t(hash), C.uint64_t(now), (*C.uint8_t)(&verdict))
		h.leave(in)
	}
	return verdict, failure(status)
}

func (h *handle) insertHash(hash uint64) error {
	filter, in, status := h.enter()
	if status == 0 {
		status = C.either_insert_hash(filter, C.uint64_t(hash))
		h.leave(in)
	}
	return failure(status)
}

func (h *handle) insertHashAt(hash uint64, now Tick) error {
	filter, in, status := h.enter()
	if status == 0 {
		status = C.either_insert_hash_at(filter, C.uint64_t(hash), C.uint64_t(now))
		h.leave(in)
	}
	return failure(status)
}

func (h *handle) containsHash(hash uint64) (verdict Verdict, err error) {
	filter, in, status := h.enter()
	if status == 0 {
		status = C.either_contains_hash(filter, C.uint64_t(hash), (*C.uint8_t)(&verdict))
		h.leave(in)
	}
	return verdict, failure(status)
}

func (h *handle) containsHashAt(hash uint64, now Tick) (verdict Verdict, err error) {
	filter, in, status := h.enter()
	if status == 0 {
		status = C.either_contains_hash_at(filter, C.uint64_t(hash), C.uint64_t(now), (*C.uint8_t)(&verdict))
		h.leave(in)
	}
	return verdict, failure(status)
}
