//! The machine that times are of.

/// The processor's name, as the system tells it.
pub(crate) fn processor() -> String {
    named(&std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default()).to_owned()
}

fn named(all: &str) -> &str {
    let name = all.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or_default();
    let name = name.trim_matches(|c: char| c.is_whitespace() || c == ':');
    if name.is_empty() { "An unnamed processor" } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_read() {
        assert_eq!(named("processor\t: 0\nmodel name\t: A chip\nmodel name\t: B\n"), "A chip");
        assert_eq!(named("Hardware : x"), "An unnamed processor");
        assert!(!processor().is_empty());
    }
}
