//! One version, that of `Cargo.toml`: what cannot be derived from it is compared with it here. The header has a test of its
//! own, the built library's SONAME another (packaging/checks/artefacts.py), and the rest takes it from `Cargo.toml`.

use crate::tree::text;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A file, and the text before the version and after it. `minor`: only the first two numbers are there.
struct Place {
    file: &'static str,
    before: &'static str,
    after: &'static str,
    minor: bool,
}

/// The man page is dated by the release: the day that CHANGELOG.md gives this version, and none before that.
#[test]
fn the_man_page_bears_the_day_of_the_release() {
    let changes = text("CHANGELOG.md");
    let day = changes.lines().find_map(|line| line.strip_prefix(&format!("## [{VERSION}] - ")));
    let want = format!("const RELEASED: &str = \"{}\";", day.unwrap_or("unreleased"));
    assert!(text("cli/src/generate.rs").contains(&want), "cli/src/generate.rs lacks {want}");
}

/// What was never published cannot have changed: the section of the first version has additions only.
#[test]
fn the_first_version_has_additions_only() {
    let changes = text("CHANGELOG.md");
    let (_, first) = changes.rsplit_once("\n## [").expect("a version");
    let headings: Vec<&str> = first.lines().filter(|line| line.starts_with("### ")).collect();
    assert_eq!(headings, ["### Added"], "CHANGELOG.md, the first version");
}

const fn whole(file: &'static str, before: &'static str, after: &'static str) -> Place {
    Place { file, before, after, minor: false }
}

const fn minor(file: &'static str, before: &'static str, after: &'static str) -> Place {
    Place { file, before, after, minor: true }
}

const PLACES: [Place; 15] = [
    whole("Cargo.toml", "\nversion = \"", "\"\n"),
    whole("cli/Cargo.toml", "\nlately = { path = \"..\", version = \"", "\" }\n"),
    whole("bindings/java/pom.xml", "<artifactId>lately</artifactId>\n  <version>", "</version>\n"),
    whole("bindings/java-metrics/pom.xml", "<artifactId>lately-micrometer</artifactId>\n  <version>", "</version>\n"),
    whole("bindings/java-metrics/pom.xml", "<lately.version>", "</lately.version>\n"),
    whole("bindings/go/prometheus/go.mod", "\nrequire github.com/lately/lately/bindings/go v", "\n"),
    whole("examples/consumers/maven/pom.xml", "<artifactId>lately</artifactId>\n      <version>", "</version>\n"),
    whole("examples/spring/pom.xml", "<artifactId>lately</artifactId>\n      <version>", "</version>\n"),
    whole("examples/consumers/go/go.mod", "\nrequire github.com/lately/lately/bindings/go v", "\n"),
    minor("examples/consumers/cargo/Cargo.toml", "\nlately = \"", "\"\n"),
    minor("examples/consumers/cmake/CMakeLists.txt", "\nfind_package(lately ", " REQUIRED)\n"),
    minor("examples/consumers/meson/meson.build", "version: '>=", "')"),
    minor("docs/reference/c.md", "\nfind_package(lately ", " REQUIRED)\n"),
    minor("docs/reference/cpp.md", "\nfind_package(lately ", " REQUIRED)\n"),
    minor("packaging/checks/consumer.py", "configure(\"lately ", "\""),
];

#[test]
fn every_place_has_the_version_of_the_package() {
    for place in PLACES {
        let Place { file, before, after, .. } = place;
        let text = text(file);
        let wanted = if place.minor { VERSION.rsplit_once('.').map_or(VERSION, |(minor, _)| minor) } else { VERSION };
        let found: Vec<_> = text.split(before).skip(1).filter_map(|rest| rest.split(after).next()).collect();
        assert!(!found.is_empty(), "{file} has no version after {before:?}");
        assert!(found.iter().all(|version| *version == wanted), "{file} has {found:?}, the package is {wanted}");
    }
}
