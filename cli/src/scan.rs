//! JSON, byte by byte: checked and passed over, and nothing is made of it.
//!
//! Two things pass that JSON does not have, since writers write them and no place of a value depends on them: NaN, Infinity and
//! -Infinity (Python), and strings of any bytes but a quote and a backslash (control characters, text that is not UTF-8).

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NoJson;

/// The separator that RFC 7464 puts before each value.
pub(crate) const SEPARATOR: u8 = 0x1e;

pub(crate) fn without_separator(record: &[u8]) -> &[u8] {
    let at = record.iter().position(|byte| *byte != SEPARATOR).unwrap_or(record.len());
    &record[at..]
}

pub(crate) struct Scan<'j> {
    bytes: &'j [u8],
    pub(crate) at: usize,
}

impl<'j> Scan<'j> {
    pub(crate) fn new(bytes: &'j [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// A record, which may begin with the separator of RFC 7464.
    pub(crate) fn of_record(record: &'j [u8]) -> Self {
        let at = record.len() - without_separator(record).len();
        Self { bytes: record, at }
    }

    /// The first byte of what comes next.
    #[inline]
    pub(crate) fn first(&mut self) -> Result<u8, NoJson> {
        let blanks = self.bytes[self.at..].iter().take_while(|byte| matches!(byte, b' ' | b'\n' | b'\t' | b'\r'));
        self.at += blanks.count();
        self.bytes.get(self.at).copied().ok_or(NoJson)
    }

    pub(crate) fn end(&mut self) -> Result<(), NoJson> {
        if self.first().is_err() { Ok(()) } else { Err(NoJson) }
    }

    /// Passes one value, however deep it is; `open` is room for what closes its arrays and objects.
    pub(crate) fn value(&mut self, open: &mut Vec<u8>) -> Result<&'j [u8], NoJson> {
        self.first()?;
        let begin = self.at;
        open.clear();
        loop {
            match self.first()? {
                b'{' | b'[' => {
                    if let Some(close) = self.enter() {
                        open.push(close);
                        self.begin_entry(close)?;
                        continue;
                    }
                }
                b'"' => drop(self.string()?),
                b'-' | b'0'..=b'9' => self.number()?,
                _ => self.word()?,
            }
            while let Some(&close) = open.last() {
                if self.goes_on(close)? {
                    self.begin_entry(close)?;
                    break;
                }
                open.pop();
            }
            if open.is_empty() {
                return Ok(&self.bytes[begin..self.at]);
            }
        }
    }

    /// Goes into the array or object that begins here; what closes it, unless it is closed at once.
    pub(crate) fn enter(&mut self) -> Option<u8> {
        let close = self.bytes[self.at] + 2;
        self.at += 1;
        let is_empty = self.first() == Ok(close);
        self.at += usize::from(is_empty);
        (!is_empty).then_some(close)
    }

    /// Behind an entry of what `close` closes: whether there is another.
    #[inline]
    pub(crate) fn goes_on(&mut self, close: u8) -> Result<bool, NoJson> {
        let next = self.first()?;
        self.at += 1;
        if next == b',' || next == close { Ok(next == b',') } else { Err(NoJson) }
    }

    fn begin_entry(&mut self, close: u8) -> Result<(), NoJson> {
        if close == b'}' { self.name().map(drop) } else { Ok(()) }
    }

    /// The name of a member, as it is written between its quotes, and the colon.
    #[inline]
    pub(crate) fn name(&mut self) -> Result<&'j [u8], NoJson> {
        let name = if self.first()? == b'"' { self.string()? } else { return Err(NoJson) };
        if self.first()? != b':' {
            return Err(NoJson);
        }
        self.at += 1;
        Ok(name)
    }

    /// The string that begins here, as it is written between its quotes.
    #[inline]
    fn string(&mut self) -> Result<&'j [u8], NoJson> {
        let (text, mut end) = (&self.bytes[self.at + 1..], 0);
        loop {
            end += memchr::memchr2(b'"', b'\\', &text[end..]).ok_or(NoJson)?;
            if text[end] == b'"' {
                break;
            }
            end += escape(&text[end + 1..])?;
        }
        self.at += end + 2;
        Ok(&text[..end])
    }

    fn number(&mut self) -> Result<(), NoJson> {
        if self.one_of(b"-") && self.bytes.get(self.at) == Some(&b'I') {
            return self.word();
        }
        if !self.one_of(b"0") {
            self.digits()?;
        }
        if self.one_of(b".") {
            self.digits()?;
        }
        if self.one_of(b"eE") {
            self.one_of(b"+-");
            self.digits()?;
        }
        Ok(())
    }

    fn one_of(&mut self, bytes: &[u8]) -> bool {
        let is_one = self.bytes.get(self.at).is_some_and(|byte| bytes.contains(byte));
        self.at += usize::from(is_one);
        is_one
    }

    fn digits(&mut self) -> Result<(), NoJson> {
        let n = self.bytes[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += n;
        if n > 0 { Ok(()) } else { Err(NoJson) }
    }

    fn word(&mut self) -> Result<(), NoJson> {
        let rest = &self.bytes[self.at..];
        let words = [&b"true"[..], b"false", b"null", b"NaN", b"Infinity"];
        let word = words.into_iter().find(|word| rest.starts_with(word)).ok_or(NoJson)?;
        self.at += word.len();
        Ok(())
    }
}

/// Bytes of an escape, whose backslash precedes `text`, with it.
fn escape(text: &[u8]) -> Result<usize, NoJson> {
    match text {
        [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => Ok(2),
        [b'u', a, b, c, d, ..] if [a, b, c, d].into_iter().all(u8::is_ascii_hexdigit) => Ok(6),
        _ => Err(NoJson),
    }
}
