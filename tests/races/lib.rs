//! Programs of many threads for ThreadSanitizer: `races.rs`, and the C test of threads.
