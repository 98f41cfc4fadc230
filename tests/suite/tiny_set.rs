//! TinySet: never a false negative, a rate as planned, removal that takes nothing else, a plan that answers.
//!
//! 21 comparisons of a count with a chance in all, each at 1 - 0.01 / 21; the seeds were fixed beforehand.

use crate::common;

use common::num::{floor, index, real, wide};
use common::rng::Rng;
use common::{absent, build, odds};
use lately::{Code, Filter, Kind, Options, PlanSummary, Verdict};

/// Comparisons of a count with a chance in this file.
const COMPARISONS: u32 = 21;

fn tiny(capacity: u64) -> Options {
    Options::new(Kind::TinySet).capacity(capacity)
}

fn observe(filter: &mut Filter, key: u64) -> Verdict {
    filter.observe(&key.to_le_bytes()).expect("room")
}

fn finds(filter: &Filter, key: u64) -> bool {
    filter.contains(&key.to_le_bytes()).is_duplicate()
}

/// L of a plan.
fn chains(plan: &PlanSummary) -> u64 {
    floor(real(plan.window_keys) / plan.load / real(plan.blocks) + 0.5)
}

fn hits(filter: &Filter, queries: u64) -> u64 {
    wide((0..queries).filter(|&i| finds(filter, absent(i))).count())
}

#[test]
fn the_plan_costs_what_it_may() {
    let budgets = [(false, [8.95, 12.9, 17.3]), (true, [11.1, 15.9, 21.3])];
    for (removable, budgets) in budgets {
        for (rate, budget) in [1e-2, 1e-3, 1e-4].into_iter().zip(budgets) {
            let plan = Filter::plan(&tiny(10_000_000).error_rate(rate).removable(removable)).expect("a plan");
            println!("{removable} {rate:e}: {:.3} bits per key, load {:.3}", plan.bits_per_key, plan.load);
            assert!(plan.bits_per_key <= budget && plan.error_rate_worst <= rate, "{rate:e}: {plan:?}");
            assert!(plan.error_rate_worst > 0.999 * rate && plan.error_rate_mean < plan.error_rate_worst);
            assert_eq!((plan.bytes, plan.window_keys), (plan.blocks * 64, 10_000_000));
            assert_eq!(plan.bits_per_key, real(plan.bytes) * 8.0 / 1e7);
            let half =
                Filter::plan(&tiny(10_000_000).error_rate(rate).removable(removable).block_bytes(32)).expect("a plan");
            assert!(half.error_rate_worst <= rate && half.bytes == half.blocks * 32);
            assert!(half.bits_per_key > plan.bits_per_key && half.bits_per_key < 1.18 * budget, "{half:?}");
        }
    }
}

/// The planned number of keys, then strangers: the rate is that of the plan and of the real loads.
#[test]
fn whole_filters_keep_the_planned_rate() {
    for removable in [false, true] {
        for (rate, capacity, queries) in
            [(1e-2, 300_000, 1_000_000), (1e-3, 300_000, 3_000_000), (1e-4, 300_000, 10_000_000)]
        {
            let options = tiny(capacity).error_rate(rate).removable(removable);
            let mut filter = build(&options);
            for key in 0..capacity {
                observe(&mut filter, key);
            }
            let (stats, got) = (filter.stats(), hits(&filter, queries));
            println!(
                "{removable} {rate:e}: {:.4e} by loads, {:.4e} measured",
                stats.error_rate,
                real(got) / real(queries)
            );
            odds::expect_about(got, stats.error_rate * real(queries), COMPARISONS, "the rate by the real loads");
            odds::expect_at_most(got, rate * real(queries), COMPARISONS, "the planned rate");
            // Loads are what they are: their mean is certain to a few percent, and false duplicates are not stored.
            let planned = Filter::plan(&options).expect("a plan").error_rate_worst;
            // A removable filter is planned for what churn will make of it.
            let share = if removable { [0.57, 0.45, 0.34][index(floor(-rate.log10() + 0.5)) - 2] } else { 1.0 };
            let off = stats.error_rate / planned / share;
            assert!((0.9..1.1).contains(&off), "{} of {planned}, expected {share} of it", stats.error_rate);
            assert_eq!((stats.new_count, stats.new_count + stats.duplicate_count), (stats.items, capacity));
        }
    }
}

/// Four times as many keys as planned: all are found, and the rate is what the analysis says of that load.
#[test]
fn overfull_set_degrades_by_the_analysis_and_loses_no_key() {
    for (removable, block_bytes, rate) in [(false, 64, 1e-2), (false, 32, 1e-3), (true, 64, 1e-4)] {
        let options = tiny(100_000).error_rate(rate).removable(removable).block_bytes(block_bytes);
        let plan = Filter::plan(&options).expect("a plan");
        let (mut filter, mut last) = (build(&options), 0.0);
        for quarters in 1..=16 {
            for key in 25_000 * (quarters - 1)..25_000 * quarters {
                observe(&mut filter, key);
            }
            assert!((0..25_000 * quarters).all(|key| finds(&filter, key)), "a key is lost at {quarters} / 4");
            let now = filter.stats().error_rate;
            assert!(now > last && now <= 1.0, "{quarters} / 4: {now} after {last}");
            last = now;
            if [4, 8, 16].contains(&quarters) {
                let got = real(hits(&filter, 400_000)) / 400_000.0;
                println!("{removable} {block_bytes}: {quarters} / 4: {now:.4e} by loads, {got:.4e} measured");
                let noise = 4.0 * (now / 400_000.0).sqrt();
                assert!((got - now).abs() < noise + 0.02 * now, "{quarters} / 4: {got} measured, {now} by loads");
            }
            // What the plan says of as many entries in as many blocks, as far as it plans.
            let load = real(filter.stats().items) / real(plan.blocks * chains(&plan));
            let same = Options::new(Kind::TinySet).memory(plan.bytes).removable(removable).block_bytes(block_bytes);
            let same = same.chains(u32::try_from(chains(&plan)).expect("chains")).load(load);
            // What it says of a removable one is what churn will make of it.
            if removable {
                continue;
            }
            // The first two quarters are nearly empty blocks, whose rates are the chance of a few keys.
            match Filter::plan(&same) {
                Ok(analysis) => {
                    let ratio = now / analysis.error_rate_worst;
                    println!("{quarters} / 4: {ratio:.4} of the analysis");
                    let most = if quarters == 3 { 0.1 } else { 0.03 };
                    assert!((ratio - 1.0).abs() < most || quarters < 3, "{now} of {}", analysis.error_rate_worst);
                }
                Err(error) => assert!(now > 0.45, "no plan for a rate of {now}: {error}"),
            }
        }
        assert!(last > 0.2, "{last}");
    }
}

/// A filter of few blocks, filled until every bit of it is used and on.
#[test]
fn an_add_only_filter_never_fails() {
    for (chains, block_bytes) in [(64, 64), (256, 64), (1, 64), (128, 32)] {
        let options = Options::new(Kind::TinySet).memory(256).chains(chains).block_bytes(block_bytes);
        let mut filter = build(&options);
        for key in 0..20_000 {
            observe(&mut filter, key);
            filter.insert(&key.to_le_bytes()).expect("always");
            assert!(finds(&filter, key));
        }
        assert!((0..20_000).all(|key| finds(&filter, key)), "{chains} chains");
        assert!(filter.stats().error_rate > 0.8, "{chains} chains: {}", filter.stats().error_rate);
    }
}

/// Inserts, observations and removals at random, against a multiset: no key that must be there is ever missed, and a
/// filter from which everything was taken is empty.
#[test]
fn removals_take_nothing_else() {
    let shapes = [(64, 40, 1200), (64, 64, 4000), (32, 28, 600), (64, 92, 8000), (64, 8, 500), (32, 64, 2500)];
    for (seed, (block_bytes, chains, most)) in (1..).zip(shapes) {
        let mut filter = build(
            &Options::new(Kind::TinySet).memory(1024).removable(true).block_bytes(block_bytes).chains(chains).load(0.1),
        );
        let (mut rng, mut held, mut checks) = (Rng(seed), Vec::<u64>::new(), 0u64);
        for step in 0..60_000u64 {
            let wanted = most * [10, 2, 5, 1, 10, 0][index(step / 10_000)] / 10;
            if held.is_empty() || rng.below(10) < if held.len() < wanted { 7 } else { 3 } {
                let key = rng.below(1 << 20);
                if rng.once_in(3) {
                    filter.insert(&key.to_le_bytes()).expect("room");
                    held.push(key);
                } else if observe(&mut filter, key).is_new() {
                    held.push(key);
                }
            } else {
                let key = held.swap_remove(index(rng.below(wide(held.len()))));
                assert!(filter.remove(&key.to_le_bytes()).expect("removable"), "key {key} was lost before its removal");
            }
            for _ in 0..4.min(held.len()) {
                let key = rng.pick(&held);
                assert!(finds(&filter, key), "key {key} is lost at step {step} of {} chains", chains);
                checks += 1;
            }
            if step % 500 == 0 {
                assert!(held.iter().all(|&key| finds(&filter, key)), "step {step}, {chains} chains");
                assert_eq!(filter.stats().items, wide(held.len()));
            }
        }
        assert!(checks > 200_000, "{checks}");
        for key in held {
            assert!(filter.remove(&key.to_le_bytes()).expect("removable"));
        }
        assert_eq!((filter.stats().items, filter.stats().error_rate), (0, 0.0));
        assert_eq!(hits(&filter, 10_000), 0);
    }
}

#[test]
fn inserts_count_only_where_removals_do() {
    let mut add_only = build(&tiny(1000));
    let mut removable = build(&tiny(1000).removable(true));
    for filter in [&mut add_only, &mut removable] {
        for _ in 0..3 {
            filter.insert(b"key").expect("room");
        }
        assert!(filter.observe(b"key").expect("a verdict").is_duplicate());
    }
    assert_eq!((add_only.stats().items, removable.stats().items), (1, 3));
    let taken: Vec<bool> = (0..4).map(|_| removable.remove(b"key").expect("removable")).collect();
    assert_eq!(taken, [true, true, true, false]);
    let error = add_only.remove(b"key").expect_err("add-only");
    assert_eq!(error.code(), Code::Unsupported, "{error}");
    assert!(finds(&add_only, 0) == removable.contains(&0u64.to_le_bytes()).is_duplicate());
}

/// What is given is honoured, what is open is planned, memory is never passed.
#[test]
fn the_plan_answers_every_request() {
    let plan = |options: &Options| Filter::plan(options).unwrap_or_else(|error| panic!("{options:?}: {error}"));
    for removable in [false, true] {
        let tiny = |keys| tiny(keys).removable(removable);
        let memory = Options::new(Kind::TinySet).memory(1_000_000).removable(removable);
        assert!((0.99e-6..=1e-6).contains(&plan(&tiny(100_000)).error_rate_worst));
        // Memory and keys leave the rate open; memory and a rate leave the keys; memory alone takes the default rate.
        let tight = plan(&tiny(500_000).memory(1_000_000));
        assert!(tight.bytes <= 1_000_000 && tight.bytes > 999_900 && tight.error_rate_worst < 1e-3, "{tight:?}");
        let roomy = plan(&memory.clone().error_rate(1e-2));
        assert!(roomy.bytes <= 1_000_000 && roomy.window_keys > plan(&memory).window_keys, "{roomy:?}");
        assert!(
            (0.99e-2..=1e-2).contains(&roomy.error_rate_worst)
                && (0.99e-6..=1e-6).contains(&plan(&memory).error_rate_worst)
        );
        // Chains and load as asked.
        assert_eq!(chains(&plan(&tiny(100_000).chains(40))), 40);
        let both = plan(&tiny(100_000).chains(64).load(0.61));
        assert_eq!(both.blocks, common::num::ceil(100_000.0 / 0.61 / 64.0));
        assert!((both.load - 0.61).abs() < 0.001 && (5e-4..4e-3).contains(&both.error_rate_worst), "{both:?}");
        let loaded = plan(&tiny(100_000).load(0.5).error_rate(1e-3));
        assert!((loaded.load - 0.5).abs() < 0.001 && (0.5e-3..=1e-3).contains(&loaded.error_rate_worst), "{loaded:?}");
        let fits = plan(&tiny(100_000).load(0.5).memory(150_000));
        assert!((loaded.load - 0.5).abs() < 0.001 && (140_000..=150_000).contains(&fits.bytes), "{fits:?}");
        // One key, one block; the paper's 32-byte blocks in whole cache lines.
        assert_eq!((plan(&tiny(1)).blocks, plan(&tiny(1).block_bytes(32)).bytes), (1, 64));
        assert_eq!(plan(&tiny(100_000)).cache_lines_per_observe, 1.0);
        for options in [tiny(100_000), memory.clone(), tiny(500_000).memory(1_000_000)] {
            assert_eq!(build(&options).stats().bytes, plan(&options).bytes, "{options:?}");
        }
    }
}
