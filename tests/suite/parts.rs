//! What a shared filter takes beside its cells is bounded by them.

use lately::{Code, Options, SharedFilter, Variant};

/// Rows so long that what 64 locks count of them would be thousands of times the cells.
#[test]
fn locks_weigh_no_more_than_the_cells_or_two_mebibytes() {
    let rows = |k: u32, memory| Options::quotient(memory).variant(Variant::Qqhtd).k(k).fingerprint_bits(1);
    let refused = SharedFilter::new(&rows(1 << 19, 64 << 10)).expect_err("267 MB of locks for 64 KiB");
    assert_eq!((refused.code(), refused.to_string().contains("k")), (Code::Option, true), "{refused}");
    assert!(refused.to_string().contains("4095"), "{refused}");
    assert!(SharedFilter::new(&rows(4095, 64 << 10)).is_ok());
    assert!(SharedFilter::new(&rows(4096, 64 << 10)).is_err());
    assert!(SharedFilter::new(&rows(1 << 14, 64 << 20)).is_ok(), "9 MB of locks for 64 MiB");
    assert!(lately::Filter::new(&rows(1 << 19, 64 << 10)).is_ok(), "one owner needs no locks");
}
