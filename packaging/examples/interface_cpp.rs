//! `interface_cpp < AST`: what `namespace lately` promises, one item a line, from the syntax tree that clang wrote as
//! JSON (`-Xclang -ast-dump=json -Xclang -ast-dump-filter=lately`).

use std::io;
use std::process::ExitCode;

use serde_json::{Deserializer, Value};

fn main() -> ExitCode {
    let trees: Result<Vec<Value>, _> = Deserializer::from_reader(io::stdin().lock()).into_iter().collect();
    match trees {
        Ok(trees) => list(&trees).iter().for_each(|line| println!("{line}")),
        Err(why) => {
            eprintln!("interface_cpp: {why}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// All that is promised, sorted.
fn list(trees: &[Value]) -> Vec<String> {
    let mut lines = Vec::new();
    let is_ours = |tree: &&Value| kind(tree) == "NamespaceDecl" && text(tree, "name") == "lately";
    for tree in trees.iter().filter(is_ours) {
        walk(tree, "", &mut lines);
    }
    // What a public class has from a base in `detail` is as public as the rest of it.
    let bases = bases_in_detail(&lines);
    for child in trees.iter().filter(is_ours).flat_map(inner).filter(|child| text(child, "name") == "detail") {
        let wanted = |base: &&Value| bases.iter().any(|name| name == text(base, "name"));
        inner(child).iter().filter(wanted).for_each(|base| walk(base, "lately::detail::", &mut lines));
    }
    lines.sort();
    lines.dedup();
    lines
}

/// The names of the classes in `detail` that a class of the list is derived from.
fn bases_in_detail(lines: &[String]) -> Vec<String> {
    let classes = lines.iter().filter(|line| line.starts_with("class ") || line.starts_with("struct "));
    let bases = classes.flat_map(|line| line.split(" detail::").skip(1));
    bases.filter_map(|base| Some(base.split(['<', ' ']).next()?.to_owned())).collect()
}

fn text<'a>(node: &'a Value, key: &str) -> &'a str {
    node[key].as_str().unwrap_or_default()
}

fn kind(node: &Value) -> &str {
    text(node, "kind")
}

fn inner(node: &Value) -> &[Value] {
    node["inner"].as_array().map_or(&[], Vec::as_slice)
}

fn type_of(node: &Value) -> &str {
    text(&node["type"], "qualType")
}

/// What a declaration adds to the list, under the name of what it stands in.
fn walk(node: &Value, scope: &str, lines: &mut Vec<String>) {
    // What a compiler adds, and what only defines what was declared before, are no promises.
    let ours = node["isImplicit"].is_null() && node["previousDecl"].is_null();
    let name = format!("{scope}{}", text(node, "name"));
    match kind(node) {
        "NamespaceDecl" if text(node, "name") != "detail" => inside(node, &name, lines),
        // A class is listed where it is defined, which need not be where it is first named.
        "CXXRecordDecl" if node["isImplicit"].is_null() => record(node, &name, lines),
        "EnumDecl" if ours => enumeration(node, &name, lines),
        "ClassTemplateDecl" if node["isImplicit"].is_null() => template(node, scope, lines),
        "FunctionTemplateDecl" if ours => template(node, scope, lines),
        "FriendDecl" => inner(node).iter().for_each(|friend| walk(friend, scope, lines)),
        "FunctionDecl" | "CXXMethodDecl" | "CXXConstructorDecl" | "CXXDestructorDecl" | "CXXConversionDecl" if ours => {
            lines.push(function(node, &name));
        }
        "FieldDecl" | "VarDecl" | "TypeAliasDecl" | "TypedefDecl" | "UsingDecl" if ours => {
            lines.push(format!("{} {name}: {}", kind(node), type_of(node)));
        }
        _ => {}
    }
}

fn inside(node: &Value, name: &str, lines: &mut Vec<String>) {
    inner(node).iter().for_each(|child| walk(child, &format!("{name}::"), lines));
}

/// A class: its bases, and what of it is public.
fn record(node: &Value, name: &str, lines: &mut Vec<String>) {
    if node["completeDefinition"].is_null() {
        return;
    }
    let bases = node["bases"].as_array().map_or(&[][..], Vec::as_slice).iter();
    let bases: String = bases.map(|base| format!(" : {} {}", text(base, "access"), type_of(base))).collect();
    let mark = if inner(node).iter().any(|child| kind(child) == "FinalAttr") { " final" } else { "" };
    lines.push(format!("{} {name}{mark}{bases}", text(node, "tagUsed")));
    let mut public = text(node, "tagUsed") == "struct";
    for child in inner(node) {
        match kind(child) {
            "AccessSpecDecl" => public = text(child, "access") == "public",
            _ if public => walk(child, &format!("{name}::"), lines),
            _ => {}
        }
    }
}

/// An enumeration with the value of each name.
fn enumeration(node: &Value, name: &str, lines: &mut Vec<String>) {
    lines.push(format!("enum {name}: {}", type_of(&serde_json::json!({ "type": node["fixedUnderlyingType"] }))));
    for constant in inner(node).iter().filter(|child| kind(child) == "EnumConstantDecl") {
        let value = inner(constant).first().map_or("", |value| text(value, "value"));
        lines.push(format!("{name}::{} = {value}", text(constant, "name")));
    }
}

/// A template: its parameters, and what it is a template of; not what was made of it.
fn template(node: &Value, scope: &str, lines: &mut Vec<String>) {
    let is_parameter = |child: &&Value| kind(child).starts_with("TemplateT") || kind(child).starts_with("NonTypeT");
    let parameters: Vec<_> = inner(node).iter().filter(is_parameter).map(|child| text(child, "name")).collect();
    let mut found = Vec::new();
    if let Some(what) = inner(node).iter().find(|child| !is_parameter(child)) {
        walk(what, scope, &mut found);
    }
    lines.extend(found.into_iter().map(|line| format!("template<{}> {line}", parameters.join(", "))));
}

/// A function with its type, its parameters by name, those that may be left out, and its marks.
fn function(node: &Value, name: &str) -> String {
    let parameters = inner(node).iter().filter(|child| kind(child) == "ParmVarDecl");
    let parameters = parameters.map(|p| text(p, "name").to_owned() + if p["init"].is_null() { "" } else { "=" });
    let parameters: Vec<_> = parameters.collect();
    let mut marks = String::new();
    for mark in ["constexpr", "explicitlyDeleted", "virtual", "pure"] {
        if node[mark] == true {
            marks += &format!(" {mark}");
        }
    }
    if text(node, "storageClass") == "static" {
        marks += " static";
    }
    if inner(node).iter().any(|child| kind(child) == "WarnUnusedResultAttr") {
        marks += " nodiscard";
    }
    format!("{name}: {} [{}]{marks}", type_of(node), parameters.join(", "))
}
