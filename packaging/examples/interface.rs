//! `interface JSON`: the public interface of a crate, one item a line, from what rustdoc wrote about it as JSON.

use std::process::ExitCode;

/// What a compiler adds by itself and may call otherwise in its next version: no promise of ours.
const COMPILERS: [&str; 5] = ["TrivialClone", "StructuralPartialEq", "assert_fields_are_eq", "Freeze", "UnsafeUnpin"];

fn main() -> ExitCode {
    match run(std::env::args().nth(1)) {
        Ok(text) => print!("{text}"),
        Err(why) => {
            eprintln!("interface: {why}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn run(json: Option<String>) -> Result<String, String> {
    let json = json.ok_or("the file that rustdoc wrote?")?;
    // What holds for every type there is follows from the rest. What is derived is a promise, and so is `Send`.
    let builder = public_api::Builder::from_rustdoc_json(&json).omit_blanket_impls(true);
    let api = builder.build().map_err(|why| format!("{json}: {why}"))?;
    let lines: Vec<_> = api.items().map(|item| format!("{item}\n")).collect();
    Ok(lines.into_iter().filter(|line| !COMPILERS.iter().any(|word| line.contains(word))).collect())
}
