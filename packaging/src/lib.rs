//! The crates that are part of what is shipped, as cargo tells them.

pub mod metrics;
pub mod options;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

/// A crate that is linked into what is shipped.
#[derive(Debug, Clone)]
pub struct Shipped {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its licence, as an SPDX expression.
    pub licence: String,
    /// Where its sources are kept, or nothing.
    pub repository: String,
    /// The folder of its sources on this machine.
    pub folder: PathBuf,
    /// Whether it is one of this workspace.
    pub ours: bool,
    /// The package URLs of the crates that it uses.
    pub uses: BTreeSet<String>,
}

impl Shipped {
    /// Its package URL: what tools for bills of materials know it by.
    pub fn purl(&self) -> String {
        format!("pkg:cargo/{}@{}", self.name, self.version)
    }
}

/// Crates by their package URLs.
pub type Crates = BTreeMap<String, Shipped>;

/// Adds the crates of the packages on `target`, themselves included: what they link, not what builds or tests them. A crate may use
/// others on one target than on the next, and one package other parts of it than another.
pub fn add_shipped(crates: &mut Crates, root: &Path, packages: &[&str], target: &str) -> Result<(), String> {
    let metadata = metadata(root, target)?;
    let (all, nodes) = (by_id(&metadata["packages"]), by_id(&metadata["resolve"]["nodes"]));
    let mut open = Vec::new();
    for name in packages {
        let wanted = |id: &&&str| all[**id]["name"] == *name && all[**id]["source"].is_null();
        open.push(*all.keys().find(wanted).ok_or(format!("no package {name} in this workspace"))?);
    }
    let mut known = BTreeSet::new();
    while let Some(id) = open.pop() {
        if known.insert(id) {
            let linked = linked(nodes[id], &all);
            let uses = linked.iter().map(|id| crate_of(all[id]).purl());
            let found = crate_of(all[id]);
            crates.entry(found.purl()).or_insert(found).uses.extend(uses);
            open.extend(linked);
        }
    }
    Ok(())
}

fn metadata(root: &Path, target: &str) -> Result<Value, String> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.current_dir(root).args(["metadata", "--format-version", "1", "--locked", "--filter-platform", target]);
    let said = cargo.output().map_err(|error| format!("cargo metadata: {error}"))?;
    if !said.status.success() {
        return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&said.stderr)));
    }
    serde_json::from_slice(&said.stdout).map_err(|error| format!("cargo metadata: {error}"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn by_id(value: &Value) -> BTreeMap<&str, &Value> {
    list(value).iter().map(|one| (text(&one["id"]), one)).collect()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The crates that one links directly: its normal dependencies, except macros, which only run in the compiler.
fn linked<'a>(node: &'a Value, all: &BTreeMap<&str, &Value>) -> Vec<&'a str> {
    let is_normal = |dep: &&Value| list(&dep["dep_kinds"]).iter().any(|kind| kind["kind"].is_null());
    let is_macro = |id: &str| list(&all[id]["targets"]).iter().any(|target| target["kind"] == json!(["proc-macro"]));
    let normal = list(&node["deps"]).iter().filter(is_normal);
    normal.map(|dep| text(&dep["pkg"])).filter(|id| !is_macro(id)).collect()
}

fn crate_of(package: &Value) -> Shipped {
    let manifest = Path::new(text(&package["manifest_path"]));
    Shipped {
        name: text(&package["name"]).to_owned(),
        version: text(&package["version"]).to_owned(),
        licence: text(&package["license"]).to_owned(),
        repository: text(&package["repository"]).to_owned(),
        folder: manifest.parent().unwrap_or(manifest).to_owned(),
        ours: package["source"].is_null(),
        uses: BTreeSet::new(),
    }
}
