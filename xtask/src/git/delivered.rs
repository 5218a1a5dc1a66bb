//! What a repository says of delivered commits: asked for all of them at once, since starting git takes longer than most of
//! what it is asked.

use std::collections::{BTreeMap, BTreeSet};

use super::{Git, changed_file};
use crate::documents::ChangedFile;
use crate::failure::Result;

/// A delivered commit, and the one that the work on it began from, as somebody recorded them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// What it began from.
    pub base: String,
    /// What was delivered.
    pub head: String,
}

/// What is said of a pair.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delivered {
    /// Whether both are there. Where they are not, nothing else is known.
    pub is_held: bool,
    /// Whether the base is the head, or one of the commits before it.
    pub follows: bool,
    /// Files with their lines, in git's order.
    pub changes: Vec<ChangedFile>,
    /// Whether a branch, a tag or another name leads to the head: a commit without one may be gone any day.
    pub is_reachable: bool,
}

/// How far a base is sought before its head by reading commits. Most deliveries are one commit each.
const NEAR: usize = 8;

/// The commits before a commit; none of one that is not there.
type Parents = BTreeMap<String, Option<Vec<String>>>;

impl Git {
    /// What this repository says of each pair.
    pub fn delivered(&self, pairs: &BTreeSet<Pair>) -> Result<BTreeMap<Pair, Delivered>> {
        let both = pairs.iter().flat_map(|pair| [pair.base.as_str(), pair.head.as_str()]);
        let mut parents = self.parents(both.collect())?;
        let is_held = |pair: &&Pair| {
            [&pair.base, &pair.head].iter().all(|commit| matches!(parents.get(*commit), Some(Some(_))))
        };
        let held: Vec<&Pair> = pairs.iter().filter(is_held).collect();
        let unreachable = self.unreachable(&held)?;
        let mut changes = self.all_changes(&held)?;
        let mut found: BTreeMap<Pair, Delivered> =
            pairs.iter().map(|pair| (pair.clone(), Delivered::default())).collect();
        for pair in held {
            let delivered = Delivered {
                is_held: true,
                follows: self.follows(pair, &mut parents)?,
                changes: changes.remove(pair).unwrap_or_default(),
                is_reachable: !unreachable.contains(&pair.head),
            };
            found.insert(pair.clone(), delivered);
        }
        Ok(found)
    }

    /// The parents of commits. What is no whole id of a commit that is there has none.
    fn parents(&self, ids: BTreeSet<&str>) -> Result<Parents> {
        let (ids, others): (Vec<&str>, Vec<&str>) = ids.into_iter().partition(|id| is_id(id));
        let mut parents: Parents = others.into_iter().map(|id| (id.to_owned(), None)).collect();
        if ids.is_empty() {
            return Ok(parents);
        }
        // Asked for as a commit, git looks whether an object is what its name says.
        let asked = ids.iter().flat_map(|id| [id, "^{commit}\n"]).collect::<String>();
        let said = self.answer(&["cat-file", "--batch"], asked)?;
        let mut rest = said.as_slice();
        for id in ids {
            let object = next_object(&mut rest).ok_or_else(|| self.unreadable())?;
            parents.insert(id.to_owned(), object.map(|text| parents_in(&text)));
        }
        Ok(parents)
    }

    /// Whether the base of a pair is the head, or one of the commits before it.
    fn follows(&self, pair: &Pair, parents: &mut Parents) -> Result<bool> {
        let mut front: BTreeSet<String> = [pair.head.clone()].into();
        for _ in 0..NEAR {
            if front.contains(&pair.base) {
                return Ok(true);
            }
            let unread: BTreeSet<&str> =
                front.iter().map(String::as_str).filter(|commit| !parents.contains_key(*commit)).collect();
            if !unread.is_empty() {
                let read = self.parents(unread)?;
                parents.extend(read);
            }
            let before = front.iter().filter_map(|commit| parents.get(commit)?.as_ref());
            front = before.flatten().cloned().collect();
        }
        // Far before it, or not at all.
        self.is_ancestor(&pair.base, &pair.head)
    }

    /// The files that each pair changes.
    fn all_changes<'p>(&self, pairs: &[&'p Pair]) -> Result<BTreeMap<&'p Pair, Vec<ChangedFile>>> {
        if pairs.is_empty() {
            return Ok(BTreeMap::new());
        }
        let mut changes: BTreeMap<&Pair, Vec<ChangedFile>> = BTreeMap::new();
        let mut rest = pairs.to_vec();
        while !rest.is_empty() {
            // Git names the head alone: in one call, each is asked about once.
            let mut asked: BTreeMap<&str, &Pair> = BTreeMap::new();
            rest.retain(|pair| asked.contains_key(&*pair.head) || asked.insert(&pair.head, pair).is_some());
            let lines: String = asked.values().map(|pair| format!("{} {}\n", pair.head, pair.base)).collect();
            let said = self.compared(lines)?;
            let mut current: Option<&Pair> = None;
            for field in said.split('\0').filter(|field| !field.is_empty()) {
                match (changed_file(field), current) {
                    (None, _) => {
                        let pair = asked.remove(field).ok_or_else(|| self.unreadable())?;
                        changes.insert(pair, Vec::new());
                        current = Some(pair);
                    }
                    (Some(change), Some(pair)) => changes.entry(pair).or_default().push(change),
                    (Some(_), None) => return Err(self.unreadable()),
                }
            }
            // One that git passed over in silence is not one that changes nothing.
            if !asked.is_empty() {
                return Err(self.unreadable());
            }
        }
        Ok(changes)
    }

    /// Those heads to which no name leads.
    fn unreachable(&self, pairs: &[&Pair]) -> Result<BTreeSet<String>> {
        if pairs.is_empty() {
            return Ok(BTreeSet::new());
        }
        let heads: BTreeSet<&str> = pairs.iter().map(|pair| pair.head.as_str()).collect();
        let asked: String = heads.iter().flat_map(|head| [*head, "\n"]).collect();
        let walk = ["rev-list", "--ignore-missing", "--stdin", "--not", "--glob=refs/*"];
        let listed = self.answer(&walk, asked).map(|said| String::from_utf8_lossy(&said).into_owned());
        // The walk goes by dates, which may be anything, and ends at what cannot be read: it only says that a head is
        // reached. What it does not say that of is looked at by itself.
        let is_reached =
            |head: &str| listed.as_ref().is_ok_and(|listed| !listed.lines().any(|line| line == head));
        let mut unreachable = BTreeSet::new();
        for head in heads.into_iter().filter(|head| !is_reached(head)) {
            if self.run(&["for-each-ref", "--count=1", "--contains", head])?.trim().is_empty() {
                unreachable.insert(head.to_owned());
            }
        }
        Ok(unreachable)
    }
}

/// The whole name of an object, in either of git's hashes.
fn is_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// `id type size`, a line feed, as many bytes and a line feed; or `id missing` alone. None where it is neither; an object
/// that is no commit is none.
fn next_object(rest: &mut &[u8]) -> Option<Option<String>> {
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let (head, after) = rest.split_at_checked(end)?;
    let after = after.get(1..)?;
    let words: Vec<&str> = std::str::from_utf8(head).ok()?.split(' ').collect();
    let [_, kind, size] = words.as_slice() else {
        *rest = after;
        return (words.last() == Some(&"missing")).then_some(None);
    };
    let (bytes, after) = after.split_at_checked(size.parse().ok()?)?;
    *rest = after.get(1..)?;
    Some((*kind == "commit").then(|| String::from_utf8_lossy(bytes).into_owned()))
}

/// The parents that a commit names, in the lines that follow its tree.
fn parents_in(commit: &str) -> Vec<String> {
    commit.lines().skip(1).map_while(|line| line.strip_prefix("parent ").map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;
    use gate::lang::Lang;

    use super::super::Signature;
    use super::*;

    /// A repository in which commits are made one after another.
    struct Repository {
        git: Git,
        _folder: tempfile::TempDir,
    }

    /// Whether both are held, whether one follows the other, lines that were added and removed, whether it is reachable.
    type Said = (bool, bool, Vec<Lines>, bool);
    type Lines = (Option<u64>, Option<u64>);

    impl Repository {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let path = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
            let git = Git::at(path, Lang::En);
            git.init("main").unwrap();
            Repository { git, _folder: folder }
        }

        fn commit(&self, text: &str) -> String {
            std::fs::write(self.git.folder().join("file"), text).unwrap();
            let date = Some("2026-01-01T00:00:00Z".to_owned());
            self.git.commit_all("a change", &Signature { date }).unwrap()
        }

        fn run(&self, arguments: &[&str]) -> String {
            self.git.run(arguments).unwrap().trim().to_owned()
        }

        fn said(&self, pairs: &[(&str, &str)]) -> Vec<Said> {
            let pair =
                |(base, head): &(&str, &str)| Pair { base: (*base).to_owned(), head: (*head).to_owned() };
            let asked: BTreeSet<Pair> = pairs.iter().map(pair).collect();
            let answers = self.git.delivered(&asked).unwrap();
            assert_eq!(answers.len(), asked.len());
            let row = |asked: &(&str, &str)| {
                let said = &answers[&pair(asked)];
                let changes = said.changes.iter().map(|change| (change.added, change.removed)).collect();
                (said.is_held, said.follows, changes, said.is_reachable)
            };
            pairs.iter().map(row).collect()
        }
    }

    #[test]
    fn each_pair_is_told_of_by_itself() {
        let repository = Repository::new();
        let commits: Vec<String> =
            (0..=2 * NEAR).map(|lines| repository.commit(&"line\n".repeat(lines))).collect();
        let (first, near, far) = (&commits[0], &commits[1], &commits[2 * NEAR]);
        let lines = |added, removed| vec![(Some(added), Some(removed))];
        let all = 2 * NEAR as u64;
        assert_eq!(
            repository.said(&[(first, near), (first, far), (near, far), (far, near), (far, far)]),
            [
                (true, true, lines(1, 0), true),
                (true, true, lines(all, 0), true),
                (true, true, lines(all - 1, 0), true),
                (true, false, lines(0, all - 1), true),
                (true, true, vec![], true),
            ]
        );
    }

    #[test]
    fn what_is_not_there_or_is_no_commit_is_not_held() {
        let repository = Repository::new();
        let commit = repository.commit("one");
        let tree = repository.run(&["rev-parse", "HEAD^{tree}"]);
        let short = &commit[..12];
        let absent = "1".repeat(40);
        let not_held = (false, false, vec![], false);
        for other in [&tree, short, &absent, "HEAD", "main", "", "--all", "two words", "line\nfeed"] {
            assert_eq!(
                repository.said(&[(other, &commit), (&commit, other)]),
                [not_held.clone(), not_held.clone()]
            );
        }
        assert_eq!(repository.git.delivered(&BTreeSet::new()).unwrap(), BTreeMap::new());
    }

    #[test]
    fn a_commit_to_which_no_name_leads_is_held_and_not_reachable() {
        let repository = Repository::new();
        let base = repository.commit("one");
        let tree = repository.run(&["rev-parse", "HEAD^{tree}"]);
        let loose = repository.git.run_with(
            &["commit-tree", "-p", &base, "-m", "loose", &tree],
            &Signature { date: None }.variables(Lang::En).unwrap(),
        );
        let loose = loose.unwrap().trim().to_owned();
        assert_eq!(
            repository.said(&[(&base, &loose), (&base, &base)]),
            [(true, true, vec![], false), (true, true, vec![], true),]
        );
        repository.git.keep("kept", &loose).unwrap();
        assert_eq!(repository.said(&[(&base, &loose)]), [(true, true, vec![], true)]);
    }

    #[test]
    fn a_base_is_found_behind_either_side_of_a_merge() {
        let repository = Repository::new();
        let base = repository.commit("one");
        let main = repository.commit("two");
        let tree = repository.run(&["rev-parse", "HEAD^{tree}"]);
        let variables = Signature { date: None }.variables(Lang::En).unwrap();
        let commit = |parents: &[&str]| {
            let parents = parents.iter().flat_map(|parent| ["-p", parent]);
            let arguments: Vec<&str> = ["commit-tree", "-m", "x", &tree].into_iter().chain(parents).collect();
            repository.git.run_with(&arguments, &variables).unwrap().trim().to_owned()
        };
        let side = commit(&[&base]);
        let other = commit(&[]);
        let merge = commit(&[&main, &side]);
        repository.git.keep("merged", &merge).unwrap();
        let follows = |base: &str| repository.said(&[(base, &merge)])[0].1;
        assert!([&base, &main, &side, &merge].into_iter().all(|commit| follows(commit)));
        assert!(!follows(&other));
    }

    /// Makes a commit object out of lines, whatever git would make of them, and answers its name.
    fn object(repository: &Repository, kind: &str, text: &str) -> String {
        let arguments = ["hash-object", "--literally", "-t", kind, "-w", "--stdin"];
        let said = repository.git.answer(&arguments, text.to_owned()).unwrap();
        String::from_utf8(said).unwrap().trim().to_owned()
    }

    #[test]
    fn a_head_is_reached_whatever_the_dates_say_and_whatever_other_names_lead_to() {
        let repository = Repository::new();
        let base = repository.commit("one");
        let head = repository.commit("two");
        let mut tip = head.clone();
        let tree = repository.run(&["rev-parse", "HEAD^{tree}"]);
        for _ in 0..12 {
            let by = "n <n@example.invalid> 946684800 +0000";
            let text = format!("tree {tree}\nparent {tip}\nauthor {by}\ncommitter {by}\n\nx\n");
            tip = object(&repository, "commit", &text);
        }
        repository.run(&["update-ref", "refs/heads/main", &tip]);
        assert_eq!(repository.said(&[(&base, &head)]), [(true, true, vec![(Some(1), Some(1))], true)]);
        for (name, text) in
            [("missing", "1".repeat(40)), ("garbage", "no id".to_owned()), ("empty", String::new())]
        {
            std::fs::write(repository.git.folder().join(".git/refs/heads").join(name), text).unwrap();
            assert!(repository.said(&[(&base, &head)])[0].3, "{name}");
        }
    }

    #[test]
    fn an_object_that_is_not_what_its_name_says_is_not_held() {
        let repository = Repository::new();
        let base = repository.commit("one");
        let head = repository.commit("two");
        let other = repository.commit("three");
        let file = |id: &str| repository.git.folder().join(".git/objects").join(&id[..2]).join(&id[2..]);
        std::fs::remove_file(file(&head)).unwrap();
        std::fs::copy(file(&other), file(&head)).unwrap();
        assert!(!repository.said(&[(&base, &head)])[0].0);
    }

    #[test]
    fn a_parent_is_named_where_git_looks_for_it() {
        let repository = Repository::new();
        let base = repository.commit("one");
        let tree = repository.run(&["rev-parse", "HEAD^{tree}"]);
        let by = "n <n@example.invalid> 946684800 +0000";
        let late = format!("tree {tree}\nauthor {by}\ncommitter {by}\nparent {base}\n\nparent {base}\n");
        let head = object(&repository, "commit", &late);
        assert!(!repository.said(&[(&base, &head)])[0].1);
    }

    #[test]
    fn grafts_give_no_commit_other_parents() {
        let repository = Repository::new();
        let base = repository.commit("one");
        let head = repository.commit("two");
        std::fs::create_dir_all(repository.git.folder().join(".git/info")).unwrap();
        std::fs::write(repository.git.folder().join(".git/info/grafts"), format!("{head}\n")).unwrap();
        assert_eq!(repository.said(&[(&base, &head)]), [(true, true, vec![(Some(1), Some(1))], true)]);
    }
}
