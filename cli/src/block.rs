//! What a page of help is made of.

pub(crate) enum Block {
    Text(&'static str),
    /// Words, and what each means.
    Table(&'static [(&'static str, &'static str)]),
    /// Lines that stand as they are.
    Code(&'static [&'static str]),
}
