//! The crates that are part of what is shipped, as cargo tells them.

pub mod metrics;
pub mod options;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A crate that is linked into what is shipped.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
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
    pub uses: Vec<String>,
}

impl Shipped {
    /// Its package URL: what tools for bills of materials know it by.
    pub fn purl(&self) -> String {
        format!("pkg:cargo/{}@{}", self.name, self.version)
    }
}

/// The crates of `package` on `target`, itself included, sorted by name: what it links, not what builds or tests it.
pub fn shipped(root: &Path, package: &str, target: &str) -> Result<Vec<Shipped>, String> {
    let metadata = metadata(root, target)?;
    let packages = list(&metadata["packages"]);
    let wanted = |p: &&Value| p["name"] == package && p["source"].is_null();
    let first = packages.iter().find(wanted).ok_or(format!("no package {package} in this workspace"))?;
    let graph = Graph { packages, nodes: list(&metadata["resolve"]["nodes"]) };
    let mut found: Vec<_> = graph.reached(text(&first["id"])).into_iter().filter_map(|id| graph.shipped(id)).collect();
    found.sort();
    Ok(found)
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

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Which crate uses which.
struct Graph<'a> {
    packages: &'a [Value],
    nodes: &'a [Value],
}

impl<'a> Graph<'a> {
    /// Every crate that `first` links, itself included.
    fn reached(&self, first: &'a str) -> BTreeSet<&'a str> {
        let (mut found, mut open) = (BTreeSet::new(), vec![first]);
        while let Some(id) = open.pop() {
            if found.insert(id) {
                open.extend(self.linked(id));
            }
        }
        found
    }

    /// The crates that one links directly: its normal dependencies, except those that only run in the compiler.
    fn linked(&self, id: &str) -> Vec<&'a str> {
        let node = self.nodes.iter().find(|node| node["id"] == id).unwrap_or(&Value::Null);
        let normal = |dep: &&Value| list(&dep["dep_kinds"]).iter().any(|kind| kind["kind"].is_null());
        let names = list(&node["deps"]).iter().filter(normal).map(|dep| text(&dep["pkg"]));
        names.filter(|id| !self.package(id).is_some_and(is_macro)).collect()
    }

    fn package(&self, id: &str) -> Option<&'a Value> {
        self.packages.iter().find(|package| package["id"] == id)
    }

    fn shipped(&self, id: &str) -> Option<Shipped> {
        let uses = self.linked(id).into_iter().filter_map(|id| self.package(id));
        let uses = uses.map(|package| crate_of(package, Vec::new()).purl()).collect();
        self.package(id).map(|package| crate_of(package, uses))
    }
}

/// Whether a package is one of macros: the compiler runs it, and nothing of it is shipped.
fn is_macro(package: &Value) -> bool {
    list(&package["targets"]).iter().any(|target| list(&target["kind"]).iter().any(|kind| kind == "proc-macro"))
}

fn crate_of(package: &Value, uses: Vec<String>) -> Shipped {
    let manifest = Path::new(text(&package["manifest_path"]));
    Shipped {
        name: text(&package["name"]).to_owned(),
        version: text(&package["version"]).to_owned(),
        licence: text(&package["license"]).to_owned(),
        repository: text(&package["repository"]).to_owned(),
        folder: manifest.parent().unwrap_or(manifest).to_owned(),
        ours: package["source"].is_null(),
        uses,
    }
}
