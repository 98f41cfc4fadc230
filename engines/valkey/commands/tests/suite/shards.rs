//! The vectors of the shard function, which every client reads too; and that it spreads.

use lately_commands::shard_of;

/// `shards shard item-in-hex`, one a line. `BLESS=1` writes them once more, and nothing but a new row may change.
const VECTORS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../clients/shards.txt");

fn items() -> Vec<Vec<u8>> {
    let mut items: Vec<Vec<u8>> = ["", "a", "order-17", "order-18", "\u{e9}t\u{e9}", "192.0.2.1", "z\0z"]
        .iter()
        .map(|text| text.as_bytes().to_vec())
        .collect();
    items.push((0..=255).collect());
    items.push(vec![0xFF; 3]);
    items
}

#[test]
fn the_shard_of_an_item_never_changes() {
    let mut lines = String::from("# shards shard item-in-hex: the frozen vectors of the shard function\n");
    for shards in [1, 2, 7, 100, 16384] {
        for item in items() {
            let hex: String = item.iter().map(|byte| format!("{byte:02x}")).collect();
            lines += &format!("{shards} {} {}\n", shard_of(&item, shards), if hex.is_empty() { "-" } else { &hex });
        }
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(VECTORS, &lines).unwrap();
    }
    assert_eq!(std::fs::read_to_string(VECTORS).unwrap(), lines);
}

/// Chi squared over 16 shards, 100,000 items: below 37.7 with probability 1 - 0.001 (15 degrees of freedom).
#[test]
fn items_spread_evenly() {
    for prefix in ["user:", "", "00000000-0000-4000-8000-"] {
        let mut counts = [0_u32; 16];
        for i in 0..100_000_u32 {
            counts[usize::try_from(shard_of(format!("{prefix}{i}").as_bytes(), 16)).unwrap()] += 1;
        }
        let want = 6_250.0;
        let chi: f64 = counts.iter().map(|count| (f64::from(*count) - want).powi(2) / want).sum();
        assert!(chi < 37.7, "{prefix}: {chi}");
    }
}
