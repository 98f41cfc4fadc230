//! The import table of `docs/explanation/architecture.md`: one row per module or group of modules, the lowest first.

/// The rows whose first cell names modules in backticks and whose last cell says what they may name.
pub(crate) struct Table {
    rows: Vec<Row>,
}

/// What the modules of one row may name.
pub(crate) struct Row {
    modules: Vec<String>,
    may_name: Vec<String>,
    everything: bool,
    every_kind: bool,
}

/// A folder of `src/filter/` that the table does not name by itself.
const KIND: &str = "filter/<kind>";

impl Table {
    /// Finds the rows: `` | `module` `module` | L0 | `module` or "every kind" or "everything" | ``.
    pub(crate) fn read(page: &str) -> Self {
        let lines = page.lines().filter(|line| line.starts_with("| `"));
        let cells = lines.map(|line| line.trim_matches('|').split('|').collect::<Vec<_>>());
        let rows = cells.filter(|cells| cells.len() == 3 && cells[1].trim().starts_with('L'));
        Self { rows: rows.map(|cells| Row::read(cells[0], cells[2])).collect() }
    }

    /// The row of a unit; a kind of filter has the common one.
    pub(crate) fn row(&self, unit: &str) -> Option<&Row> {
        let named = |unit: &str| self.rows.iter().find(|row| row.modules.iter().any(|m| m == unit));
        named(unit).or_else(|| if unit.starts_with("filter/") { named(KIND) } else { None })
    }

    /// Rows that name one that is not above them: where there is none, there is no circle.
    pub(crate) fn circles(&self) -> Vec<String> {
        let mut above: Vec<&String> = Vec::new();
        let mut found = Vec::new();
        for row in &self.rows {
            found.extend(
                row.may_name
                    .iter()
                    .filter(|name| !above.contains(name))
                    .map(|n| format!("{:?} names `{n}`", row.modules)),
            );
            above.extend(&row.modules);
        }
        found
    }

    /// Modules of the table that no file belongs to.
    pub(crate) fn empty_rows(&self, units: &[String]) -> Vec<String> {
        let has_file = |module: &String| units.iter().any(|unit| unit == module || (module == KIND && is_kind(unit)));
        self.rows.iter().flat_map(|row| &row.modules).filter(|m| !has_file(m)).cloned().collect()
    }
}

impl Row {
    fn read(modules: &str, may_name: &str) -> Self {
        let (everything, every_kind) = (may_name.contains("everything"), may_name.contains("every kind"));
        Self { modules: quoted(modules), may_name: quoted(may_name), everything, every_kind }
    }

    /// Whether modules of this row may name `unit`.
    pub(crate) fn allows(&self, unit: &str) -> bool {
        self.everything || self.may_name.iter().any(|name| name == unit) || (self.every_kind && is_kind(unit))
    }
}

fn quoted(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Everything below `filter/` is a kind, except what has a row of its own.
fn is_kind(unit: &str) -> bool {
    const OTHERS: [&str; 7] = [
        "filter/any",
        "filter/contract",
        "filter/seen",
        "filter/sliced",
        "filter/sliced/runs",
        "filter/striped",
        "filter/values",
    ];
    unit.starts_with("filter/") && !OTHERS.contains(&unit)
}

/// The row that a file belongs to: a file or folder of `src/`, and below `filter/` one of that.
pub(crate) fn unit_of_file(path: &str) -> String {
    unit_of_path(&module_of_file(path))
}

/// `src/filter/x/plan.rs` as `filter`, `x`, `plan`; `src/filter/x/mod.rs` as `filter`, `x`.
pub(crate) fn module_of_file(path: &str) -> Vec<String> {
    let path = path.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
    path.split('/').map(str::to_owned).collect()
}

/// The row that a path below the crate belongs to. A name that is no module is an item of `lib`.
pub(crate) fn unit_of_path(path: &[String]) -> String {
    let is_module = |name: &&String| name.starts_with(|c: char| c.is_lowercase());
    let modules: Vec<&String> = path.iter().take_while(is_module).collect();
    match modules[..] {
        [] => "lib".to_owned(),
        [filter, sliced, below, ..] if filter == "filter" && sliced == "sliced" => format!("filter/sliced/{below}"),
        [filter, below, ..] if filter == "filter" => format!("filter/{below}"),
        [first, ..] => first.clone(),
    }
}
