//! Memory that cannot be had: the shell says so and ends with 3, or continues with what it has and says that.

use crate::common;

use common::{Ran, lately};

#[test]
fn memory_no_machine_has_is_reported() {
    for args in [&["--memory", "60000000G"][..], &["--capacity", "2e14"], &["--last", "1e12", "--error", "1e-6"]] {
        let ran = lately(args, "a\n");
        ran.refused(3, &["out of memory: "]);
        assert!(ran.err.lines().count() == 1 && !ran.err.contains("words"), "{args:?}: {}", ran.err);
    }
}

/// The shell under a limit on its address space, over lines that count up.
fn limited(kib: u64, args: &str, lines: u64) -> Ran {
    let script = format!("seq {lines} | (ulimit -v {kib} && exec \"$0\" {args})");
    common::script(std::path::Path::new("."), &script)
}

#[test]
fn plan_above_the_memory_limit_is_reported() {
    for args in ["--memory 64M", "--capacity 1e9", "--last 1e9"] {
        limited(48 << 10, args, 10).refused(3, &["out of memory: "]);
    }
}

/// A window that outgrows the limit is shortened: every line is still judged, and the end says what happened. The program itself
/// takes most of the limit.
#[test]
fn window_that_outgrows_the_limit_is_shortened_and_reported() {
    let lines = 600_000;
    for algo in ["window-table", "time-limited"] {
        let ran = limited(10 << 10, &format!("--algo {algo} --window 1h --error 1e-9 --report json"), lines);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!(ran.count("read"), lines);
        assert!(ran.err.contains("the system, which gave ") && ran.err.contains("shortened the window"), "{}", ran.err);
    }
}
