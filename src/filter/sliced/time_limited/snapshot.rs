//! A time-limited filter as bytes: the request behind its plan, its times as ages, a record for each slice, the bits.
//!
//! Ages count back from the clock, so that a filter can continue at any later moment. Which function a slice has follows
//! from its number; how many bits are set is counted again: a number that is not written cannot be wrong.

use std::io;

use crate::bits::Bits;
use crate::error::Error;
use crate::filter::contract::Stored;
use crate::filter::seen::Seen;
use crate::filter::sliced::runs::{Layout, Shape};
use crate::num;
use crate::options::{Choice, OnLimit};
use crate::text::Brief;
use crate::tick::Tick;
use crate::wire::{MOST_COUNT, Refused, Sink, Source, WORD_BYTES, choice, count, expect, expect_sound, within};

use super::plan::{Given, MOST_KEYS, Plan};
use super::slice::Slice;
use super::{Counts, Time, TimeLimited};

/// Bytes before the records.
const HEAD: u64 = 176;
/// Bytes of a record.
const RECORD: u64 = 40;

/// Flags: the caller has given a tick; there was an insertion; `memory` made a slice go.
const STARTED: u64 = 1;
const STAMPED: u64 = 2;
const FORGOT: u64 = 4;

/// No filter has counted that many keys or has that many words: sums of them never overflow.
const MOST_COUNTED: u64 = 1 << 52;

impl Stored for TimeLimited {
    fn saved_bytes(&self) -> u64 {
        HEAD + RECORD * num::wide(self.slices.len()) + WORD_BYTES * self.words
    }

    fn save(&self, now: Tick, sink: &mut Sink<'_>) -> io::Result<()> {
        save_plan(&self.plan.given(), sink)?;
        self.save_state(now, sink)?;
        for (place, slice) in self.slices.iter().enumerate() {
            let stamp = if place < self.plan.k { 0 } else { now.since(slice.stamp) };
            let words = slice.len() / u64::from(u64::BITS);
            sink.u64s(&[words, slice.capacity, slice.generation, now.since(slice.began), stamp])?;
        }
        self.slices.iter().try_for_each(|slice| sink.words(slice.words()))
    }

    fn load(source: &mut Source<'_>, then: Tick, now: Tick) -> Result<Self, Refused> {
        let plan = Plan::of(load_plan(source)?);
        let (mut filter, n) = load_state(plan, source, then)?;
        let sizes = filter.load_records(n, source, then)?;
        filter.check_records()?;
        filter.load_bits(&sizes, source)?;
        filter.check_bits()?;
        filter.bind(source);
        filter.time.clock = now;
        Ok(filter)
    }
}

fn save_plan(given: &Given, sink: &mut Sink<'_>) -> io::Result<()> {
    let shape = &given.shape;
    sink.u64s(&[given.window, given.capacity, given.memory, given.max_step, shape.fill.to_bits()])?;
    sink.u32s(&[shape.k, shape.l, given.repeat.number(), given.on_limit.number()])
}

fn load_plan(source: &mut Source<'_>) -> Result<Given, Refused> {
    let [window, capacity, memory, max_step, fill] = source.u64s()?;
    let [k, l, repeat, on_limit] = source.u32s()?;
    let fill = f64::from_bits(fill);
    let shape = Shape::known(k, l, fill, Layout::SEPARATE);
    let what = format_args!("no plan has k = {k}, l = {l}, fill = {}", Brief(fill));
    let shape = shape.ok_or_else(|| Error::corrupt_structure(what))?;
    let least = u64::from(shape.k) * WORD_BYTES;
    expect(memory == 0 || memory >= least, "memory", memory, format_args!("0 or at least {least}"))?;
    Ok(Given {
        shape,
        window: within("window_ns", window, 1, u64::MAX)?,
        capacity: within("capacity", capacity, 0, MOST_KEYS)?,
        memory,
        max_step: source.max_step(max_step)?,
        on_limit: choice("on_limit", on_limit)?,
        repeat: choice("repeat", repeat)?,
    })
}

impl TimeLimited {
    fn save_state(&self, now: Tick, sink: &mut Sink<'_>) -> io::Result<()> {
        let Self { time, counts, .. } = self;
        let age = |tick: Option<Tick>| tick.map_or(0, |tick| now.since(tick));
        let flag = |is_set: bool, flag: u64| if is_set { flag } else { 0 };
        let flags = flag(time.started, STARTED) | flag(time.stamp.is_some(), STAMPED);
        sink.u64s(&[
            flags | flag(time.forgot.is_some(), FORGOT),
            age(time.stamp),
            now.since(time.generation),
            age(time.forgot),
            self.room,
            num::wide(self.slices.len()),
        ])?;
        sink.counts([self.regenerated(), counts.words_peak, counts.shifts, counts.forgotten, counts.deferred])?;
        let Seen { new_count, duplicate_count, late_ticks, refused_ticks, .. } = counts.seen;
        sink.counts([new_count, duplicate_count, late_ticks, refused_ticks])
    }

    /// How many slices were made, or, where a snapshot cannot say that, a number that gives the same functions.
    fn regenerated(&self) -> u64 {
        let (made, n) = (self.counts.made, num::wide(self.slices.len()));
        if made > MOST_COUNT { n + (made - n) % num::wide(self.plan.k) } else { made }
    }

    /// From now on the filter takes no more bytes than loading allows.
    fn bind(&mut self, source: &Source<'_>) {
        let given = self.plan.given();
        self.plan = Plan::of(Given { memory: source.memory(given.memory), ..given });
    }

    /// Reads the records of `n` slices; their bits are still to come, that many words for each.
    fn load_records(&mut self, n: u64, source: &mut Source<'_>, then: Tick) -> Result<Vec<u64>, Refused> {
        // Three times: a table that is full grows into one of twice its size.
        let table = n.saturating_mul(3 * num::wide(size_of::<Slice>() + size_of::<u64>()));
        source.expect_tables(table)?;
        let records = source.left() / RECORD;
        expect(n <= records, "slices", n, format_args!("at most {records}, the records that follow"))?;
        let mut sizes = Vec::new();
        for place in 0..n {
            // One by one: the records themselves are the proof that there are that many.
            reserve(&mut sizes)?;
            reserve(&mut self.slices)?;
            let [words, capacity, generation, began, stamp] = source.u64s()?;
            let filling = place < num::wide(self.plan.k);
            expect_sound(!filling || stamp == 0, format_args!("slice {place} is filling and has its last stamp"))?;
            within("keys of a generation", generation, 0, MOST_COUNTED)?;
            let began = before(then, "began", began)?;
            within("words of a slice", words, 1, self.plan.most_words.min(MOST_COUNTED))?;
            let mut slice = Slice::new(Bits::default(), self.function_at(place), capacity, began);
            slice.generation = generation;
            slice.uncounted = self.uncounted(words, capacity, generation)?;
            slice.stamp = if filling { began } else { before(then, "stamp", stamp)? };
            sizes.push(words);
            self.slices.push(slice);
        }
        Ok(sizes)
    }

    /// Of the keys that a slice of that many words claims for its generation, those by which no later slice may be sized. A
    /// generation takes at most a k-th of the keys that fill a slice, or one key. Only a generation whose end was put off takes
    /// more, as long as its keys change bits of slices that may be gone by now.
    fn uncounted(&self, words: u64, capacity: u64, generation: u64) -> Result<u64, Error> {
        let fits = self.plan.slice_capacity(words * WORD_BYTES * 8);
        // Logarithms differ in their last place from machine to machine.
        let fits = fits + fits / 1024 + 1;
        let counted = (fits / num::wide(self.plan.k)).max(1);
        let is_put_off = self.plan.on_limit == OnLimit::RaiseErrorRate;
        expect(is_put_off || capacity <= fits, "capacity of a slice", capacity, format_args!("at most {fits}"))?;
        let most = format_args!("at most {counted}");
        expect(is_put_off || generation <= counted, "keys of a generation", generation, most)?;
        Ok(generation.saturating_sub(counted))
    }

    /// The function of the slice at a place: its number of creation mod k.
    fn function_at(&self, place: u64) -> u64 {
        (self.counts.made - 1 - place) % num::wide(self.plan.k)
    }

    fn check_records(&self) -> Result<(), Error> {
        let k = self.plan.k;
        let counted = self.slices.iter().try_fold(0u64, |sum, slice| sum.checked_add(slice.generation));
        let is_few = counted.is_some_and(|sum| sum <= MOST_COUNTED);
        expect_sound(is_few, format_args!("its generations have more than {MOST_COUNTED} keys"))?;
        let newest = self.slices.first().map_or(self.time.generation, |slice| slice.began);
        let began = self.slices.windows(2).all(|pair| pair[0].began >= pair[1].began);
        expect_sound(began && newest <= self.time.generation, "its slices are not ordered from new to old")?;
        let stamps = self.slices[k..].iter().map(|slice| Some(slice.stamp));
        let stamps = std::iter::once(self.time.stamp).chain(stamps);
        let in_order = stamps.is_sorted_by(|newer, older| newer >= older);
        expect_sound(in_order, "the stamps of its slices are not ordered from new to old")?;
        let room = self.room.saturating_add(self.slices[0].generation);
        let most = (self.slices[0].capacity / num::wide(k)).max(1);
        let is_put_off = self.plan.on_limit == OnLimit::RaiseErrorRate;
        let left = most.saturating_sub(self.slices[0].generation);
        expect(is_put_off || room <= most, "room", self.room, format_args!("at most {left}"))?;
        within("room", self.room, 0, MOST_COUNT).map(drop)
    }

    fn load_bits(&mut self, sizes: &[u64], source: &mut Source<'_>) -> Result<(), Refused> {
        let words = sizes.iter().try_fold(0u64, |sum, words| sum.checked_add(*words)).unwrap_or(u64::MAX);
        source.expect_cells(words)?;
        let most = self.plan.most_words.min(MOST_COUNTED);
        within("words", words, 1, most)?;
        within("words_peak", self.counts.words_peak, words, MOST_COUNTED)?;
        for (slice, &words) in self.slices.iter_mut().zip(sizes) {
            let mut bits = Bits::zeroed(words)?;
            source.fill(&mut bits, 0, words)?;
            slice.restore(bits);
        }
        self.words = words;
        Ok(())
    }

    /// Every key that a generation counted set a bit in one of the slices that it filled.
    fn check_bits(&self) -> Result<(), Error> {
        let (n, k) = (self.slices.len(), self.plan.k);
        let ones: u64 = self.slices.iter().map(Slice::ones).sum();
        let counted: u64 = self.slices.iter().take(n - k + 1).map(|slice| slice.generation).sum();
        expect_sound(counted <= ones, format_args!("its slices counted {counted} keys and have {ones} bits set"))?;
        let idle = n == k && ones == 0 && self.slices.iter().all(|slice| slice.generation == 0);
        expect_sound(idle || self.time.stamp.is_some(), "it has keys and no time of the last insertion")
    }
}

/// The filter without its slices, and how many there are.
fn load_state(plan: Plan, source: &mut Source<'_>, then: Tick) -> Result<(TimeLimited, u64), Refused> {
    let [flags, stamp, generation, forgot, room, n] = source.u64s()?;
    expect(flags <= STARTED | STAMPED | FORGOT, "flags", flags, "0 to 7")?;
    within("slices", n, num::wide(plan.k), MOST_COUNTED)?;
    let at = |flag: u64, part: &'static str, age: u64| -> Result<Option<Tick>, Error> {
        expect(flags & flag != 0 || age == 0, part, age, "0, as its flag is")?;
        if flags & flag == 0 { Ok(None) } else { before(then, part, age).map(Some) }
    };
    let time = Time {
        clock: then,
        started: flags & STARTED != 0,
        stamp: at(STAMPED, "stamp", stamp)?,
        generation: before(then, "generation", generation)?,
        forgot: at(FORGOT, "forgot", forgot)?,
    };
    let [made, words_peak, shifts, forgotten, deferred] = source.u64s()?;
    let [new_count, duplicate_count, late_ticks, refused_ticks] = source.u64s()?;
    let counts = Counts {
        made: within("made", made, n, MOST_COUNT)?,
        words_peak,
        shifts: count("shifts", shifts)?,
        forgotten: count("forgotten", forgotten)?,
        deferred: count("deferred", deferred)?,
        seen: Seen {
            new_count: count("new_count", new_count)?,
            duplicate_count: count("duplicate_count", duplicate_count)?,
            late_ticks: count("late_ticks", late_ticks)?,
            refused_ticks: count("refused_ticks", refused_ticks)?,
            ..Seen::default()
        },
    };
    Ok((TimeLimited { plan, slices: Vec::new(), time, room, words: 0, counts }, n))
}

/// Room for one more.
fn reserve<T>(vec: &mut Vec<T>) -> Result<(), Error> {
    vec.try_reserve(1).map_err(|_| Error::no_memory_for::<T>(vec.len() + 1))
}

/// The moment so long before the clock.
fn before(then: Tick, part: &'static str, age: u64) -> Result<Tick, Error> {
    let tick = then.0.checked_sub(age);
    tick.map(Tick).ok_or_else(|| {
        let value = format_args!("{age} ns before the clock");
        Error::corrupt_number(part, value, format_args!("at most {} ns before it", then.0))
    })
}
