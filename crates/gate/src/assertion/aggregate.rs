//! V10: how several values become one, exactly.

use crate::measure::Exact;
use crate::pack::Aggregate;

/// The aggregate of at least one value; none for `all` and `any`, which aggregate no values.
pub(super) fn aggregate(how: Aggregate, values: &[&Exact]) -> Option<Exact> {
    let mut sorted = values.to_vec();
    let count = i64::try_from(values.len()).ok()?;
    match how {
        Aggregate::All | Aggregate::Any => None,
        Aggregate::Count => Some(Exact::from_int(count)),
        Aggregate::Min => values.iter().min().map(|v| (*v).clone()),
        Aggregate::Max => values.iter().max().map(|v| (*v).clone()),
        Aggregate::Sum => Some(sum(values)),
        Aggregate::Mean => sum(values).over(&Exact::from_int(count)),
        Aggregate::Median => {
            sorted.sort();
            let upper = sorted.get(sorted.len() / 2)?;
            match sorted.len() % 2 {
                1 => Some((*upper).clone()),
                _ => sorted.get(sorted.len() / 2 - 1)?.plus(upper).over(&Exact::from_int(2)),
            }
        }
        Aggregate::Percentile(rank) => {
            sorted.sort();
            // Nearest rank: the smallest value that at least so many per cent do not exceed.
            let place = (usize::from(rank) * sorted.len()).div_ceil(100).max(1);
            sorted.get(place - 1).map(|v| (*v).clone())
        }
    }
}

fn sum(values: &[&Exact]) -> Exact {
    values.iter().fold(Exact::ZERO, |sum, value| sum.plus(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aggregates() {
        let table = [
            (Aggregate::Min, vec![3, 1, 2], "1"),
            (Aggregate::Max, vec![3, 1, 2], "3"),
            (Aggregate::Sum, vec![3, 1, 2], "6"),
            (Aggregate::Mean, vec![1, 2], "1.5"),
            (Aggregate::Median, vec![9, 1, 5], "5"),
            (Aggregate::Median, vec![4, 1, 2, 3], "2.5"),
            (Aggregate::Count, vec![7, 7], "2"),
            (Aggregate::Percentile(50), vec![1, 2, 3, 4], "2"),
            (Aggregate::Percentile(99), vec![1, 2, 3], "3"),
            (Aggregate::Percentile(1), vec![1, 2, 3], "1"),
            (Aggregate::Percentile(95), (1..=20).collect(), "19"),
            (Aggregate::Percentile(90), vec![5], "5"),
        ];
        for (how, values, expected) in table {
            let values: Vec<Exact> = values.into_iter().map(Exact::from_int).collect();
            let result = aggregate(how, &values.iter().collect::<Vec<_>>()).unwrap();
            assert_eq!(result.to_decimal(), expected, "{how:?}");
        }
    }
}
