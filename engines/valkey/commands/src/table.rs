//! The commands by name, with what the server learns of them.

pub(crate) const RESERVE: &str = "LATELY.RESERVE";
pub(crate) const ADD: &str = "LATELY.ADD";
pub(crate) const MADD: &str = "LATELY.MADD";
pub(crate) const EXISTS: &str = "LATELY.EXISTS";
pub(crate) const MEXISTS: &str = "LATELY.MEXISTS";
pub(crate) const CLAIM: &str = "LATELY.CLAIM";
pub(crate) const COMMIT: &str = "LATELY.COMMIT";
pub(crate) const ABANDON: &str = "LATELY.ABANDON";
pub(crate) const REM: &str = "LATELY.REM";
pub(crate) const GROW: &str = "LATELY.GROW";
pub(crate) const INFO: &str = "LATELY.INFO";
pub(crate) const PLAN: &str = "LATELY.PLAN";
pub(crate) const OPTIONS: &str = "LATELY.OPTIONS";
pub(crate) const HELP: &str = "LATELY.HELP";
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
    /// Ends a claim: the work is done, so it is not refused where memory is short.
    Ends,
}

/// What an argument is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// The key.
    Key,
    /// Any bytes.
    Text,
    /// A whole number.
    Number,
    /// A fraction.
    Fraction,
    /// A word that is meant literally.
    Word,
    /// One of these.
    OneOf(&'static [Argument]),
    /// All of these, in order.
    Block(&'static [Argument]),
}

/// An argument, for `COMMAND DOCS`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// The word before it, or none.
    pub token: &'static str,
    /// What it is.
    pub shape: Shape,
    /// Whether it may be missing.
    pub optional: bool,
    /// Whether there may be more than one.
    pub multiple: bool,
}

const fn needed(name: &'static str, shape: Shape) -> Argument {
    Argument { name, token: "", shape, optional: false, multiple: false }
}

const fn option(token: &'static str, name: &'static str, shape: Shape) -> Argument {
    Argument { name, token, shape, optional: true, multiple: false }
}

const KEY: Argument = needed("key", Shape::Key);
const ITEM: Argument = needed("item", Shape::Text);
const ITEMS: Argument = Argument { token: "ITEMS", multiple: true, ..ITEM };
const AT: Argument = option("AT", "time", Shape::Number);
const OF: Argument = option("OF", "shards", Shape::Number);
const TOKEN: Argument = needed("token", Shape::Text);
const STORE: Argument = option("STORE", "store", Shape::Word);

/// An option that may not be left out.
const fn said(token: &'static str, name: &'static str, shape: Shape) -> Argument {
    Argument { optional: false, ..option(token, name, shape) }
}

const CAPACITY: Argument = option("CAPACITY", "capacity", Shape::Number);

/// The one thing that a request must have.
const MEASURES: &[Argument] = &[
    needed("window-and-capacity", Shape::Block(&[said("WINDOW", "window", Shape::Number), CAPACITY])),
    said("LAST", "last", Shape::Number),
    said("CAPACITY", "capacity", Shape::Number),
    said("MEMORY", "memory", Shape::Number),
];

const CLAIMS: &[Argument] = &[said("LEASE", "lease", Shape::Number), option("MAXCLAIMS", "maxclaims", Shape::Number)];

const REPEATS: &[Argument] = &[said("FIRST", "first", Shape::Word), said("REFRESH", "refresh", Shape::Word)];

const SHARD: &[Argument] = &[said("SHARD", "shard", Shape::Number), said("OF", "shards", Shape::Number)];

/// The words of a command that makes a filter: those of a request between the key and `NX`.
const RESERVED: &[Argument] = &[
    KEY,
    needed("measure", Shape::OneOf(MEASURES)),
    option("ERROR", "error", Shape::Fraction),
    option("KIND", "kind", Shape::Text),
    option("MAXBYTES", "maxbytes", Shape::Number),
    option("MAXSTEP", "maxstep", Shape::Number),
    option("LATENESS", "lateness", Shape::Number),
    option("", "claims", Shape::Block(CLAIMS)),
    option("", "repeats", Shape::OneOf(REPEATS)),
    option("REMOVABLE", "removable", Shape::Word),
    option("STRICT", "strict", Shape::Word),
    option("SEED", "seed", Shape::Number),
    option("", "shard-of", Shape::Block(SHARD)),
    option("NX", "nx", Shape::Word),
];

/// The words of a request.
const PLANNED: &[Argument] = RESERVED.split_at(RESERVED.len() - 1).0.split_at(1).1;

impl Argument {
    /// The argument as a user types it.
    fn syntax(&self) -> String {
        let join = |all: &[Self], between: &str| all.iter().map(Self::syntax).collect::<Vec<_>>().join(between);
        let value = match self.shape {
            Shape::Word => String::new(),
            Shape::OneOf(all) => join(all, " | "),
            Shape::Block(all) => join(all, " "),
            _ => self.name.to_owned(),
        };
        let both =
            [self.token, value.as_str()].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        let text = both + if self.multiple { " .." } else { "" };
        match (self.optional, self.shape) {
            (true, _) => format!("[{text}]"),
            (false, Shape::OneOf(_)) => format!("({text})"),
            _ => text,
        }
    }
}

impl Command {
    /// The item of a `LATELY.ADD key item`, among words of any form.
    #[must_use]
    pub fn item_alone<'a, W>(&self, words: &'a [W]) -> Option<&'a W> {
        match words {
            [_, _, item] if self.name == ADD => Some(item),
            _ => None,
        }
    }

    /// The fewest words, the name included.
    #[must_use]
    pub fn least(&self) -> usize {
        usize::try_from(self.arity.unsigned_abs()).unwrap_or(usize::MAX)
    }

    /// The command as a user types it.
    pub(crate) fn syntax(&self) -> String {
        let words = std::iter::once(self.name.to_owned()).chain(self.args.iter().map(Argument::syntax));
        words.collect::<Vec<_>>().join(" ")
    }
}

/// A command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// The arity that the server checks: a negative one is a least number.
    pub arity: i32,
    /// What it does with the key, which is its first argument.
    pub touch: Touch,
    /// Whether it takes the same short time whatever is in the filter.
    pub fast: bool,
    /// One line for `COMMAND DOCS`.
    pub summary: &'static str,
    /// How its time grows.
    pub complexity: &'static str,
    /// Its arguments.
    pub args: &'static [Argument],
}

const fn command(
    name: &'static str,
    arity: i32,
    touch: Touch,
    args: &'static [Argument],
    summary: &'static str,
) -> Command {
    Command { name, arity, touch, fast: true, summary, complexity: "O(1)", args }
}

const fn slow(command: Command, complexity: &'static str) -> Command {
    Command { complexity, fast: false, ..command }
}

const fn many(command: Command) -> Command {
    Command { complexity: "O(N) for N items", ..command }
}

const CHUNK: [Argument; 5] = [
    KEY,
    needed("request", Shape::Text),
    needed("offset", Shape::Number),
    needed("total", Shape::Number),
    needed("bytes", Shape::Text),
];

/// Every command.
pub const COMMANDS: [Command; 15] = [
    slow(
        command(RESERVE, -4, Touch::Writes, RESERVED, "Makes a filter."),
        "O(1) for a WINDOW, else O(N) for the bytes of the filter",
    ),
    command(
        ADD,
        -3,
        Touch::Writes,
        &[KEY, ITEM, AT, OF, STORE],
        "Tests and inserts an item in one step: 1 if it is new, 0 if it was seen.",
    ),
    many(command(
        MADD,
        -4,
        Touch::Writes,
        &[KEY, AT, OF, STORE, ITEMS],
        "Tests and inserts items in order, all at one time: 1 for each that is new.",
    )),
    command(EXISTS, -3, Touch::Reads, &[KEY, ITEM, AT, OF], "Whether an item was seen: 1 if it was. Changes nothing."),
    many(command(
        MEXISTS,
        -4,
        Touch::Reads,
        &[KEY, AT, OF, ITEMS],
        "Whether items were seen: 1 for each that was. Changes nothing.",
    )),
    command(
        CLAIM,
        -3,
        Touch::Writes,
        &[KEY, ITEM, AT, OF],
        "Tests an item and claims it if it is new: 1 and a token, 0 if it was seen, 2 if it is claimed.",
    ),
    command(
        COMMIT,
        -4,
        Touch::Ends,
        &[KEY, ITEM, TOKEN, AT, OF],
        "Stores an item that was claimed: IN-TIME, LATE if its lease was over, ALREADY if another did it.",
    ),
    command(ABANDON, 4, Touch::Ends, &[KEY, ITEM, TOKEN], "Gives up a claim: the next one of the item is new."),
    command(
        REM,
        -3,
        Touch::Removes,
        &[KEY, ITEM, AT, OF],
        "Takes an item out of a window, or of a set that is REMOVABLE: 1 if there was one.",
    ),
    command(
        GROW,
        -3,
        Touch::Writes,
        &[KEY, needed("shards", Shape::Number)],
        "Marks a shard whose filter has grown to this many shards: it takes no more items.",
    ),
    slow(
        command(
            INFO,
            -2,
            Touch::Reads,
            &[KEY, option("", "field", Shape::Text)],
            "The request and statistics of a filter, or one field.",
        ),
        "O(1)",
    ),
    slow(command(PLAN, -3, Touch::NoKey, PLANNED, "What a filter would cost. Makes nothing."), "O(1)"),
    slow(command(OPTIONS, 2, Touch::Reads, &[KEY], "The options of a filter, those that were left open too."), "O(1)"),
    slow(command(HELP, 1, Touch::NoKey, &[], "Every command with its words."), "O(1)"),
    slow(
        command(LOADCHUNK, 6, Touch::Writes, &CHUNK, "A piece of a filter in an append-only file. Internal."),
        "O(N) for N bytes",
    ),
];

/// The command of this name, whatever its case.
pub(crate) fn find(name: &[u8]) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name.as_bytes().eq_ignore_ascii_case(name))
}
