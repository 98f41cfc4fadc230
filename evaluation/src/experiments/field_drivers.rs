//! The drivers of the field: programs in several languages, each with rivals that are packages of that language. A driver is a folder with
//! a file `drive`, which builds, lists, runs and measures what is documented; what it prints are lines of JSON.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use lately_field::line::{Documented, Listed, Ran};
use lately_field::stream::Workload;
use serde::de::DeserializeOwned;

use super::field_oracle::Oracle;

/// One driver.
#[derive(Debug, Clone)]
pub(super) struct Driver {
    pub(super) name: String,
    folder: PathBuf,
    /// Where it builds.
    build: PathBuf,
    sources: Option<PathBuf>,
}

/// Every driver in a folder, by name.
pub(super) fn found(folder: &Path, build: &Path, sources: Option<&Path>) -> Result<Vec<Driver>, String> {
    let told = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut drivers = Vec::new();
    for entry in fs::read_dir(folder).map_err(told)? {
        let entry = entry.map_err(told)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().join("drive").is_file() {
            let folder = entry.path().canonicalize().map_err(told)?;
            let build = std::path::absolute(build.join(&name)).map_err(told)?;
            let sources = sources.map(std::path::absolute).transpose().map_err(told)?;
            drivers.push(Driver { name, folder, build, sources });
        }
    }
    drivers.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(drivers)
}

impl Driver {
    /// Builds it and says what it has.
    pub(super) fn list(&self) -> Result<Vec<Listed>, String> {
        self.drive(&["build"])?;
        lines(&self.drive(&["list"])?)
    }

    /// Runs a rival on the stream of an oracle, which must agree with what it says.
    pub(super) fn run(&self, rival: &str, workload: &Workload, seed: u64, oracle: &Oracle) -> Result<Ran, String> {
        fs::create_dir_all(&self.build).map_err(|error| format!("{}: {error}", self.build.display()))?;
        let file = self.build.join(format!("{rival}-{}.verdicts", std::process::id()));
        let path = file.to_string_lossy();
        let said = self.drive(&["run", rival, workload.name, &seed.to_string(), &path]);
        let verdicts = fs::read(&file);
        let _ = fs::remove_file(&file);
        let (ran, verdicts) = (one(&said?)?, verdicts.map_err(|error| format!("{path}: {error}"))?);
        oracle.judge(&ran, &verdicts)?;
        if ran.rival == rival { Ok(ran) } else { Err(format!("rival = {:?}: it is {rival:?}", ran.rival)) }
    }

    /// The documented figures of a rival.
    pub(super) fn documented(&self, rival: &str) -> Result<Vec<Documented>, String> {
        lines(&self.drive(&["documented", rival])?)
    }

    fn drive(&self, words: &[&str]) -> Result<String, String> {
        let mut command = Command::new(self.folder.join("drive"));
        command.args(words).current_dir(&self.folder).env("FIELD_BUILD", &self.build).env_remove("FIELD_SOURCES");
        if let Some(sources) = &self.sources {
            command.env("FIELD_SOURCES", sources);
        }
        let output = command.output().map_err(|error| format!("{}: {error}", self.folder.display()))?;
        if output.status.success() {
            return String::from_utf8(output.stdout).map_err(|error| error.to_string());
        }
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no reason given").trim().to_owned())
    }
}

/// Every line, read strictly.
fn lines<T: DeserializeOwned>(text: &str) -> Result<Vec<T>, String> {
    let read = |line: &str| serde_json::from_str(line).map_err(|error| format!("{line:?}: {error}"));
    text.lines().map(read).collect()
}

/// The one line.
fn one<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let mut all = lines(text)?;
    match (all.pop(), all.len()) {
        (Some(line), 0) => Ok(line),
        (last, before) => Err(format!("{} lines: it is one", before + usize::from(last.is_some()))),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use lately_field::play::{self, Meter};
    use lately_field::rival::SIMPLE;

    use super::*;

    /// A driver that is a script, in a folder that is removed with it.
    struct Script(PathBuf);

    impl Drop for Script {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    impl Script {
        fn new(name: &str, script: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("evaluation-field-{name}-{}", std::process::id()));
            let place = folder.join("one");
            fs::create_dir_all(&place).expect("a folder");
            fs::write(place.join("drive"), format!("#!/bin/sh\n{script}\n")).expect("a file");
            fs::set_permissions(place.join("drive"), fs::Permissions::from_mode(0o755)).expect("a program");
            Self(folder)
        }

        fn driver(&self) -> Driver {
            found(&self.0, &self.0.join("build"), None).expect("a folder").remove(0)
        }
    }

    /// A driver that says what lately said, with one word replaced.
    fn repeating(name: &str, from: &str, to: &str) -> Result<Ran, String> {
        let workload = Workload::find("last-2000").expect("a workload");
        let still = Meter { time: || 0, bytes: || None, restart: || {} };
        let played = play::play(&SIMPLE[0], workload, 4, &still);
        let line = serde_json::to_string(&played.ran).expect("a line").replace(from, to);
        let script = Script::new(name, &format!("cp verdicts \"$5\" && echo '{line}'"));
        fs::write(script.0.join("one/verdicts"), play::pack(&played.verdicts)).expect("a file");
        script.driver().run("lately-1e-6", workload, 4, &Oracle::new(workload, 4))
    }

    #[test]
    fn honest_driver_is_believed() {
        assert_eq!(repeating("honest", "x", "x").expect("a run").missed, 0);
    }

    #[test]
    fn driver_whose_counts_differ_is_refused() {
        let refused = repeating("liar", "\"missed\":0", "\"missed\":3").expect_err("a lie");
        assert_eq!(refused, "missed = 3: it is 0");
    }

    #[test]
    fn driver_with_another_field_or_rival_is_refused() {
        assert!(repeating("field", "\"missed\"", "\"mist\"").expect_err("no such field").contains("mist"));
        let refused = repeating("rival", "lately-1e-6", "lately-1e-3").expect_err("another rival");
        assert_eq!(refused, "rival = \"lately-1e-3\": it is \"lately-1e-6\"");
        assert!(one::<Ran>("").expect_err("nothing").contains("0 lines"));
    }

    #[test]
    fn driver_that_cannot_be_built_gives_its_reason() {
        let script = Script::new("unbuilt", "echo first >&2; echo 'no compiler' >&2; exit 3");
        assert_eq!(script.driver().list().expect_err("not built"), "no compiler");
        assert!(found(Path::new("nowhere"), Path::new("b"), None).expect_err("no folder").starts_with("nowhere: "));
    }

    #[test]
    fn driver_gets_the_folders_of_build_and_sources() {
        let script =
            Script::new("told", "[ $1 = build ] || { echo \"$FIELD_BUILD,${FIELD_SOURCES-none}\" >&2; exit 1; }");
        let sources = Some(Path::new("/s"));
        let with = found(&script.0, Path::new("/b"), sources).expect("a folder").remove(0);
        assert_eq!(with.list().expect_err("its words"), "/b/one,/s");
        assert!(script.driver().list().expect_err("its words").ends_with(",none"));
    }
}
