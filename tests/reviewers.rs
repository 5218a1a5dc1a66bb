//! Reviewers that are programs, what people answer to findings, and the changes that answer them for certain.

use serde_json::{Value, json};

use crate::support::{LATER, Model, Turn, Workspace, opencode, repository};

const PACK: &str = "features/login-page/pack.yaml";
const REVIEW: &str = "deliveries/login-page/review.json";

/// The sample in its only round, with reviewers that are Python scripts: each its name, its angle and what it does.
fn with_reviewers(scripts: &[(&str, &str, &str)], more: &str) -> Workspace {
    let workspace = Workspace::sample();
    workspace.replace("pipeline.yaml", "/round-{round}/", "/round-2/");
    workspace.replace("pipeline.yaml", "  max: 3", "  max: 1");
    let mut text = String::from("review:\n");
    text.push_str(more);
    text.push_str("  reviewers:\n");
    for (name, angle, script) in scripts {
        workspace.write(&format!("{name}.py"), script);
        text.push_str(&format!(
            "    {name}:\n      angle: {angle}\n      run: [python3, \"{{root}}/{name}.py\"]\n      timeout: 30s\n"
        ));
    }
    workspace.replace("pipeline.yaml", "stages:\n", &format!("{text}stages:\n"));
    workspace
}

/// A script that answers these findings, and counts how often it was asked.
fn answers(findings: &Value) -> String {
    let answer = Value::from(json!({ "findings": findings }).to_string());
    format!(
        "import sys, pathlib\nasked = pathlib.Path(__file__).with_suffix('.asked')\n\
         asked.write_text((asked.read_text() if asked.exists() else '') + 'x')\nprint({answer})\n"
    )
}

fn finding(criterion: &str, severity: &str, delivery: &str) -> Value {
    json!({ "criterion": criterion, "severity": severity, "delivery": delivery })
}

fn deliver(workspace: &Workspace) -> crate::support::Outcome {
    workspace.xtask(&["deliver", "login-page"]).run()
}

/// Each finding of the review as its code, its criterion and whether it blocks.
fn found(workspace: &Workspace) -> Vec<String> {
    let review = workspace.json(REVIEW);
    let line = |finding: &Value| {
        let text = |field: &str| finding[field].as_str().unwrap_or("-").to_owned();
        let blocks = if finding["blocks"] == true { "blocks" } else { "shown" };
        format!("{} {} {blocks}", text("code"), text("criterion"))
    };
    review["findings"].as_array().unwrap().iter().map(line).collect()
}

fn id(workspace: &Workspace, code: &str) -> String {
    let review = workspace.json(REVIEW);
    let findings = review["findings"].as_array().unwrap();
    let found = findings.iter().find(|finding| finding["code"] == code).unwrap_or_else(|| panic!("{review}"));
    found["id"].as_str().unwrap().to_owned()
}

fn respond<'a>(workspace: &'a Workspace, id: &'a str, more: &[&'a str]) -> crate::support::Outcome {
    let by = ["--by", "Chen", "--reason", "the trace shows it"];
    let arguments: Vec<&str> = ["respond", "login-page", id].iter().chain(more).chain(&by).copied().collect();
    workspace.xtask(&arguments).run()
}

#[test]
fn one_of_two_reviewers_that_answers_prose_stops_the_delivery() {
    let quiet = answers(&json!([]));
    let workspace =
        with_reviewers(&[("lin", "gaming", &quiet), ("talker", "vacuity", "print('All is well.')")], "");
    let outcome = deliver(&workspace).exits(4).says("E_REVIEWER_FAILED").says("reviewer talker failed");
    outcome.says("this is not JSON");
    assert!(!workspace.has("deliveries/login-page/round-1"), "somebody was dispatched");
    assert_eq!(found(&workspace), ["E_REVIEWER_FAILED - blocks"]);
    let review = workspace.json(REVIEW);
    let kept = workspace.read("deliveries/login-page/review/lin.answer.json");
    assert_eq!(kept, "{\"findings\":[]}\n");
    assert_eq!(review["reviewers"][0]["answerSha256"], sha256(&kept), "{review}");
    assert!(!workspace.has("deliveries/login-page/review/talker.json"));
    // No opinion turns a failed review into one without findings.
    let failed = id(&workspace, "E_REVIEWER_FAILED");
    respond(&workspace, &failed, &["--dispute"]).exits(3).says("E_FINDING_UNKNOWN").says("a fact");
    // Mended, it alone is asked again.
    workspace.write("talker.py", &quiet);
    deliver(&workspace).exits(0);
    assert_eq!((workspace.read("lin.asked"), workspace.read("talker.asked")), ("x".into(), "x".into()));
    let record = workspace.json("deliveries/login-page/review/lin.json");
    assert_eq!((&record["angle"], &record["answerSha256"]), (&json!("gaming"), &json!(sha256(&kept))));
}

fn sha256(text: &str) -> String {
    gate::canonical::sha256_hex(text.as_bytes())
}

#[test]
fn every_way_to_give_no_answer_is_a_failed_review() {
    let unknown = format!("print({:?})", json!({ "findings": [finding("P-99", "error", "x")] }).to_string());
    let severity = format!("print({:?})", json!({ "findings": [finding("P-01", "fatal", "x")] }).to_string());
    let table = [
        ("empty", "", "its answer is empty"),
        ("prose", "print('{} and more')", "this is not JSON"),
        ("bare", "print('[]')", "an answer is a mapping"),
        ("nothing", "print('{}')", "has no `findings`"),
        ("unknown", unknown.as_str(), "the pack holds no criterion `P-99`"),
        ("severity", severity.as_str(), "`severity` cannot be `fatal`"),
        ("twice", "print('{\"findings\": [], \"findings\": []}')", "written twice"),
        ("long", "print(' ' * (2 << 20))", "too long"),
        ("bytes", "import sys; sys.stdout.buffer.write(b'{\"findings\": [\\xff]}')", "not UTF-8"),
        ("exit", "print('{\"findings\": []}'); raise SystemExit(3)", "it exited with 3"),
        ("slow", "import time; time.sleep(600)", "it was ended after 2 s"),
        ("silent", "import time; time.sleep(600)", "it said nothing for 1 s"),
        ("gone", "", "its program is not installed"),
        ("file", "print('{\"findings\": []}')", "it wrote no answer"),
        ("link", "import os; os.symlink('pack.json', 'out.json')", "it wrote no answer"),
    ];
    // Elsewhere not everybody may make links.
    let table = if cfg!(unix) { &table[..] } else { &table[..table.len() - 1] };
    let scripts: Vec<(&str, &str, &str)> =
        table.iter().map(|(name, script, _)| (*name, "states", *script)).collect();
    let workspace = with_reviewers(&scripts, "");
    let limits = |name: &str, limits: &str| {
        let run = format!("/{name}.py\"]\n      timeout: 30s\n");
        workspace.replace("pipeline.yaml", &run, &format!("/{name}.py\"]\n{limits}"));
    };
    limits("slow", "      timeout: 2s\n");
    limits("silent", "      timeout: 30s\n      silence: 1s\n");
    limits("file", "      answer: out.json\n");
    if cfg!(unix) {
        limits("link", "      answer: out.json\n");
    }
    workspace.replace("pipeline.yaml", "run: [python3, \"{root}/gone.py\"]", "run: [no-such-program-here]");
    deliver(&workspace).exits(4);
    let review = workspace.json(REVIEW);
    let messages: Vec<&str> =
        review["findings"].as_array().unwrap().iter().map(|one| one["message"].as_str().unwrap()).collect();
    assert_eq!(messages.len(), table.len(), "{messages:#?}");
    for (name, _, reason) in table {
        let failed = format!("reviewer {name} failed: ");
        let message = messages.iter().find(|message| message.starts_with(&failed));
        assert!(message.is_some_and(|message| message.contains(reason)), "{name}: {messages:#?}");
    }
    assert!(!workspace.has("deliveries/login-page/review"), "what cannot be read is no evidence");
}

#[test]
fn a_reviewer_is_given_the_pack_its_angle_and_nothing_else() {
    let looks = "\
import json, os, sys
prompt = sys.stdin.read()
seen = sorted(os.path.join(folder, name) for folder, _, names in os.walk('..') for name in names)
print(seen, file=sys.stderr)
pack, table = json.load(open(sys.argv[1])), json.load(open(sys.argv[2]))
assert open(sys.argv[3]).read() == prompt
assert len(table) == len([c for c in pack['criteria'] if 'assertion' in c]), table
assert 'Criteria that hardly any delivery fails.' in prompt and 'satisfy the letter' not in prompt, prompt
assert 'StartUIAbilityBySCB' in prompt and 'a layer that covers the node' in prompt, prompt
print(json.dumps({'findings': []}))
";
    let workspace =
        with_reviewers(&[("eye", "vacuity", looks), ("other", "gaming", &answers(&json!([])))], "");
    workspace.replace(
        "pipeline.yaml",
        "[python3, \"{root}/eye.py\"]",
        "[python3, \"{root}/eye.py\", \"{pack}\", \"{loopholes}\", \"{prompt}\"]",
    );
    deliver(&workspace).exits(0);
    let seen = workspace.read("deliveries/login-page/logs/review-eye.log");
    for hidden in ["other", "review.json", "answer.json", "state.json"] {
        assert!(!seen.contains(hidden), "{hidden} in {seen}");
    }
}

#[test]
fn a_pack_in_chinese_is_reviewed_by_a_prompt_in_chinese() {
    let looks =
        "import sys\nassert '满足字面、违背本意的交付' in sys.stdin.read()\nprint('{\"findings\": []}')\n";
    let workspace = with_reviewers(&[("eye", "gaming", looks)], "");
    workspace.replace("pipeline.yaml", "lang: en", "lang: zh");
    deliver(&workspace).exits(0);
}

#[test]
fn a_reviewer_is_paid_once_for_a_pack() {
    let workspace = with_reviewers(&[("lin", "gaming", &answers(&json!([])))], "");
    let asked = |times: usize| assert_eq!(workspace.read("lin.asked").len(), times);
    deliver(&workspace).exits(0);
    deliver(&workspace).exits(0);
    workspace.xtask(&["review", "login-page"]).run().exits(0);
    workspace.xtask(&["deliver", "login-page", "--force"]).run().exits(0);
    asked(1);
    workspace.xtask(&["deliver", "login-page", "--force=review"]).run().exits(0);
    asked(2);
    // An answer that somebody mends by hand is none of the reviewer's.
    let answer = "deliveries/login-page/review/lin.answer.json";
    workspace.write(answer, "{\"findings\": [ ]}");
    deliver(&workspace).exits(0);
    asked(3);
    // Another prompt, another command, another pack.
    workspace.replace("templates/en/reviewer-gaming.md.tera", "Be the agent", "Be an agent");
    deliver(&workspace).exits(0);
    asked(4);
    workspace.replace("pipeline.yaml", "\"{root}/lin.py\"", "\"{root}/lin.py\", again");
    deliver(&workspace).exits(0);
    asked(5);
    workspace.replace("pipeline.yaml", "timeout: 30s", "timeout: 31s");
    deliver(&workspace).exits(0);
    asked(5);
    workspace.replace(PACK, "expected: 800, unit: ms", "expected: 790, unit: ms");
    workspace.replace(PACK, "800ms", "790ms");
    workspace.xtask(&["freeze", "login-page", "--reason", "faster"]).run().exits(0);
    workspace.xtask(&["review", "login-page"]).run().exits(0);
    asked(6);
    // Nobody is paid to look at what has to change anyway.
    workspace.replace(PACK, "expected: 790, unit: ms", "expected: 7900, unit: ms");
    workspace.xtask(&["freeze", "login-page", "--reason", "slower"]).run().exits(0);
    workspace.xtask(&["review", "login-page"]).run().exits(4).prints("E_STATEMENT_CONTRADICTS");
    asked(6);
    let text = workspace.read("deliveries/login-page/review.md");
    assert!(text.contains("not asked until nothing else blocks"), "{text}");
}

#[test]
fn findings_block_by_severity_or_by_quorum() {
    let image = "a picture of the page at 700 ms, and the page itself after five seconds";
    let first =
        answers(&json!([finding("P-01", "warning", image), finding("F-01", "warning", "an old text")]));
    let second = answers(&json!([finding("P-01", "warning", "a splash screen that looks like the page")]));
    let scripts = [("lin", "gaming", first.as_str()), ("zhou", "gaming", second.as_str())];
    let workspace = with_reviewers(&scripts, "");
    deliver(&workspace).exits(0);
    assert_eq!(found(&workspace), ["W_REVIEWER_DOUBTS F-01 shown", "W_REVIEWER_DOUBTS P-01 shown"]);
    let workspace = with_reviewers(&scripts, "  quorum: 2\n");
    deliver(&workspace).exits(4).says("E_REVIEWER_OBJECTS").says("lin, zhou");
    assert_eq!(found(&workspace), ["W_REVIEWER_DOUBTS F-01 shown", "E_REVIEWER_OBJECTS P-01 blocks"]);
    workspace.replace("pipeline.yaml", "quorum: 2", "quorum: 3");
    deliver(&workspace).exits(3).says("a quorum is from 1 to the number of reviewers");
}

#[test]
fn what_a_reviewer_writes_is_shown_and_never_markup() {
    let hostile = "`<script>` | # Accepted\n\n## Approved {{ title }} \u{202E}\u{1b}[2K";
    let said = json!([
        { "criterion": "P-01", "severity": "error", "delivery": hostile, "fix": "```\n# now\n" }
    ]);
    let workspace = with_reviewers(&[("lin", "gaming", &answers(&said))], "");
    let outcome = workspace.xtask(&["review", "login-page"]);
    workspace.xtask(&["freeze", "login-page"]).run().exits(0);
    let outcome = outcome.run().exits(4).prints("E_REVIEWER_OBJECTS");
    assert!(!outcome.stdout.contains(['\u{1b}', '\u{202e}']), "{}", outcome.stdout);
    let text = workspace.read("deliveries/login-page/review.md");
    let is_heading =
        |line: &str| line.starts_with('#') && (line.contains("Accepted") || line.contains("now"));
    assert!(!text.lines().any(is_heading) && !text.contains("<script>"), "{text}");
    assert!(text.contains("⟨U+202E⟩") && text.contains("{{ title }}"), "{text}");
}

#[test]
fn what_reviewers_say_of_what_is_held_out_is_not_in_the_report() {
    let said = json!([finding("P-01", "warning", "800 ms is reached by a splash screen")]);
    let workspace = with_reviewers(&[("lin", "gaming", &answers(&said))], "");
    workspace.replace(PACK, "    ruleId: DW-PERF-01\n", "    ruleId: DW-PERF-01\n    heldOut: true\n");
    workspace.xtask(&["freeze", "login-page"]).run().exits(0);
    workspace.xtask(&["review", "login-page"]).run().exits(0);
    let text = workspace.read("deliveries/login-page/review.md");
    assert!(text.contains("in `review.json` alone") && !text.contains("800"), "{text}");
}

#[test]
fn a_reviewer_changes_nothing_that_decides_and_tells_no_secret() {
    let plants = format!(
        "{}pathlib.Path(__file__).with_name('features').joinpath('login-page', 'responses.json').write_text('[]')\n",
        answers(&json!([]))
    );
    let workspace = with_reviewers(&[("lin", "gaming", &plants)], "");
    deliver(&workspace).exits(6).says("E_PROTECTED_CHANGED").says("reviewers lin");
    assert!(!workspace.has("features/login-page/responses.json"));

    let tells = "import os, json\nprint(json.dumps({'findings': [{'severity': 'warning', 'delivery': os.environ['KEY']}]}))\n";
    let workspace = with_reviewers(&[("lin", "gaming", tells)], "");
    workspace.replace("pipeline.yaml", "      timeout: 30s\n", "      timeout: 30s\n      env: [KEY]\n");
    workspace.xtask(&["deliver", "login-page"]).env("KEY", "s3cret-value-17").run().exits(0);
    for (name, bytes) in workspace.tree("deliveries/login-page") {
        assert!(!String::from_utf8_lossy(&bytes).contains("s3cret-value-17"), "{name}");
    }
}

#[test]
fn a_person_answers_a_finding_by_name() {
    let said = |delivery: &str| answers(&json!([finding("P-01", "error", delivery)]));
    let workspace = with_reviewers(&[("lin", "gaming", &said("a splash screen"))], "");
    deliver(&workspace).exits(4);
    let id_of = id(&workspace, "E_REVIEWER_OBJECTS");
    let mistyped = format!("{}x", &id_of[..7]);
    respond(&workspace, &mistyped, &["--dispute"]).exits(3).says("did you mean").says(&id_of).says("P-01");
    respond(&workspace, &id_of, &[]).exits(2);
    respond(&workspace, &id_of, &["--dispute", "--accept"]).exits(2);
    let blank = ["respond", "login-page", &id_of, "--dispute", "--by", "Chen", "--reason", " "];
    workspace.xtask(&blank).run().exits(3).says("--reason says nothing");

    respond(&workspace, &id_of, &["--accept"]).exits(0);
    deliver(&workspace).exits(4).says("accepted by Chen");
    respond(&workspace, &id_of, &["--dispute"]).exits(0);
    deliver(&workspace).exits(0);
    assert_eq!(workspace.read("lin.asked"), "x");
    for report in ["review.md", "acceptance.md"] {
        let text = workspace.read(&format!("deliveries/login-page/{report}"));
        assert!(text.contains(&id_of) && text.contains("the trace shows it"), "{report}: {text}");
    }
    let recorded = workspace.json("features/login-page/responses.json");
    assert_eq!(recorded["responses"].as_array().unwrap().len(), 2, "{recorded}");
    assert_eq!(recorded["responses"][1]["by"], "Chen", "{recorded}");

    for (schema, file) in [
        ("responses", "features/login-page/responses.json"),
        ("reviewer", "deliveries/login-page/review/lin.json"),
        ("answer", "deliveries/login-page/review/lin.answer.json"),
        ("review", REVIEW),
        ("report", "deliveries/login-page/acceptance.json"),
    ] {
        let path = repository().join(format!("docs/schemas/{schema}.schema.json"));
        let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let errors: Vec<String> = jsonschema::validator_for(&schema)
            .unwrap()
            .iter_errors(&workspace.json(file))
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{file}: {errors:#?}");
    }

    // Another finding has another id, and nobody has answered it yet.
    workspace.write("lin.py", &said("a splash screen, and a spinner"));
    workspace.xtask(&["deliver", "login-page", "--force=review"]).run().exits(4);
    assert_ne!(id(&workspace, "E_REVIEWER_OBJECTS"), id_of);
}

#[test]
fn what_the_gate_finds_can_be_disputed_as_well() {
    let workspace = with_reviewers(&[("lin", "gaming", &answers(&json!([])))], "");
    workspace.replace(PACK, "expected: 800, unit: ms", "expected: 8000, unit: ms");
    deliver(&workspace).exits(4);
    workspace.xtask(&["check", "login-page"]).run().exits(3);
    let contradiction = id(&workspace, "E_STATEMENT_CONTRADICTS");
    respond(&workspace, &contradiction, &["--dispute"]).exits(0);
    deliver(&workspace).exits(0);
    workspace.xtask(&["check", "login-page"]).run().exits(0).prints("disputed by Chen");
    // Once it says something else it is another finding.
    workspace.replace(PACK, "expected: 8000, unit: ms", "expected: 9000, unit: ms");
    workspace.xtask(&["freeze", "login-page", "--reason", "older devices"]).run().exits(0);
    deliver(&workspace).exits(4).says("E_STATEMENT_CONTRADICTS");
    // What people wrote is read whole or not at all.
    workspace.write("features/login-page/responses.json", "{\"responses\": [{\"finding\": \"x\"}]}");
    deliver(&workspace).exits(3).says("E_FIELD_MISSING").says("responses.json");
}

/// The three ways in which the sample is weakened elsewhere, with a comment at each.
fn weakened(workspace: &Workspace) {
    for (from, to) in [
        ("expected: 800, unit: ms, source: hitrace }", "expected: 8000, unit: ms, source: hitrace } # 启动"),
        (
            "{ matcher: gte, expected: 40, unit: vp, source: layout bounds }",
            "{ matcher: gte, expected: 40, unit: vp, source: in-app timer }",
        ),
        ("id=login_error,visible=true", "id=login_error"),
        ("matcher: eq, expected: 请输入账号和密码", "matcher: contains, expected: 请输入账号和密码"),
    ] {
        workspace.replace(PACK, from, to);
    }
}

#[test]
fn what_is_certain_is_changed_and_everything_around_it_stays() {
    let workspace = Workspace::sample();
    let sound = workspace.read(PACK);
    weakened(&workspace);
    let weak = workspace.read(PACK);
    let shown = workspace.xtask(&["tighten", "login-page", "--json"]).run().exits(0).json();
    assert_eq!(workspace.read(PACK), weak, "it was only asked to show");
    let ids: Vec<&str> =
        shown["findings"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
    assert_eq!(ids.len(), 3, "{shown}");
    let diff = shown["diff"].as_str().unwrap();
    assert!(diff.contains("-    assertion: { minSamples: 3, matcher: lte, expected: 8000"), "{diff}");
    assert!(
        diff.contains("+    assertion: { minSamples: 3, matcher: lte, expected: 800, unit: ms"),
        "{diff}"
    );

    workspace.xtask(&["tighten", "login-page", "--apply", "00000000"]).run().exits(3).says(ids[0]);
    workspace.xtask(&["tighten", "login-page", "--apply", ids[1]]).run().exits(0);
    let once = workspace.read(PACK);
    assert_eq!(once, weak.replace("expected: 8000", "expected: 800"), "one was chosen");
    workspace.xtask(&["tighten", "login-page", "--apply", "all"]).run().exits(0);
    workspace.xtask(&["check", "login-page"]).run().exits(0).prints("no findings");
    let again = workspace.read(PACK).replace("matcher: contains", "matcher: eq").replace(" # 启动", "");
    assert_eq!(again, sound);
    workspace.xtask(&["tighten", "login-page"]).run().exits(0).prints("no change is certain");
}

/// Every kind of change, in both notations: each answers its finding, and brings no other.
#[test]
fn packs_in_json_are_changed_where_they_stand() {
    let workspace = Workspace::sample();
    let pack = "\
{
  \"outOfScope\": {\"aesthetic\": \"later\", \"function\": \"later\", \"accessibility\": \"later\", \"error\": \"l\",
    \"empty\": \"l\", \"offline\": \"l\", \"largeFont\": \"l\", \"darkMode\": \"l\", \"landscape\": \"l\"},
  \"criteria\": [
    {\"id\": \"P-1\", \"dimension\": \"performance\", \"statement\": \"opens in at most 1.5 s\", \"verify\": \"trace\",
     \"weight\": \"must\", \"assertion\": {\"matcher\":\"lte\",\"expected\":9000,\"unit\":\"ms\",\"source\":\"hitrace\"}},
    {\"id\": \"P-2\", \"dimension\": \"performance\", \"statement\": \"the list answers a tap in good time\",
     \"verify\": \"trace\", \"weight\": \"must\", \"ruleId\": \"perf.click.response\",
     \"assertion\": {\"matcher\": \"lte\", \"expected\": 400, \"unit\": \"ms\", \"minSamples\": 3, \"source\": \"hitrace\"}}
  ]
}
";
    workspace.remove(PACK);
    workspace.write("features/login-page/pack.json", pack);
    workspace.xtask(&["tighten", "login-page", "--apply", "all"]).run().exits(0);
    let changed = workspace.read("features/login-page/pack.json");
    let expected = pack
        .replace(
            "\"matcher\":\"lte\",\"expected\":9000",
            "\"minSamples\": 3, \"matcher\":\"lte\",\"expected\":1500",
        )
        .replace("\"expected\": 400", "\"expected\": 100");
    assert_eq!(changed, expected);
    workspace.xtask(&["check", "login-page"]).run().exits(0);
}

/// A finding points at the field that it is about, and says what to do.
#[test]
fn findings_are_shown_by_weight_each_at_its_field() {
    let workspace = Workspace::sample();
    weakened(&workspace);
    workspace.replace(PACK, "minSamples: 3, matcher: lte", "matcher: lte");
    workspace.xtask(&["freeze", "login-page"]).run().exits(0);
    let outcome = workspace.xtask(&["review", "login-page"]).run().exits(4);
    let place = |field: &str| {
        let text = workspace.read(PACK);
        let (line, found) = text.lines().enumerate().find(|(_, line)| line.contains(field)).unwrap();
        let before = found.split(field).next().unwrap().chars().count();
        let key = field.split(' ').next().unwrap().chars().count() + 1;
        format!("{PACK}:{}:{}", line + 1, before + key + 1)
    };
    for (code, field) in [
        ("E_STATEMENT_CONTRADICTS", "expected: 8000"),
        ("E_SOURCE_AUXILIARY", "source: in-app timer"),
        ("E_NODE_HIDDEN", "node: \"id=login_error\""),
    ] {
        assert!(
            outcome.stdout.contains(code) && outcome.stdout.contains(&place(field)),
            "{code}: {}",
            outcome.stdout
        );
    }
    let at = |text: &str| outcome.stdout.find(text).unwrap_or_else(|| panic!("no {text}"));
    assert!(at("E_SOURCE_AUXILIARY") < at("W_SAMPLES_FEW"), "errors come first");
    assert_eq!(outcome.stdout.matches("cargo xtask respond login-page ").count(), 4, "{}", outcome.stdout);
    outcome.prints("blocked by 3 of 4 findings");
}

/// A model behind the real opencode, which is asked on standard input and answers on standard output, or in a file.
#[test]
fn a_model_reviews_through_opencode() {
    let Some(binary) = opencode(LATER) else { return };
    let answer =
        r#"{"findings": [{"criterion": "P-01", "severity": "error", "delivery": "a splash screen"}]}"#;
    let writes = Turn::Call("write", json!({ "filePath": "answer.json", "content": answer }));
    for (script, answer_in) in
        [(vec![Turn::Say(answer)], ""), (vec![writes, Turn::Say("done")], "      answer: answer.json\n")]
    {
        let model = Model::with(script);
        let workspace = with_reviewers(&[("model", "gaming", "")], "");
        let run =
            json!([binary.to_str().unwrap(), "run", "--model", "mock/m", "--title", "review"]).to_string();
        workspace.replace("pipeline.yaml", "[python3, \"{root}/model.py\"]", &run);
        workspace.replace(
            "pipeline.yaml",
            "      timeout: 30s\n",
            &format!("      timeout: 120s\n{answer_in}"),
        );
        let outcome = workspace.asking(&model, &binary, &["deliver", "login-page"]).run().exits(4);
        outcome.says("E_REVIEWER_OBJECTS").says("a splash screen");
        let asked = model.requests().iter().map(Value::to_string).collect::<String>();
        assert!(asked.contains("satisfy the letter and fail the intent"), "{asked}");
    }
}

/// What a program said is a fact; what follows from it is made again, and the program is not asked.
#[test]
fn a_review_with_reviewers_is_verified_without_asking_them() {
    let found = answers(&json!([finding("F-01", "warning", "a link that does nothing")]));
    let workspace = with_reviewers(&[("lin", "gaming", &found)], "");
    deliver(&workspace).exits(0);
    workspace.xtask(&["verify", "login-page"]).run().exits(0);
    assert_eq!(workspace.read("lin.asked"), "x");
    let answer = "deliveries/login-page/review/lin.answer.json";
    workspace.replace(answer, "a link that does nothing", "a link that does a lot");
    let outcome = workspace.xtask(&["verify", "login-page"]).run().exits(6);
    outcome.prints("review.json is not what recomputing gives").prints("review/lin.json is not what");
}

/// What a reviewer said of an earlier pack is overwritten or taken away; the ledger tells so.
#[test]
fn a_pack_that_was_mended_is_reviewed_anew_and_verified() {
    let script = "import json\ntext = open('pack.json').read()\nfound = [] if 'Gleaming' in text else \
                  [{'criterion': 'P-01', 'severity': 'error', 'delivery': 'a splash screen'}]\n\
                  print(json.dumps({'findings': found}))\n";
    let workspace = with_reviewers(&[("lin", "gaming", script)], "");
    deliver(&workspace).exits(4);
    workspace.replace(PACK, "title: ", "title: Gleaming ");
    workspace.xtask(&["freeze", "login-page", "--reason", "say so"]).run().exits(0);
    deliver(&workspace).exits(0);
    workspace.xtask(&["verify", "login-page"]).run().exits(0);
    // An answer that is gone, since the pack has to change before anybody is asked.
    workspace.replace(PACK, "expected: 800, unit: ms", "expected: 8000, unit: ms");
    workspace.xtask(&["freeze", "login-page", "--reason", "weaker"]).run().exits(0);
    deliver(&workspace).exits(4);
    assert!(!workspace.has("deliveries/login-page/review/lin.json"));
    workspace.xtask(&["verify", "login-page"]).run().exits(0);
}

/// An answer that is taken back takes the acceptance with it.
#[test]
fn nothing_is_accepted_while_a_review_blocks() {
    let found = answers(&json!([finding("P-01", "error", "a splash screen")]));
    let workspace = with_reviewers(&[("lin", "gaming", &found)], "");
    deliver(&workspace).exits(4);
    respond(&workspace, &id(&workspace, "E_REVIEWER_OBJECTS"), &["--dispute"]).exits(0);
    deliver(&workspace).exits(0);
    workspace.xtask(&["status", "--check"]).run().exits(0);
    workspace.remove("features/login-page/responses.json");
    workspace.xtask(&["review", "login-page"]).run().exits(4);
    workspace.xtask(&["report", "login-page"]).run().exits(4).says("E_REVIEWER_OBJECTS");
    workspace.xtask(&["report", "login-page", "--format", "junit"]).run().exits(4);
    workspace.xtask(&["verify", "login-page"]).run().exits(6).prints("the review of the frozen pack blocks");
    workspace.xtask(&["status", "--check"]).run().exits(1).prints("blocked by its review");
}

/// What was said of a criterion is not said of what it becomes; one that nobody touched keeps its answers.
#[test]
fn an_answer_is_about_the_criterion_as_it_was() {
    let found = answers(&json!([finding("P-01", "error", "the threshold is too low")]));
    let workspace = with_reviewers(&[("lin", "gaming", &found)], "");
    deliver(&workspace).exits(4);
    respond(&workspace, &id(&workspace, "E_REVIEWER_OBJECTS"), &["--dispute"]).exits(0);
    workspace.replace(PACK, "title: ", "title: The ");
    workspace.xtask(&["freeze", "login-page", "--reason", "a title"]).run().exits(0);
    deliver(&workspace).exits(0);
    workspace.replace(PACK, "expected: 800, unit: ms", "expected: 790, unit: ms");
    workspace.xtask(&["freeze", "login-page", "--reason", "faster"]).run().exits(0);
    deliver(&workspace).exits(4).says("E_REVIEWER_OBJECTS");
}

/// Nobody passes for one that was not asked yet once the work was done.
#[test]
fn a_reviewer_that_was_not_asked_shows() {
    let quiet = answers(&json!([]));
    let workspace = with_reviewers(&[("lin", "gaming", &quiet)], "");
    deliver(&workspace).exits(0);
    let mut review = workspace.json(REVIEW);
    review["reviewers"] = json!([{ "reviewer": "lin", "angle": "gaming", "findings": 0 }]);
    workspace.write(REVIEW, &format!("{}\n", serde_json::to_string_pretty(&review).unwrap()));
    workspace.xtask(&["verify", "login-page"]).run().exits(6).prints("reviewer lin was not asked");
    deliver(&workspace).exits(0);
    workspace.xtask(&["verify", "login-page"]).run().exits(0);
}
