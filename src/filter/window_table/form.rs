//! The properties of a table that are known at compile time, so that the code of one form has no branch for the others.

/// See the module.
pub(super) trait Form {
    /// Whether the window can be one of time: lines have widths, and the table grows. Code for such a table is right
    /// for a window of keys, too.
    const TIMED: bool;
    /// Whether no other table has some of its lines.
    const WHOLE: bool;
    /// Whether the record is punctual, and nothing else is due with it.
    const CALM: bool;
}

/// A window of time, of one owner.
pub(super) struct OfTime;

impl Form for OfTime {
    const TIMED: bool = true;
    const WHOLE: bool = true;
    const CALM: bool = true;
}

/// A window of keys, of one owner.
pub(super) struct OfKeys;

impl Form for OfKeys {
    const TIMED: bool = false;
    const WHOLE: bool = true;
    const CALM: bool = true;
}

/// Any table, under a lock or not.
pub(super) struct Any;

impl Form for Any {
    const TIMED: bool = true;
    const WHOLE: bool = false;
    const CALM: bool = true;
}

/// The same for a late record, and where keys go to the stash.
pub(super) struct Busy;

impl Form for Busy {
    const TIMED: bool = true;
    const WHOLE: bool = false;
    const CALM: bool = false;
}
