//! `sbom ROOT TARGET[=RUSTC]...`: the bill of materials of a release, as CycloneDX 1.5 in JSON: the crates that are linked
//! into the library, the command and the module of Valkey on any of the targets, with versions, licences and who uses
//! whom; and the standard libraries of the compilers that built them. The same tree and compilers give the same bytes.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use packaging::{Crates, Shipped, add_shipped};
use serde_json::{Value, json};

fn main() -> Result<(), String> {
    println!("{:#}", run(&std::env::args().skip(1).collect::<Vec<_>>())?);
    Ok(())
}

fn run(args: &[String]) -> Result<Value, String> {
    let [root, targets @ ..] = args else {
        return Err("ROOT TARGET[=RUSTC]...".to_owned());
    };
    let (mut crates, mut stds) = (Crates::new(), Crates::new());
    for target in targets {
        let (target, rustc) = target.split_once('=').unwrap_or((target, "rustc"));
        let std = standard_library(rustc)?;
        stds.insert(std.purl(), std);
        add_shipped(&mut crates, Path::new(root), parts(target), target)?;
    }
    bill(&crates, &stds)
}

/// The packages that are released for a target.
fn parts(target: &str) -> &'static [&'static str] {
    let all = &["lately-capi", "lately-cli", "lately-module"];
    if target.ends_with("-linux-gnu") { all } else { &all[..2] }
}

/// The standard library, which is linked into everything, as a crate like the others.
fn standard_library(rustc: &str) -> Result<Shipped, String> {
    let said = Command::new(rustc).arg("--version").output().map_err(|error| format!("{rustc}: {error}"))?;
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    Ok(Shipped {
        name: "std".to_owned(),
        version: said.split(' ').nth(1).ok_or("rustc says no version")?.to_owned(),
        licence: "MIT OR Apache-2.0".to_owned(),
        repository: "https://github.com/rust-lang/rust".to_owned(),
        folder: "".into(),
        ours: false,
        uses: BTreeSet::new(),
    })
}

fn bill(crates: &Crates, stds: &Crates) -> Result<Value, String> {
    let library = crates.values().find(|one| one.name == "lately").ok_or("the library is not in its own bill")?;
    let components: Vec<_> = crates.values().chain(stds.values()).map(component).collect();
    let dependencies: Vec<_> = crates.values().map(|one| depends(one, stds)).collect();
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": {
            "type": "library", "bom-ref": "lately", "name": "lately", "version": library.version,
            "licenses": [{ "expression": expression(&library.licence) }],
        } },
        "components": components,
        "dependencies": dependencies,
    }))
}

fn component(one: &Shipped) -> Value {
    let mut component = json!({
        "type": if one.name == "lately-cli" { "application" } else { "library" },
        "bom-ref": one.purl(), "name": one.name, "version": one.version, "purl": one.purl(),
        "licenses": [{ "expression": expression(&one.licence) }],
    });
    if !one.repository.is_empty() {
        component["externalReferences"] = json!([{ "type": "vcs", "url": one.repository }]);
    }
    component
}

fn depends(one: &Shipped, stds: &Crates) -> Value {
    let uses: Vec<_> = one.uses.iter().chain(stds.keys()).collect();
    json!({ "ref": one.purl(), "dependsOn": uses })
}

/// Older crates separate their licences by a slash, where SPDX has OR.
fn expression(licence: &str) -> String {
    licence.replace('/', " OR ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TARGETS: [&str; 3] = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "x86_64-pc-windows-gnu"];

    fn bill_for(targets: &[&str]) -> Value {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
        run(&[&[root], targets].concat().into_iter().map(str::to_owned).collect::<Vec<_>>()).unwrap()
    }

    fn this_bill() -> Value {
        bill_for(&TARGETS)
    }

    fn names(bill: &Value) -> BTreeSet<&str> {
        bill["components"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect()
    }

    #[test]
    fn bill_has_what_is_linked_and_no_tools() {
        let bill = this_bill();
        for linked in
            ["lately", "lately-cli", "lately-module", "redis-module", "siphasher", "xxhash-rust", "clap", "std"]
        {
            assert!(names(&bill).contains(linked), "{linked} is missing");
        }
        for apart in ["cbindgen", "fastbloom", "hashbrown", "tempfile", "clap_derive"] {
            assert!(!names(&bill).contains(apart), "{apart} is shipped nowhere");
        }
    }

    #[test]
    fn bill_of_another_target_adds_its_crates_and_their_users() {
        let (linux, all) = (bill_for(&TARGETS[..1]), this_bill());
        assert!(names(&linux).is_subset(&names(&all)));
        assert!(names(&all).contains("windows-sys") && !names(&linux).contains("windows-sys"));
        let users = |bill: &Value, of: &str| {
            let dependencies = bill["dependencies"].as_array().unwrap().clone();
            dependencies.iter().filter(|one| one["dependsOn"].to_string().contains(of)).count()
        };
        assert_eq!(users(&linux, "windows-sys"), 0);
        assert!(users(&all, "windows-sys") > 0 && users(&all, "/libc@") >= users(&linux, "/libc@"));
    }

    #[test]
    fn each_compiler_brings_its_own_standard_library() {
        let mut stds = Crates::new();
        for version in ["1.1.0", "1.2.0"] {
            let std = Shipped { version: version.to_owned(), ..standard_library("rustc").unwrap() };
            stds.insert(std.purl(), std);
        }
        let library = Shipped { name: "lately".to_owned(), ours: true, ..standard_library("rustc").unwrap() };
        let bill = bill(&Crates::from([(library.purl(), library)]), &stds).unwrap();
        assert_eq!(bill["dependencies"][0]["dependsOn"], json!(["pkg:cargo/std@1.1.0", "pkg:cargo/std@1.2.0"]));
        assert_eq!(bill["components"].as_array().unwrap().len(), 3);
        assert!(standard_library("no such compiler").is_err());
    }

    #[test]
    fn every_reference_leads_to_a_component_that_has_a_licence() {
        let bill = this_bill();
        let components = bill["components"].as_array().unwrap();
        let known: BTreeSet<_> = components.iter().map(|one| one["bom-ref"].as_str().unwrap()).collect();
        assert_eq!(known.len(), components.len(), "a component twice");
        for dependency in bill["dependencies"].as_array().unwrap() {
            assert!(known.contains(dependency["ref"].as_str().unwrap()));
            let on = dependency["dependsOn"].as_array().unwrap();
            assert!(on.iter().all(|one| known.contains(one.as_str().unwrap())), "{dependency}");
        }
        for one in components {
            let licence = one["licenses"][0]["expression"].as_str().unwrap();
            assert!(!licence.is_empty() && !licence.contains('/'), "{one}");
        }
    }
}
