//! The C tests of the ABI, linked against the crate: `cargo test -p c_tests` is their fast loop. `build.rs` lists them. CTest builds the
//! same files against the real libraries.
#![allow(unsafe_code, reason = "calls C")]

#[cfg(test)]
mod tests {
    use std::ffi::c_int;

    // The library whose functions the C files call.
    use capi as _;

    macro_rules! c_tests {
        ($($name:ident = $main:ident),+ $(,)?) => {
            unsafe extern "C" {
                $(fn $main() -> c_int;)+
            }

            $(#[test]
            fn $name() {
                // SAFETY: the `main` of a C test takes nothing and keeps nothing.
                in_its_process(stringify!($name), || assert_eq!(unsafe { $main() }, 0));
            })+
        };
    }

    /// Tests that count the open files of the process and set its limits: no other may run in it meanwhile.
    const ALONE: [&str; 2] = ["file", "of_shared_file"];

    /// Runs a test here, or, of those in [`ALONE`], in a process that this program starts for it.
    fn in_its_process(name: &str, test: impl FnOnce()) {
        const STARTED: &str = "LATELY_C_TEST_ALONE";
        if !ALONE.contains(&name) || std::env::var_os(STARTED).is_some() {
            return test();
        }
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        let ended =
            child.args(["--exact", &format!("tests::{name}"), "--nocapture"]).env(STARTED, "1").output().unwrap();
        let said = String::from_utf8_lossy(&ended.stdout);
        assert!(
            ended.status.success() && said.contains("1 passed"),
            "{said}{}",
            String::from_utf8_lossy(&ended.stderr)
        );
    }

    include!(concat!(env!("OUT_DIR"), "/list.rs"));
}
