//! Where records come from: files in turn, or standard input; with a progress bar on a terminal.

use std::fs::File;
use std::io::{BufReader, IsTerminal, Read, Result, stderr, stdout};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::signals::{Interrupt, standard_input};

/// Bytes that are read at once.
const AT_ONCE: usize = 1 << 18;

/// One open file, read until it ends or the user interrupts.
#[derive(Debug)]
pub(crate) struct Source {
    file: File,
    interrupt: Rc<Interrupt>,
    bar: ProgressBar,
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.interrupt.wait_for(&self.file)?;
        let read = self.file.read(buffer)?;
        self.bar.inc(u64::try_from(read).unwrap_or(0));
        Ok(read)
    }
}

/// Whether the path stands for standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// Opens a file, or standard input.
pub(crate) fn open(path: &Path, interrupt: &Rc<Interrupt>, bar: &ProgressBar) -> Result<BufReader<Source>> {
    let file = if is_stdin(path) { standard_input()? } else { File::open(path)? };
    let source = Source { file, interrupt: Rc::clone(interrupt), bar: bar.clone() };
    Ok(BufReader::with_capacity(AT_ONCE, source))
}

/// A bar over the sizes of all files (a counter if one is not known) when standard error is a terminal that the
/// records do not go to.
pub(crate) fn progress(files: &[PathBuf]) -> ProgressBar {
    if !stderr().is_terminal() || stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let sizes: Option<u64> = files.iter().map(|path| size(path)).sum();
    let template = match sizes {
        Some(_) => "{bar:40} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} to go",
        None => "{spinner} {bytes}, {bytes_per_sec}",
    };
    let bar = ProgressBar::with_draw_target(sizes, ProgressDrawTarget::stderr());
    bar.with_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn size(path: &Path) -> Option<u64> {
    let data = if is_stdin(path) { None } else { std::fs::metadata(path).ok() };
    data.filter(std::fs::Metadata::is_file).map(|data| data.len())
}
