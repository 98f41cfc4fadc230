//! Snapshots are the same bytes on every machine: a filter that is used, written, read and used again leaves the bytes whose hashes
//! `tests/vectors/snapshots.txt` has. `BLESS=1 cargo test --test suite snapshot_machines::` writes it.
//!
//! Equal hashes at each stage mean that a state of one machine goes on living on another as it would have at home: the bytes that
//! are read are the same, and so are the bytes that come of them.

use crate::common;

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use common::cases::{Case, Player, cases, cases_of};
use common::handle::{Handle, snapshot};
use common::named::head;
use lately::{SharedFilter, hash64};

/// A filter, and how much happens to it in each of three stages: calls, and the number of keys to choose from.
struct Life {
    case: Case,
    player: Player,
    stages: [(u32, u64); 3],
}

impl Life {
    /// The next stage of its life, and the bytes that are left.
    fn live(&mut self, stage: usize, filter: &mut dyn Handle) -> Vec<u8> {
        let (calls, keys) = self.stages[stage];
        self.case.keys = keys;
        for _ in 0..calls {
            // A filter that is full, or refuses a tick, has answered, too.
            let _ = self.player.step(&self.case, filter);
        }
        snapshot(filter)
    }

    fn load_shared(&self, bytes: &[u8]) -> SharedFilter {
        let loaded = SharedFilter::load(bytes, &self.case.load_options(Duration::ZERO));
        loaded.unwrap_or_else(|error| panic!("{}: {error}", self.case.name))
    }

    fn alone(mut self) -> [Vec<u8>; 3] {
        let first = self.live(0, &mut self.case.build());
        let second = self.live(1, &mut self.case.load(&first));
        let third = self.live(2, &mut self.load_shared(&second));
        [first, second, third]
    }

    fn divided(mut self) -> [Vec<u8>; 3] {
        let first = self.live(0, &mut common::divided(self.case.build()));
        let second = self.live(1, &mut self.load_shared(&first));
        let third = self.live(2, &mut self.case.load(&second));
        [first, second, third]
    }
}

/// Small filters of every kind and variant, and larger ones that grow, shrink and grow again.
fn lives() -> impl Iterator<Item = Life> {
    let of = |stages| move |case| Life { case, player: Player::new(1), stages };
    let small = cases().into_iter().map(of([(700, 400); 3]));
    small.chain(cases_of("machines").into_iter().map(of([(12_000, 20_000), (9_000, 300), (9_000, 20_000)])))
}

fn lived(head: String) -> String {
    let mut text = head;
    for (row, (life, twin)) in lives().zip(lives()).enumerate() {
        let [alone, divided] = [life.alone(), twin.divided()].map(|stages| stages.map(|bytes| hash64(&bytes, 0)));
        let handles =
            if alone == divided { vec![("both", alone)] } else { vec![("alone", alone), ("divided", divided)] };
        for (handle, [first, second, third]) in handles {
            writeln!(text, "{row} {handle} {first:016x} {second:016x} {third:016x}").unwrap();
        }
    }
    text
}

#[test]
fn a_state_lives_on_another_machine_as_on_its_own() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/snapshots.txt");
    let lived = lived(head(&fs::read_to_string(&path).expect("the hashes")));
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &lived).unwrap();
    }
    let listed = fs::read_to_string(&path).expect("the hashes");
    let differ: Vec<_> = listed.lines().zip(lived.lines()).filter(|(listed, lived)| listed != lived).collect();
    assert!(differ.is_empty(), "listed, and found here: {differ:#?}");
    assert_eq!(listed.lines().count(), lived.lines().count());
}
