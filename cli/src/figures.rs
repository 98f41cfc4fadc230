//! Collects the figures of a report or a plan, as aligned lines of text and as one line of JSON.

use std::fmt::{Display, Write};

use serde::Serializer;
use serde_json::Value;

pub(crate) struct Figures {
    /// The column at which values begin.
    width: usize,
    pub(crate) text: String,
    json: Vec<(&'static str, Value)>,
}

impl Figures {
    pub(crate) fn new(width: usize) -> Self {
        Self { width, text: String::new(), json: Vec::new() }
    }

    pub(crate) fn line(&mut self, name: &str, value: impl Display) {
        let _ = writeln!(self.text, "{name:<0$}{value}", self.width);
    }

    /// Adds a member of the JSON; NaN becomes null.
    pub(crate) fn member(&mut self, name: &'static str, value: impl Into<Value>) {
        self.json.push((name, value.into()));
    }

    pub(crate) fn both(&mut self, name: &str, member: &'static str, value: impl Display + Into<Value>) {
        self.line(name, &value);
        self.member(member, value);
    }

    pub(crate) fn json(&self) -> String {
        let mut line = Vec::new();
        let members = self.json.iter().map(|(name, value)| (name, value));
        // Writing to memory does not fail.
        let _ = serde_json::Serializer::new(&mut line).collect_map(members);
        String::from_utf8(line).unwrap_or_default() + "\n"
    }
}
