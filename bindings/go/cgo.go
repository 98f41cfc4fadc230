package lately

// This file has all calls of C, except the link flags (link.go): it converts Go
// values to those of C, by functions in C and in Go, and has no logic of filters. The library keeps no pointer
// and has no callbacks, hence noescape and nocallback for the functions of calls that
// must not allocate.

/*
// Wrappers of functions that cgo cannot call, or only slowly:
//
//   bytes    uint8_t * in place of void *: of what an unsafe.Pointer leads into, cgo asks in each call whether there is
//            a pointer of Go in it, and panics if there is: a key may lie in a struct that has one.
//   filter   a word in the calls on one key, because cgo checks the pointers in an argument: 3 ns of 32.
//   verdict  one more than that of C: 0 is no verdict, so that the result of a call that failed is not New.
//   keys     the struct is made here: one of Go may not have pointers to Go's memory in it.
#if defined(__has_include)
#if !__has_include(<lately.h>)
#error lately.h is missing: install liblately-dev, or the library by cmake --install, and name its lib/pkgconfig in PKG_CONFIG_PATH
#endif
#endif
#include <lately_file.h>
#include <stdlib.h>

static inline lately_filter *go_filter(uintptr_t f) {
    return (lately_filter *)f;
}

// The verbs, the numbers of type work; batches have the first four.
enum { GO_OBSERVE, GO_INSERT, GO_CONTAINS, GO_REMOVE, GO_OBSERVE_AGE, GO_CONTAINS_AGE, GO_CLAIM, GO_COMMIT, GO_ABANDON, GO_HASH };

// The words are an age, a token or a hash.
static inline lately_status go_one(uintptr_t f, int work, const uint8_t *key, size_t len, uint64_t tick, uint8_t *answer,
                                   uint64_t *words) {
    lately_filter *filter = go_filter(f);
    lately_age age = { 0, 0 };
    lately_status status = LATELY_OK;
    switch (work) {
    case GO_INSERT:
        return lately_filter_insert(filter, key, len, tick);
    case GO_REMOVE:
        return lately_filter_remove(filter, key, len, tick, answer);
    case GO_COMMIT:
        return lately_filter_commit(filter, key, len, words[0], tick, answer);
    case GO_ABANDON:
        return lately_filter_abandon(filter, key, len, words[0]);
    case GO_HASH:
        return lately_filter_hash(filter, key, len, words);
    case GO_OBSERVE:
        status = lately_filter_observe(filter, key, len, tick, answer);
        break;
    case GO_CONTAINS:
        status = lately_filter_contains(filter, key, len, tick, answer);
        break;
    case GO_CLAIM:
        status = lately_filter_claim(filter, key, len, tick, answer, words);
        break;
    default:
        status = work == GO_OBSERVE_AGE ? lately_filter_observe_age(filter, key, len, tick, answer, &age)
                                        : lately_filter_contains_age(filter, key, len, tick, answer, &age);
        words[0] = age.at_least;
        words[1] = age.at_most;
    }
    *answer = (uint8_t)(status == LATELY_OK ? *answer + 1 : 0);
    return status;
}

static inline uint64_t go_hash64(const uint8_t *bytes, size_t len, uint64_t seed) {
    return lately_hash64(bytes, len, seed);
}

static inline lately_status go_many(uintptr_t f, int work, uint32_t form, size_t count, const uint8_t *data, size_t data_len,
                                    const uint8_t *offsets, const uint8_t *validity, size_t bit, const uint64_t *ticks,
                                    uint8_t *verdicts, size_t *done) {
    lately_keys keys = { sizeof(lately_keys), count, data, data_len, offsets, validity, bit, form, 0 };
    lately_status status;
    if (work == GO_INSERT) {
        return lately_filter_insert_many(go_filter(f), &keys, ticks, done);
    }
    if (work == GO_REMOVE) { // 0 and 1, which are the bools of Go
        return lately_filter_remove_many(go_filter(f), &keys, ticks, verdicts, done);
    }
    status = work == GO_OBSERVE ? lately_filter_observe_many(go_filter(f), &keys, ticks, verdicts, done)
                                : lately_filter_contains_many(go_filter(f), &keys, ticks, verdicts, done);
    for (size_t i = 0; i < *done; i++) {
        verdicts[i]++;
    }
    return status;
}

static inline lately_status go_load(int shared, const uint8_t *bytes, size_t len, int64_t elapsed_ns,
                                    const lately_load_options *options, lately_filter **filter, lately_error *error) {
    return shared ? lately_shared_load(bytes, len, elapsed_ns, options, filter, error)
                  : lately_filter_load(bytes, len, elapsed_ns, options, filter, error);
}

#cgo noescape go_hash64
#cgo nocallback go_hash64
#cgo noescape go_many
#cgo nocallback go_many
#cgo noescape go_one
#cgo nocallback go_one
#cgo noescape lately_abi_version
#cgo nocallback lately_abi_version
#cgo noescape lately_filter_options
#cgo nocallback lately_filter_options
#cgo noescape lately_filter_stats
#cgo nocallback lately_filter_stats
#cgo noescape lately_options_init
#cgo nocallback lately_options_init
#cgo noescape lately_plan
#cgo nocallback lately_plan
*/
import "C"

import (
	"io/fs"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

type (
	cFilter     = *C.lately_filter
	cLoading    = C.lately_load_options
	cOptions    = C.lately_options
	cPlanResult = C.lately_plan_result
	cStats      = C.lately_stats
	cStatus     = C.lately_status
)

// The versions of the header that this program is built with.
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

// statusText returns what a status means, in the library's words.
func statusText(code Code) string {
	return C.GoString(C.lately_status_text(C.lately_status(code)))
}

func hash64(key []byte, seed uint64) uint64 {
	return uint64(C.go_hash64(first(key), length(key), C.uint64_t(seed)))
}

// first returns a slice's pointer as C sees it; nil for a nil slice.
func first[T any](s []T) *C.uint8_t {
	return (*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(s)))
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
	// <to c>
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
	// </to c>
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

// optionsInGo returns what inC was given, without the secret.
func optionsInGo(c *cOptions) Options {
	return Options{
		// <from c>
		Kind:            Kind(c.kind),
		Clock:           Clock(c.clock),
		Repeat:          Repeat(c.repeat),
		OnLimit:         OnLimit(c.on_limit),
		Window:          span(uint64(c.window_ns)),
		WindowKeys:      uint64(c.window_keys),
		Capacity:        uint64(c.capacity),
		ErrorRate:       float64(c.error_rate),
		MissRate:        float64(c.miss_rate),
		Memory:          uint64(c.memory),
		MaxStep:         span(uint64(c.max_step_ns)),
		K:               uint32(c.k),
		L:               uint32(c.l),
		MaxSlices:       uint32(c.max_slices),
		Fill:            float64(c.fill),
		Variant:         Variant(c.variant),
		FingerprintBits: uint32(c.fingerprint_bits),
		SemiSort:        c.semi_sort != 0,
		Removable:       c.removable != 0,
		BlockBytes:      uint32(c.block_bytes),
		Chains:          uint32(c.chains),
		Load:            float64(c.load),
		Keyed:           c.keyed != 0,
		Seed:            uint64(c.seed),
		AgeBits:         uint32(c.age_bits),
		Lateness:        span(uint64(c.lateness_ns)),
		Lease:           span(uint64(c.lease_ns)),
		MaxClaims:       uint64(c.max_claims),
		// </from c>
	}
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

func build(o *Options, shared bool) (built cFilter, err error) {
	in, why := o.inC(), emptyError()
	var status cStatus
	if shared {
		status = C.lately_shared_new(&in, &built, &why)
	} else {
		status = C.lately_filter_new(&in, &built, &why)
	}
	return built, explained(status, &why, o)
}

func load(snapshot []byte, elapsed time.Duration, o *LoadOptions, shared bool) (loaded cFilter, err error) {
	in, why := o.inC(), emptyError()
	status := C.go_load(
		C.int(flag(shared)), first(snapshot), length(snapshot), C.int64_t(elapsed), &in, &loaded, &why)
	return loaded, explained(status, &why, nil)
}

// cPath is a path as C has it, to be freed; an error if it has a NUL, which would end it there.
func cPath(op, path string) (*C.char, error) {
	if strings.IndexByte(path, 0) >= 0 {
		return nil, &fs.PathError{Op: op, Path: path, Err: syscall.EINVAL}
	}
	return C.CString(path), nil
}

// ofFile is the error of a call on a file, whose message begins with the name of that unless the options are wrong by
// themselves; nil for OK.
func ofFile(status cStatus, system error, c *C.lately_error, o *Options) error {
	if status == C.LATELY_ERR_OPTION || c.message[0] == 0 {
		return explained(status, c, o)
	}
	number := uint32(c.field)
	name, rest, _ := strings.Cut(C.GoString(&c.message[0]), ": ")
	why := &Error{Code: Code(status), Field: options[number].field, Message: name + ": " + o.inGo(number, rest)}
	if why.Code == ErrIO {
		why.system = system
	}
	return why
}

func open(path string, o *Options) (opened cFilter, found Opened, err error) {
	name, err := cPath("open", path)
	if err != nil {
		return nil, found, err
	}
	defer C.free(unsafe.Pointer(name))
	in, why := o.inC(), emptyError()
	c := C.lately_opened{struct_size: C.size_t(unsafe.Sizeof(C.lately_opened{}))}
	status, system := C.lately_shared_open(name, &in, &opened, &c, &why)
	found = Opened{Found: c.found != 0, Elapsed: span(uint64(c.elapsed_ns)), Ahead: span(uint64(c.ahead_ns))}
	return opened, found, ofFile(status, system, &why, o)
}

func (h *handle) save(path string) error {
	name, err := cPath("save", path)
	if err != nil {
		return err
	}
	defer C.free(unsafe.Pointer(name))
	filter, held, status := h.enter()
	if status != 0 {
		return h.failed(status)
	}
	defer h.leave(held)
	why := emptyError()
	status, system := C.lately_filter_save(filter, name, &why)
	return ofFile(status, system, &why, nil)
}

func free(filter cFilter) {
	C.lately_filter_free(filter)
}

// word is a filter as the calls on one key take it; the library's memory does not
// move.
func word(filter cFilter) C.uintptr_t {
	return C.uintptr_t(uintptr(unsafe.Pointer(filter)))
}

// retain makes the caller one more holder of a shared filter.
func (h *handle) retain() (held cFilter, err error) {
	err = h.use(func(filter cFilter) cStatus {
		held = filter
		return C.lately_filter_retain(filter)
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

// The figures of Go are those of C, in the same order: TestEveryFigureComesHome finds one that is not.
var (
	_ [unsafe.Sizeof(PlanResult{})]byte = [unsafe.Sizeof(cPlanResult{}) - unsafe.Offsetof(cPlanResult{}.bytes)]byte{}
	_ [unsafe.Sizeof(Stats{})]byte      = [unsafe.Sizeof(cStats{}) - unsafe.Offsetof(cStats{}.bytes)]byte{}
)

func planInGo(c *cPlanResult) PlanResult {
	return *(*PlanResult)(unsafe.Pointer(&c.bytes))
}

// statsInGo also shortens spans of time that are longer than a Duration can be.
func statsInGo(c *cStats) Stats {
	stats := *(*Stats)(unsafe.Pointer(&c.bytes))
	stats.Reach, stats.MaxLateness = span(uint64(c.reach_ns)), span(uint64(c.max_lateness_ns))
	return stats
}

// work is what a call does. It is a number, because what is handed to a
// function by its address escapes to the heap, the caller's verdicts too.
type work C.int

const (
	observing     work = C.GO_OBSERVE
	inserting     work = C.GO_INSERT
	containing    work = C.GO_CONTAINS
	removing      work = C.GO_REMOVE
	observingAge  work = C.GO_OBSERVE_AGE
	containingAge work = C.GO_CONTAINS_AGE
	claimingKey   work = C.GO_CLAIM
	committing    work = C.GO_COMMIT
	abandoning    work = C.GO_ABANDON
	hashing       work = C.GO_HASH
)

// pair receives what a verb returns besides its verdict: the two bounds of an age, or a token or a hash in its first word.
type pair [2]uint64

// one does a verb on one key.
func (h *handle) one(do work, key []byte, now Tick, answer *C.uint8_t, more *pair) error {
	filter, held, status := h.enter()
	if status == 0 {
		status = C.go_one(word(filter), C.int(do), first(key), length(key), C.uint64_t(now), answer,
			(*C.uint64_t)(unsafe.Pointer(more)))
		h.leave(held)
	}
	return h.failed(status)
}

func (h *handle) observe(key []byte, now Tick) (verdict Verdict, err error) {
	err = h.one(observing, key, now, (*C.uint8_t)(&verdict), nil)
	return verdict, err
}

func (h *handle) insert(key []byte, now Tick) error {
	return h.one(inserting, key, now, nil, nil)
}

func (h *handle) contains(key []byte, now Tick) (verdict Verdict, err error) {
	err = h.one(containing, key, now, (*C.uint8_t)(&verdict), nil)
	return verdict, err
}

func (h *handle) observeAge(key []byte, now Tick) (verdict Verdict, age Age, err error) {
	var both pair
	err = h.one(observingAge, key, now, (*C.uint8_t)(&verdict), &both)
	return verdict, Age{both[0], both[1]}, err
}

func (h *handle) containsAge(key []byte, now Tick) (verdict Verdict, age Age, err error) {
	var both pair
	err = h.one(containingAge, key, now, (*C.uint8_t)(&verdict), &both)
	return verdict, Age{both[0], both[1]}, err
}

func (h *handle) claim(key []byte, now Tick) (verdict Verdict, token Token, err error) {
	var given pair
	err = h.one(claimingKey, key, now, (*C.uint8_t)(&verdict), &given)
	return verdict, Token(given[0]), err
}

func (h *handle) commit(key []byte, token Token, now Tick) (found Committed, err error) {
	err = h.one(committing, key, now, (*C.uint8_t)(&found), &pair{uint64(token)})
	return found, err
}

func (h *handle) abandon(key []byte, token Token) error {
	return h.one(abandoning, key, Now, nil, &pair{uint64(token)})
}

func (h *handle) remove(key []byte, now Tick) (bool, error) {
	var removed C.uint8_t
	err := h.one(removing, key, now, &removed, nil)
	return removed != 0, err
}

func (h *handle) hash(key []byte) (uint64, error) {
	var hash pair
	err := h.one(hashing, key, Now, nil, &hash)
	return hash[0], err
}

// cKeys is the keys of a batch on their way into C's struct of them.
type cKeys struct {
	form     C.uint32_t
	count    int
	data     *C.uint8_t
	size     C.size_t
	offsets  *C.uint8_t
	validity *C.uint8_t
	bit      int
}

// noOffsets are those of no keys: even they begin with a 0.
var noOffsets [1]uint64

func (k *Keys) inC() cKeys {
	if k.Len() == 0 {
		return cKeys{form: C.LATELY_KEYS_PACKED, offsets: first(noOffsets[:])}
	}
	return cKeys{
		form: C.LATELY_KEYS_PACKED, count: k.Len(), data: first(k.bytes), size: length(k.bytes), offsets: first(k.offsets),
	}
}

func (c *Column) inC() cKeys {
	keys := cKeys{
		form: C.LATELY_KEYS_COLUMN64, count: c.Len(), data: first(c.Bytes), size: length(c.Bytes),
		offsets: first(noOffsets[:]), validity: first(c.Validity), bit: c.ValidityOffset,
	}
	switch {
	case len(c.Offsets64) > 0:
		keys.offsets = first(c.Offsets64)
	case len(c.Offsets32) > 0:
		keys.form, keys.offsets = C.LATELY_KEYS_COLUMN32, first(c.Offsets32)
	}
	return keys
}

func hashesInC(hashes []uint64) cKeys {
	return cKeys{form: C.LATELY_KEYS_HASHES, count: len(hashes), data: first(hashes)}
}

func numbersInC(numbers []uint64) cKeys {
	return cKeys{form: C.LATELY_KEYS_U64S, count: len(numbers), data: first(numbers)}
}

// many does a batch, and returns how many keys were processed.
func (h *handle) many(do work, keys cKeys, ticks []Tick, verdicts []Verdict) (int, error) {
	var done C.size_t
	filter, held, status := h.enter()
	if status == 0 {
		status = C.go_many(word(filter), C.int(do), keys.form, C.size_t(keys.count), keys.data, keys.size, keys.offsets,
			keys.validity, C.size_t(keys.bit), (*C.uint64_t)(unsafe.SliceData(ticks)), first(verdicts), &done)
		h.leave(held)
	}
	return int(done), h.failed(status)
}

func (h *handle) advance(now Tick) error {
	return h.use(func(filter cFilter) cStatus {
		return C.lately_filter_advance(filter, C.uint64_t(now))
	})
}

func (h *handle) clear() error {
	return h.use(func(filter cFilter) cStatus {
		return C.lately_filter_clear(filter)
	})
}

func (h *handle) clone() (clone cFilter, err error) {
	err = h.use(func(filter cFilter) cStatus {
		return C.lately_filter_copy(filter, &clone)
	})
	return clone, err
}

func (h *handle) stats() (Stats, error) {
	var c cStats
	c.struct_size = C.size_t(unsafe.Sizeof(c))
	err := h.use(func(filter cFilter) cStatus {
		return C.lately_filter_stats(filter, &c)
	})
	return statsInGo(&c), err
}

func (h *handle) options() (Options, error) {
	var c cOptions
	c.struct_size = C.size_t(unsafe.Sizeof(c))
	err := h.use(func(filter cFilter) cStatus {
		return C.lately_filter_options(filter, &c)
	})
	return optionsInGo(&c), err
}

// expect is nil if the options would make such a filter.
func (h *handle) expect(o *Options) error {
	filter, held, status := h.enter()
	if status != 0 {
		return h.failed(status)
	}
	defer h.leave(held)
	if err := o.ready(); err != nil {
		return err
	}
	in, why := o.inC(), emptyError()
	status = C.lately_filter_expect(filter, &in, &why)
	return explained(status, &why, o)
}

func (h *handle) statsReset() error {
	return h.use(func(filter cFilter) cStatus {
		return C.lately_filter_stats_reset(filter)
	})
}

func (h *handle) describe() (string, error) {
	var text [128]C.char
	err := h.use(func(filter cFilter) cStatus {
		return C.lately_filter_describe(filter, &text[0], length(text[:]))
	})
	if err != nil {
		return "", err
	}
	return C.GoString(&text[0]), nil
}

func (h *handle) snapshotSize() (int, error) {
	var size C.size_t
	err := h.use(func(filter cFilter) cStatus {
		return C.lately_filter_snapshot_size(filter, &size)
	})
	return int(size), err
}

// snapshotWrite returns the size of the snapshot, also with an ErrShortBuffer.
func (h *handle) snapshotWrite(buffer []byte) (int, error) {
	var size C.size_t
	err := h.use(func(filter cFilter) cStatus {
		return C.lately_filter_snapshot_write(filter, unsafe.Pointer(unsafe.SliceData(buffer)), length(buffer), &size)
	})
	return int(size), err
}

func (h *handle) secret() (Secret, error) {
	var lo, hi C.uint64_t
	err := h.use(func(filter cFilter) cStatus {
		return C.lately_filter_secret(filter, &lo, &hi)
	})
	return SecretOf(uint64(lo), uint64(hi)), err
}
