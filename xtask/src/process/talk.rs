//! Talking with a program while it runs: what it is told goes through a pipe to its standard input, and what it says comes
//! line by line, as from any program.

use std::io::{self, PipeReader, Write};
use std::ops::ControlFlow;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::{Line, Sink};

/// How long a program may take to end by itself once nothing more is said to it.
pub const FAREWELL: Duration = Duration::from_secs(3);

/// Who talks with a program.
pub trait Partner {
    /// The program is there.
    fn begin(&mut self, talk: &mut Talk);
    /// It said something. A break asks for its end.
    fn hear(&mut self, line: &Line<'_>, talk: &mut Talk) -> ControlFlow<()>;
    /// A limit is met: the last that is said to it before it is ended.
    fn part(&mut self, talk: &mut Talk);
}

/// What is said to a program. Saying never waits: a program that does not listen is ended at its limits like any other.
#[derive(Default)]
pub struct Talk {
    sender: Option<Sender<Vec<u8>>>,
    closed: Option<Instant>,
}

impl Talk {
    /// Nothing is said.
    pub(super) fn silent() -> Self {
        Talk::default()
    }

    /// A pipe, and who writes to it.
    pub(super) fn open() -> io::Result<(PipeReader, Talk)> {
        let (reader, mut writer) = io::pipe()?;
        let (sender, receiver) = channel::<Vec<u8>>();
        // It ends when nothing more is said, or when the program is gone and with it the other end of the pipe.
        thread::Builder::new().name("talk".to_owned()).spawn(move || {
            for words in receiver {
                if writer.write_all(&words).is_err() {
                    return;
                }
            }
        })?;
        Ok((reader, Talk { sender: Some(sender), closed: None }))
    }

    /// Says a line. To a program that is gone it is said in vain; how it ended is told elsewhere.
    pub fn say(&mut self, line: &str) {
        if let Some(sender) = &self.sender {
            let _ = sender.send(format!("{line}\n").into_bytes());
        }
    }

    /// Nothing more is said: the program's input ends, and it has [`FAREWELL`] to end as well.
    pub fn close(&mut self) {
        if self.sender.take().is_some() {
            self.closed = Some(Instant::now());
        }
    }

    /// Since when nothing more is said; none where anything may be, or nothing ever was.
    pub(super) fn closed(&self) -> Option<Instant> {
        self.closed
    }
}

/// Who only listens.
pub(super) struct Listener<'a, 'b>(pub &'a mut Sink<'b>);

impl Partner for Listener<'_, '_> {
    fn begin(&mut self, _: &mut Talk) {}

    fn hear(&mut self, line: &Line<'_>, _: &mut Talk) -> ControlFlow<()> {
        (self.0)(line)
    }

    fn part(&mut self, _: &mut Talk) {}
}
