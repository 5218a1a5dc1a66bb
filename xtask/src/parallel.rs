//! The same work on many things, some at a time, with the answers in the order of the things.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What `work` answers for each item, in the order of the items, whichever was done first. `None` is an item whose thread
/// died.
pub fn map<T: Sync, R: Send>(items: &[T], jobs: usize, work: impl Fn(&T) -> R + Sync) -> Vec<Option<R>> {
    let next = AtomicUsize::new(0);
    let answers: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    let take = || {
        loop {
            let index = next.fetch_add(1, Ordering::SeqCst);
            let (Some(item), Some(answer)) = (items.get(index), answers.get(index)) else { return };
            let done = work(item);
            if let Ok(mut answer) = answer.lock() {
                *answer = Some(done);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..jobs.min(items.len()) {
            scope.spawn(take);
        }
        // This thread works, too.
        take();
    });
    answers.into_iter().map(|answer| answer.into_inner().ok().flatten()).collect()
}

/// As many at a time as this machine has processors.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::map;

    #[test]
    fn answers_come_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..100).collect();
        for jobs in [0, 1, 3, 200] {
            let answers: Vec<usize> = map(&items, jobs, |item| item * 2).into_iter().flatten().collect();
            assert_eq!(answers, items.iter().map(|item| item * 2).collect::<Vec<_>>(), "{jobs}");
        }
        assert!(map(&[0_u8; 0], 4, |item| *item).is_empty());
    }
}
