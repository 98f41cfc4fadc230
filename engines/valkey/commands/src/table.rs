//! The commands by name, with what the server is told of them.

pub(crate) const RESERVE: &str = "LATELY.RESERVE";
pub(crate) const ADD: &str = "LATELY.ADD";
pub(crate) const MADD: &str = "LATELY.MADD";
pub(crate) const EXISTS: &str = "LATELY.EXISTS";
pub(crate) const MEXISTS: &str = "LATELY.MEXISTS";
pub(crate) const REM: &str = "LATELY.REM";
pub(crate) const INFO: &str = "LATELY.INFO";
pub(crate) const PLAN: &str = "LATELY.PLAN";
pub(crate) const LOADCHUNK: &str = "LATELY.LOADCHUNK";

/// What a command does with its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touch {
    /// It has none.
    NoKey,
    /// Reads it.
    Reads,
    /// Changes it, or makes it.
    Writes,
    /// Takes something out, and never needs more memory.
    Removes,
}

/// A command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// The fewest words, the name included.
    pub least: usize,
    /// The arity that the server checks: a negative one is a least number.
    pub arity: i32,
    /// What it does with the key, which is its first argument.
    pub touch: Touch,
    /// Whether it takes the same short time whatever the filter holds.
    pub fast: bool,
    /// The first version that has it.
    pub since: &'static str,
    /// One line for `COMMAND DOCS`.
    pub summary: &'static str,
    /// How its time grows.
    pub complexity: &'static str,
}

const fn command(name: &'static str, arity: i32, touch: Touch, summary: &'static str) -> Command {
    #[allow(clippy::as_conversions, reason = "a number of words, in a const fn")]
    let least = arity.unsigned_abs() as usize;
    let (complexity, fast) = ("O(1)", true);
    Command { name, least, arity, touch, fast, since: "0.1.0", summary, complexity }
}

const fn slow(command: Command, complexity: &'static str) -> Command {
    Command { complexity, fast: false, ..command }
}

const fn many(command: Command) -> Command {
    Command { complexity: "O(N) for N items", ..command }
}

/// Every command.
pub const COMMANDS: [Command; 9] = [
    slow(
        command(RESERVE, -4, Touch::Writes, "Makes a filter."),
        "O(1) for a WINDOW, else O(N) for the bytes of the filter",
    ),
    command(ADD, -3, Touch::Writes, "Tests and inserts an item in one step: 1 if it is new, 0 if it was seen."),
    many(command(
        MADD,
        -4,
        Touch::Writes,
        "Tests and inserts items in order, all at one time: 1 for each that is new.",
    )),
    command(EXISTS, -3, Touch::Reads, "Whether an item was seen: 1 if it was. Changes nothing."),
    many(command(MEXISTS, -4, Touch::Reads, "Whether items were seen: 1 for each that was. Changes nothing.")),
    command(REM, 3, Touch::Removes, "Takes an item out of a filter that is REMOVABLE: 1 if there was one."),
    slow(command(INFO, -2, Touch::Reads, "What a filter is and holds, or one field of it."), "O(1)"),
    slow(command(PLAN, -3, Touch::NoKey, "What a filter would cost. Makes nothing."), "O(1)"),
    slow(
        command(LOADCHUNK, 6, Touch::Writes, "A piece of a filter in an append-only file. Internal."),
        "O(N) for N bytes",
    ),
];

/// The command of this name, whatever its case.
pub(crate) fn find(name: &[u8]) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name.as_bytes().eq_ignore_ascii_case(name))
}
