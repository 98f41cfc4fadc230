//! The items of an iterator whose keys are new, one by one as they come.

use crate::error::Error;
use crate::observe::Observe;

/// The items that were not seen lately. Each is asked for once, when the next one is wanted; `key` makes its key, of what borrows from
/// the item by [`key`](crate::key): `|order| key(&order.id)`.
///
/// An error of the filter comes in the place of its item, and the items after it follow.
///
/// ```
/// use lately::{Filter, Options, first};
///
/// let orders = [("order-17", 5), ("order-18", 3), ("order-17", 5)];
/// let seen = Filter::new(&Options::last(1_000))?;
/// let new: Vec<_> = first(orders, seen, |order| order.0).collect::<Result<_, _>>()?;
/// assert_eq!(new, [("order-17", 5), ("order-18", 3)]);
/// # Ok::<(), lately::Error>(())
/// ```
pub fn first<I, O, F, K>(items: I, seen: O, key: F) -> First<I::IntoIter, O, F>
where
    I: IntoIterator,
    O: Observe,
    F: FnMut(&I::Item) -> K,
    K: AsRef<[u8]>,
{
    First { items: items.into_iter(), seen, key }
}

/// The iterator of [`first`].
#[derive(Debug)]
#[must_use = "an iterator asks for nothing until it is used"]
pub struct First<I, O, F> {
    items: I,
    seen: O,
    key: F,
}

impl<I, O, F, K> Iterator for First<I, O, F>
where
    I: Iterator,
    O: Observe,
    F: FnMut(&I::Item) -> K,
    K: AsRef<[u8]>,
{
    type Item = Result<I::Item, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let item = self.items.next()?;
            match self.seen.first((self.key)(&item).as_ref()) {
                Ok(false) => {}
                Ok(true) => return Some(Ok(item)),
                Err(error) => return Some(Err(error)),
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, self.items.size_hint().1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Filter, Options, SharedFilter, key};

    #[test]
    fn items_that_are_new_come_in_order_from_either_handle() {
        let options = Options::last(100);
        let want = vec![3, 1, 2];
        let one = first([3, 1, 3, 2, 1], Filter::new(&options).expect("a filter"), |n| key(*n));
        assert_eq!(one.map(|item| item.expect("no error")).collect::<Vec<i32>>(), want);
        let shared = SharedFilter::new(&options).expect("a filter");
        let mut all = first([3, 1, 3, 2, 1], &shared, |n| key(*n));
        assert_eq!((all.size_hint(), all.next().map(Result::ok)), ((0, Some(5)), Some(Some(3))));
        assert_eq!(shared.stats().new_count, 1);
        assert_eq!(first(["a", "a"], &shared, |text| *text).count(), 1);
    }
}
