//! The verbs on many keys, written once for both handles: each is one of the handle's `_each` and a place for the answers.

/// Makes them in an `impl`; the receiver is that of the verbs that change a filter.
macro_rules! batch_verbs {
    ($self:ident: $($receiver:tt)+) => {
        /// Observes every key in order, as single calls would, with one reading of the system clock, the manual clock
        /// as it is, or one tick per key. `verdicts` has room for every key.
        ///
        /// # Errors
        /// Where it stopped, and why; the keys before that are processed.
        pub fn observe_batch(
            $($receiver)+,
            keys: Keys<'_>,
            ticks: Option<&[Tick]>,
            verdicts: &mut [Verdict],
        ) -> Result<(), Stopped> {
            expect_len("verdicts", verdicts.len(), AnyKeys(&keys).len()).map_err(stopped(0))?;
            $self.observe_each(AnyKeys(&keys), ticks, |i, verdict| verdicts[i] = verdict)
        }

        /// [`Filter::observe_batch`] of keys where they lie: texts, vectors of bytes, anything that is bytes. None is copied.
        ///
        /// ```
        /// use lately::{Filter, Options, Verdict::{Duplicate, New}};
        ///
        /// let mut seen = Filter::new(&Options::last(1_000))?;
        /// let mut verdicts = [New; 3];
        /// seen.observe_slices(&["order-1", "order-2", "order-1"], None, &mut verdicts)?;
        /// assert_eq!(verdicts, [New, New, Duplicate]);
        /// # Ok::<(), lately::Error>(())
        /// ```
        ///
        /// # Errors
        /// As [`Filter::observe_batch`].
        pub fn observe_slices(
            $($receiver)+,
            keys: &[impl AsRef<[u8]>],
            ticks: Option<&[Tick]>,
            verdicts: &mut [Verdict],
        ) -> Result<(), Stopped> {
            expect_len("verdicts", verdicts.len(), keys.len()).map_err(stopped(0))?;
            $self.observe_each(AnyKeys(&keys), ticks, |i, verdict| verdicts[i] = verdict)
        }

        /// Inserts every key in order, as single calls would.
        ///
        /// # Errors
        /// As [`Filter::observe_batch`].
        pub fn insert_batch($($receiver)+, keys: Keys<'_>, ticks: Option<&[Tick]>) -> Result<(), Stopped> {
            $self.insert_each(AnyKeys(&keys), ticks)
        }

        /// [`Filter::insert_batch`] of keys where they lie, as [`Filter::observe_slices`] takes them.
        ///
        /// # Errors
        /// As [`Filter::observe_batch`].
        pub fn insert_slices(
            $($receiver)+,
            keys: &[impl AsRef<[u8]>],
            ticks: Option<&[Tick]>,
        ) -> Result<(), Stopped> {
            $self.insert_each(AnyKeys(&keys), ticks)
        }

        /// The verdict for every key, as single calls of `contains` would give it. Changes nothing.
        ///
        /// # Errors
        /// As [`Filter::observe_batch`].
        pub fn contains_batch(
            &$self,
            keys: Keys<'_>,
            ticks: Option<&[Tick]>,
            verdicts: &mut [Verdict],
        ) -> Result<(), Stopped> {
            expect_len("verdicts", verdicts.len(), AnyKeys(&keys).len()).map_err(stopped(0))?;
            $self.contains_each(AnyKeys(&keys), ticks, |i, verdict| verdicts[i] = verdict)
        }

        /// [`Filter::contains_batch`] of keys where they lie, as [`Filter::observe_slices`] takes them.
        ///
        /// # Errors
        /// As [`Filter::observe_batch`].
        pub fn contains_slices(
            &$self,
            keys: &[impl AsRef<[u8]>],
            ticks: Option<&[Tick]>,
            verdicts: &mut [Verdict],
        ) -> Result<(), Stopped> {
            expect_len("verdicts", verdicts.len(), keys.len()).map_err(stopped(0))?;
            $self.contains_each(AnyKeys(&keys), ticks, |i, verdict| verdicts[i] = verdict)
        }

        /// Removes every key in order, as single calls of [`Filter::remove`] would: `removed` gets true for each that was there,
        /// and has room for every key. A key that is given twice is there once. An absent key of a column is not there.
        ///
        /// ```
        /// use lately::{Filter, Keys, Options};
        ///
        /// let mut seen = Filter::new(&Options::last(1_000))?;
        /// seen.insert(17u64.to_le_bytes())?;
        /// let mut removed = [false; 3];
        /// seen.remove_batch(Keys::U64s(&[17, 18, 17]), None, &mut removed)?;
        /// assert_eq!(removed, [true, false, false]);
        /// # Ok::<(), lately::Error>(())
        /// ```
        ///
        /// # Errors
        /// As [`Filter::observe_batch`], and `UNSUPPORTED` as from [`Filter::remove`], also for no keys.
        pub fn remove_batch(
            $($receiver)+,
            keys: Keys<'_>,
            ticks: Option<&[Tick]>,
            removed: &mut [bool],
        ) -> Result<(), Stopped> {
            expect_len("removed", removed.len(), AnyKeys(&keys).len()).map_err(stopped(0))?;
            $self.remove_each(AnyKeys(&keys), ticks, |i, verdict| removed[i] = verdict.is_duplicate())
        }

        /// [`Filter::remove_batch`] of keys where they lie, as [`Filter::observe_slices`] takes them.
        ///
        /// # Errors
        /// As [`Filter::remove_batch`].
        pub fn remove_slices(
            $($receiver)+,
            keys: &[impl AsRef<[u8]>],
            ticks: Option<&[Tick]>,
            removed: &mut [bool],
        ) -> Result<(), Stopped> {
            expect_len("removed", removed.len(), keys.len()).map_err(stopped(0))?;
            $self.remove_each(AnyKeys(&keys), ticks, |i, verdict| removed[i] = verdict.is_duplicate())
        }
    };
}

pub(crate) use batch_verbs;
