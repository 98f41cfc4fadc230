//! A filter in a file: opened, saved, and opened again, on good days and on bad ones.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use lately::{Clock, Code, Error, Field, Filter, Kind, Options, Secret, SharedFilter, Tick, Unit, Verdict};

const HOUR: Duration = Duration::from_secs(3600);

/// A folder of one test, gone at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("lately-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).expect("a folder");
        Self(path)
    }

    fn state(&self) -> PathBuf {
        self.0.join("seen.lately")
    }

    /// The state of a filter that has the key `a`.
    fn saved(&self, options: &Options) -> PathBuf {
        let (mut filter, opened) = Filter::open(self.state(), options).expect("a new filter");
        assert!(!opened.found && !self.state().exists(), "nothing is written before it is saved");
        filter.insert("a").expect("no error");
        filter.save(self.state()).expect("saved");
        self.state()
    }

    fn names(&self) -> usize {
        fs::read_dir(&self.0).expect("the folder").count()
    }

    /// A file of this name that was written that long ago.
    fn aged(&self, name: &str, since: Duration) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, "half a snapshot").expect("written");
        date(&path, SystemTime::now() - since);
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn date(path: &Path, when: SystemTime) {
    File::options().append(true).open(path).and_then(|file| file.set_modified(when)).expect("a date");
}

/// The library's error inside an error of a file.
fn inner(error: &std::io::Error) -> &Error {
    error.get_ref().and_then(|inner| inner.downcast_ref()).unwrap_or_else(|| panic!("{error}"))
}

#[test]
fn a_saved_filter_continues_on_either_handle_and_is_saved_again() {
    let folder = Folder::new("again");
    let options = Options::last(1000);
    let path = folder.saved(&options);
    for round in 0..3 {
        let (shared, opened) = SharedFilter::open(&path, &options).expect("opened");
        assert_eq!((opened.found, shared.contains("a")), (true, Verdict::Duplicate), "{round}");
        assert_eq!(shared.save(&path).expect("saved"), fs::metadata(&path).expect("a file").len());
        let (filter, _) = Filter::open(&path, &options).expect("opened");
        filter.save(&path).expect("saved");
    }
    assert_eq!(folder.names(), 1, "no draft is left");
}

#[test]
fn an_empty_file_has_only_its_name() {
    let folder = Folder::new("empty");
    File::create(folder.state()).expect("a file");
    let (filter, opened) = Filter::open(folder.state(), &Options::last(1000)).expect("new");
    assert!(!opened.found);
    filter.save(folder.state()).expect("saved");
    assert!(Filter::open(folder.state(), &Options::last(1000)).expect("opened").1.found);
}

#[test]
fn the_time_of_a_file_is_the_age_of_its_keys() {
    let folder = Folder::new("age");
    let options = Options::window(HOUR);
    let path = folder.saved(&options);
    for (since, want) in
        [(Duration::ZERO, Verdict::Duplicate), (HOUR / 2, Verdict::Duplicate), (HOUR * 3, Verdict::New)]
    {
        date(&path, SystemTime::now() - since);
        let (filter, opened) = Filter::open(&path, &options).expect("opened");
        assert!(opened.elapsed >= since && opened.ahead.is_zero(), "{opened:?}");
        assert_eq!(filter.contains("a"), want, "{since:?}");
    }
    date(&path, SystemTime::now() + HOUR * 3);
    let (filter, opened) = Filter::open(&path, &options).expect("opened");
    assert!(opened.elapsed.is_zero() && opened.ahead > HOUR * 2, "{opened:?}");
    assert_eq!(filter.contains("a"), Verdict::Duplicate);
}

#[test]
fn the_time_of_a_file_is_nothing_to_a_manual_clock() {
    let folder = Folder::new("manual");
    let options = Options::window(HOUR).clock(Clock::Manual(Unit::Seconds));
    let (mut filter, _) = Filter::open(folder.state(), &options).expect("new");
    filter.insert_at("a", Tick(1_000)).expect("no error");
    filter.save(folder.state()).expect("saved");
    date(&folder.state(), SystemTime::now() - HOUR * 10);
    let (mut filter, opened) = Filter::open(folder.state(), &options).expect("opened");
    assert!(opened.found && opened.elapsed.is_zero());
    assert_eq!(filter.observe_at("a", Tick(1_000 + 3_600)).expect("no error"), Verdict::Duplicate);
}

#[test]
fn a_state_of_other_options_is_refused_by_the_first_that_differs_and_stays() {
    let folder = Folder::new("differ");
    let path = folder.saved(&Options::last(1000));
    let before = fs::read(&path).expect("bytes");
    let others = [
        (Field::WindowKeys, Options::last(1001)),
        (Field::Seed, Options::last(1000).seed(7)),
        (Field::Kind, Options::new(Kind::AgePartitioned).window_keys(1000)),
    ];
    for (field, options) in others {
        let error = Filter::open(&path, &options).expect_err("other options");
        assert_eq!((inner(&error).code(), inner(&error).field()), (Code::OptionsDiffer, Some(field)), "{error}");
    }
    assert_eq!(fs::read(&path).expect("bytes"), before);
}

#[test]
fn what_is_no_state_is_neither_opened_nor_replaced() {
    let folder = Folder::new("foreign");
    let options = Options::last(1000);
    let filter = Filter::new(&options).expect("a filter");
    let mut future = Vec::new();
    filter.write_snapshot(&mut future).expect("bytes");
    let mut with_more = future.clone();
    with_more.push(b'\n');
    future[8] = 99;
    for foreign in [b"my thesis, chapter 1".as_slice(), b"\x89LTLY", &future] {
        fs::write(folder.state(), foreign).expect("written");
        assert!(Filter::open(folder.state(), &options).is_err());
        let error = filter.save(folder.state()).expect_err("foreign");
        assert!(error.to_string().contains("seen.lately: not replaced: "), "{error}");
        assert_eq!(fs::read(folder.state()).expect("bytes"), foreign);
        assert_eq!(folder.names(), 1);
    }
    fs::write(folder.state(), with_more).expect("written");
    let error = Filter::open(folder.state(), &options).expect_err("more");
    assert!(error.to_string().contains("bytes follow the filter"), "{error}");
}

#[test]
fn a_missing_folder_is_found_at_the_start() {
    let folder = Folder::new("missing");
    let path = folder.0.join("gone").join("seen.lately");
    let error = Filter::open(path, &Options::last(1000)).expect_err("no folder");
    assert!(error.kind() == ErrorKind::NotFound && error.to_string().contains("gone"), "{error}");
}

#[test]
fn a_keyed_filter_needs_the_secret_that_no_file_has() {
    let folder = Folder::new("keyed");
    let drawn = Options::last(1000).keyed(true);
    let error = Filter::open(folder.state(), &drawn).expect_err("no secret");
    assert_eq!(inner(&error).code(), Code::Option, "{error}");
    let path = folder.saved(&drawn.clone().secret(Secret::new(1, 2)));
    assert!(Filter::open(&path, &drawn.clone().secret(Secret::new(1, 2))).expect("opened").1.found);
    let error = Filter::open(&path, &drawn.secret(Secret::new(1, 3))).expect_err("another secret");
    assert_eq!(inner(&error).code(), Code::Secret, "{error}");
}

#[test]
fn drafts_not_written_for_ten_minutes_go_and_the_rest_stays() {
    let folder = Folder::new("drafts");
    let filter = Filter::new(&Options::last(1000)).expect("a filter");
    let old = Duration::from_secs(610);
    let drafts = ["0123456789abcdef", "ffffffffffffffff", "0000000000000000"];
    let gone = drafts.map(|digits| folder.aged(&format!("seen.lately.{digits}.new"), old));
    let young = folder.aged("seen.lately.1123456789abcdef.new", Duration::from_secs(590));
    let future = folder.aged("seen.lately.2123456789abcdef.new", Duration::ZERO);
    date(&future, SystemTime::now() + HOUR);
    let names = [
        "seen.lately.new",
        "seen.lately..new",
        "seen.lately.0123456789abcde.new",
        "seen.lately.0123456789abcdef0.new",
        "seen.lately.0123456789ABCDEF.new",
        "seen.lately.0123456789abcdeg.new",
        "seen.lately.0123456789abcdef.old",
        "seen.lately.0123456789abcdef",
        "seen.lately-0123456789abcdef.new",
        "other.lately.0123456789abcdef.new",
        "soon.lately.0123456789abcdef.new",
        "my.seen.lately.0123456789abcdef.new",
    ];
    let similar = names.map(|name| folder.aged(name, old));
    filter.save(folder.state()).expect("saved");
    for path in gone {
        assert!(!path.exists(), "{path:?}");
    }
    for path in [young, future].iter().chain(&similar) {
        assert!(path.exists(), "{path:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_or_a_folder_that_is_named_as_a_draft_stays() {
    let folder = Folder::new("draft-link");
    let filter = Filter::new(&Options::last(1000)).expect("a filter");
    let target = folder.aged("target", HOUR);
    let link = folder.0.join("seen.lately.0123456789abcdef.new");
    std::os::unix::fs::symlink(&target, &link).expect("a link");
    // The standard library dates only what a link leads to.
    let dated = std::process::Command::new("touch").args(["-h", "-t", "200101010000"]).arg(&link).status();
    assert!(dated.expect("touch").success());
    let inside = folder.0.join("seen.lately.1123456789abcdef.new");
    fs::create_dir(&inside).expect("a folder");
    File::open(&inside).and_then(|inside| inside.set_modified(SystemTime::now() - HOUR)).expect("a date");
    filter.save(folder.state()).expect("saved");
    assert!(fs::symlink_metadata(&link).is_ok_and(|facts| facts.is_symlink()) && target.exists());
    assert!(inside.is_dir());
}

/// The drafts are next to the file, not to the link; and they go, too, where there is no file yet.
#[cfg(unix)]
#[test]
fn drafts_of_the_file_behind_a_link_go() {
    let folder = Folder::new("draft-behind");
    let filter = Filter::new(&Options::last(1000)).expect("a filter");
    fs::create_dir(folder.0.join("data")).expect("a folder");
    let link = folder.0.join("link");
    std::os::unix::fs::symlink("data/seen", &link).expect("a link");
    let of_file = folder.aged("data/seen.0123456789abcdef.new", HOUR);
    let of_link = folder.aged("link.0123456789abcdef.new", HOUR);
    filter.save(&link).expect("saved");
    assert!(!of_file.exists() && of_link.exists());
}

#[cfg(unix)]
#[test]
fn a_link_still_leads_to_the_file_whose_mode_stays() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new("link");
    let link = folder.0.join("link");
    symlink("seen.lately", &link).expect("a link");
    let (filter, opened) = Filter::open(&link, &Options::last(1000)).expect("new");
    assert!(!opened.found);
    filter.save(&link).expect("saved");
    fs::set_permissions(folder.state(), fs::Permissions::from_mode(0o640)).expect("a mode");
    filter.save(&link).expect("saved");
    assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
    assert_eq!(fs::metadata(folder.state()).expect("a file").permissions().mode() & 0o777, 0o640);
}

/// Root alone may give a file away; others keep what they own.
#[cfg(unix)]
#[test]
fn the_owner_of_a_file_and_its_group_stay() {
    use std::os::unix::fs::{MetadataExt, chown};
    let folder = Folder::new("owner");
    let path = folder.saved(&Options::last(1000));
    let owner = || fs::metadata(&path).map(|facts| (facts.uid(), facts.gid())).expect("a file");
    let before = if owner().0 == 0 { (1234, 2345) } else { owner() };
    chown(&path, Some(before.0), Some(before.1)).expect("an owner");
    Filter::new(&Options::last(1000)).expect("a filter").save(&path).expect("saved");
    assert_eq!(owner(), before);
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_is_mounted_by_itself_is_refused_at_the_start() {
    // Every container and most machines have one of these.
    let mounts = fs::read_to_string("/proc/self/mountinfo").expect("mounts");
    let places = mounts.lines().filter_map(|line| line.split(' ').nth(4));
    let Some(place) = places.map(Path::new).find(|place| place.is_dir() && !place.to_string_lossy().contains('\\'))
    else {
        panic!("every system has a root")
    };
    let error = Filter::open(place, &Options::last(1000)).expect_err("a mount");
    assert_eq!(error.kind(), ErrorKind::ResourceBusy, "{error}");
    assert!(error.to_string().contains("mount its folder"), "{error}");
}
