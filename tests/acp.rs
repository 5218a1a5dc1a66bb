//! Agents that speak the Agent Client Protocol: a fake one for what no real one does on demand, and a real one.

#![cfg(target_os = "linux")]

use serde_json::{Value, json};

use crate::support::{LATER, Model, NEAREST, Turn, Workspace, opencode};

/// An agent of a few lines: it answers `initialize` and `session/new`, and what it does with the brief is the script's.
const AGENT: &str = r#"
import json, os, signal, subprocess, sys, time

def say(message):
    print(json.dumps(dict(jsonrpc='2.0', **message)), flush=True)

def hear():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)

def answer(request, result):
    say(dict(id=request['id'], result=result))

def update(what, **more):
    say(dict(method='session/update', params=dict(sessionId='s-1', update=dict(sessionUpdate=what, **more))))

def text(words, **more):
    update('agent_message_chunk', content=dict(type='text', text=words), **more)

def ask(path, kind='edit'):
    call = dict(toolCallId='t-' + path, title='Edit', kind=kind, status='pending', locations=[dict(path=path)])
    update('tool_call', **call)
    options = [dict(optionId='a', kind='allow_always', name='A'), dict(optionId='b', kind='allow_once', name='B'),
               dict(optionId='c', kind='reject_once', name='C')]
    say(dict(id=path, method='session/request_permission',
             params=dict(sessionId='s-1', toolCall=call, options=options)))
    reply = hear()
    assert reply['id'] == path, reply
    return reply['result']['outcome']

def done(path, status='completed'):
    update('tool_call_update', toolCallId='t-' + path, status=status)

def stop(reason, **more):
    answer(prompt, dict(stopReason=reason, **more))

asked = []
while True:
    request = hear()
    asked.append(request)
    if request['method'] == 'initialize':
        answer(request, dict(protocolVersion=1, agentCapabilities=dict(loadSession=LOADS),
                             agentInfo=dict(name='Fake', version='1.2')))
    elif request['method'] == 'session/new':
        answer(request, dict(sessionId='s-1'))
    elif request['method'] == 'session/load':
        text('what was said before')
        answer(request, None)
    else:
        break
prompt = request
brief = prompt['params']['prompt'][0]['text']
worktree = asked[1]['params']['cwd']
"#;

/// Opens a session, and listens no more.
const DEAF: &str = "        answer(request, dict(sessionId='s-1')); time.sleep(600)";

/// After its end an agent waits until nobody speaks with it any more.
const WAIT: &str = "\nfor line in sys.stdin: pass\n";

fn fake(script: &str) -> Workspace {
    let workspace = Workspace::for_acp(&["python3", "{root}/bin/agent.py"]);
    workspace.write("bin/agent.py", &format!("LOADS = True\n{AGENT}\n{script}\n{WAIT}"));
    workspace
}

/// One round, whatever it comes to.
fn round(workspace: &Workspace, exit: i32) -> Value {
    workspace.replace("pipeline.yaml", "executor: agent\n", "executor: agent\nrounds: { max: 1 }\n");
    let outcome = workspace.xtask(&["deliver", "size"]).run();
    assert!(workspace.has("deliveries/size/round-1/logs/dispatch.log"), "{}", outcome.stderr);
    let said = workspace.read("deliveries/size/round-1/logs/dispatch.log");
    assert!(!said.contains("Traceback"), "{said}");
    outcome.exits(exit);
    assert_eq!(workspace.agents_running(), [""; 0]);
    dispatch(workspace, 1)
}

fn dispatch(workspace: &Workspace, round: u32) -> Value {
    workspace.json(&format!("deliveries/size/round-{round}/dispatch.json"))
}

#[test]
fn what_an_agent_does_is_delivered_and_judged() {
    let workspace = fake(
        r#"
assert 'Goal brief' in brief and os.getcwd() == worktree and 'homes' in os.environ['HOME'], brief
assert asked[0]['params']['clientCapabilities']['fs'] == dict(readTextFile=False, writeTextFile=False)
assert asked[1]['params']['mcpServers'] == []
text('I beg'); text('in.')
update('agent_thought_chunk', content=dict(type='text', text='hm'))
size = worktree + '/entry/size.txt'
update('tool_call', toolCallId='1', title='Write size.txt', kind='edit', status='pending')
open(size, 'w').write('48\n')
update('tool_call_update', toolCallId='1', status='completed', locations=[dict(path=size)])
update('tool_call', toolCallId='2', title='Run', kind='execute', status='in_progress')
update('tool_call_update', toolCallId='2', status='failed',
       content=[dict(type='content', content=dict(type='text', text='no shell in ' + worktree))])
update('usage_update', used=10, size=100, cost=dict(amount=0.25, currency='USD'))
text('It is '); text('48vp in ' + worktree)
stop('end_turn', usage=dict(inputTokens=5, outputTokens=2, totalTokens=9, cachedReadTokens=2))
"#,
    );
    let dispatch = round(&workspace, 0);
    assert_eq!((&dispatch["end"], &dispatch["kind"]), (&json!("completed"), &json!("acp")));
    assert_eq!(dispatch["exitCode"], 0);
    assert_eq!(dispatch["changed"], json!([{ "path": "entry/size.txt", "added": 1, "removed": 1 }]));
    let run = &dispatch["agent"];
    assert_eq!(
        (&run["agent"], &run["version"], &run["session"]),
        (&json!("Fake"), &json!("1.2"), &json!("s-1"))
    );
    assert_eq!(run["claimed"], "It is 48vp in {worktree}");
    assert_eq!(
        (&run["cost"], &run["tokens"]["input"], &run["tokens"]["cacheRead"]),
        (&json!("0.25"), &json!(5), &json!(2))
    );
    assert_eq!(
        run["tools"],
        json!([
            { "tool": "edit", "title": "Write size.txt", "status": "completed", "file": "entry/size.txt" },
            { "tool": "execute", "title": "Run", "status": "error", "error": "no shell in {worktree}" },
        ])
    );
    let report = workspace.read("deliveries/size/acceptance.md");
    assert!(report.contains("48vp in") && report.contains("tokens 9, cost 0.25"), "{report}");
}

#[test]
fn permission_follows_from_what_is_touched() {
    let workspace = fake(
        r#"
inside, test = worktree + '/entry/size.txt', worktree + '/entry/test/Size.test.ets'
outside = os.path.dirname(sys.argv[0]) + '/../features/size/pack.yaml'
got = [ask(path) for path in (inside, test, outside)]
assert got[0] == dict(outcome='selected', optionId='b'), got
assert got[1] == got[2] == dict(outcome='selected', optionId='c'), got
open(inside, 'w').write('48\n')
done(inside); done(test, 'failed'); done(outside, 'failed')
say(dict(id='fs', method='fs/write_text_file', params=dict(path=inside, content='')))
assert hear()['error']['code'] == -32601
text('done')
stop('end_turn')
"#,
    );
    let dispatch = round(&workspace, 0);
    assert_eq!(dispatch["end"], "completed");
    let tools = dispatch["agent"]["tools"].as_array().unwrap();
    let of = |name: &str| tools.iter().map(|tool| tool[name].clone()).collect::<Vec<_>>();
    assert_eq!(of("status"), ["completed", "error", "error"]);
    assert_eq!(of("error")[1..], ["not permitted by the pipeline", "not permitted by the pipeline"]);
    assert_eq!(of("file")[1], "entry/test/Size.test.ets");
    assert_eq!(dispatch.get("protectedChanged"), None);
}

/// What answers, and what it comes to.
#[test]
fn each_way_in_which_a_turn_ends_has_its_name() {
    let workspace = fake("exec(open(os.path.join(os.path.dirname(sys.argv[0]), 'end')).read())");
    workspace.replace("pipeline.yaml", "executor: agent\n", "executor: agent\nrounds: { max: 1 }\n");
    let error =
        "text('hm'); say(dict(id=prompt['id'], error=dict(code=CODE, message='no', data=dict(MORE))))";
    let error = |code: &str, more: &str| error.replace("CODE", code).replace("MORE", more);
    for (script, end) in [
        ("text('done'); stop('end_turn')".to_owned(), "completed"),
        ("stop('end_turn')".to_owned(), "streamCut"),
        ("text('hm'); stop('max_tokens')".to_owned(), "cutOff"),
        ("text('hm'); stop('max_turn_requests')".to_owned(), "overSteps"),
        ("stop('refusal')".to_owned(), "refused"),
        ("stop('cancelled')".to_owned(), "stopped"),
        ("stop('of_tomorrow')".to_owned(), "streamCut"),
        (error("-32603", ""), "failed"),
        (error("-32000", ""), "providerError"),
        (error("-32603", "statusCode=401"), "providerError"),
        ("text('hm'); sys.exit(0)".to_owned(), "streamCut"),
        ("text('hm'); sys.exit(3)".to_owned(), "failed"),
        ("text('hm'); os.kill(os.getpid(), 9)".to_owned(), "failed"),
        // Who does not go when nothing more is said is ended, and what it answered stands.
        (
            "text('done'); stop('end_turn'); signal.signal(signal.SIGTERM, signal.SIG_IGN); \
             subprocess.Popen(['sleep', '600'], start_new_session=True); time.sleep(600)"
                .to_owned(),
            "completed",
        ),
    ] {
        workspace.write("bin/end", &script);
        if workspace.has("deliveries") {
            workspace.remove("deliveries");
        }
        workspace.xtask(&["deliver", "size"]).run().exits(1);
        assert_eq!(workspace.agents_running(), [""; 0], "{script}");
        let dispatch = dispatch(&workspace, 1);
        assert_eq!(dispatch["end"], end, "{script}: {dispatch}");
        assert!(workspace.has("deliveries/size/audit-1.json"));
    }
}

#[test]
fn what_is_no_message_is_counted_and_passed_over() {
    let workspace = fake(
        r#"
sys.stdout.buffer.write(b'\xff\xfe not text\n{"id"\n[1, 2]\n\n{}\n\x1b[31mred\n'); sys.stdout.flush()
print('to the log', file=sys.stderr, flush=True)
say(dict(id=77, result={})); say(dict(method='of/tomorrow'))
update('of_tomorrow'); say(dict(method='session/update', params=[]))
text('done \u5b57')
stop('end_turn')
"#,
    );
    let dispatch = round(&workspace, 1);
    assert_eq!((&dispatch["end"], &dispatch["agent"]["noise"]), (&json!("completed"), &json!(5)));
    assert_eq!(dispatch["agent"]["claimed"], "done 字");
    assert_eq!(workspace.read("deliveries/size/round-1/logs/dispatch.log"), "to the log\n");
}

/// A limit is told to the agent before it is ended.
#[test]
fn who_hangs_is_told_to_stop_and_ended() {
    let cancelled =
        "request = hear(); open('entry/TOLD', 'w').write(request['method'])\ntext('oh'); stop('cancelled')";
    for (limits, script, end) in [
        ("    timeout: 900s\n    silence: 3s\n", "text('hm')", "silent"),
        ("    timeout: 6s\n    silence: 300s\n", "text('hm')", "timedOut"),
        (
            "    timeout: 900s\n    silence: 300s\n    budget: { cost: 0.5 }\n",
            "update('usage_update', cost=dict(amount=0.75, currency='EUR'))",
            "overCost",
        ),
    ] {
        let workspace = fake(&format!("{script}\n{cancelled}"));
        workspace.replace("pipeline.yaml", "    timeout: 900s\n    silence: 300s\n", limits);
        let dispatch = round(&workspace, 1);
        assert_eq!(dispatch["end"], end, "{dispatch}");
        let head = dispatch["head"].as_str().unwrap();
        let told = workspace.git(".xtask/apps/app", &["show", &format!("{head}:entry/TOLD")]);
        assert_eq!(told, "session/cancel");
    }
    // One that does not even read its brief, which is more than a pipe holds.
    let workspace = fake("");
    workspace.replace("bin/agent.py", "        answer(request, dict(sessionId='s-1'))", DEAF);
    let long = "大".repeat(19_000);
    workspace.replace(
        "features/size/pack.yaml",
        "goal: Make the button large enough.",
        &format!("goal: {long}"),
    );
    workspace.replace(
        "features/size/pack.yaml",
        "text: The button can be hit. }",
        &format!("text: {long} }}"),
    );
    workspace.replace("pipeline.yaml", "    silence: 300s\n", "    silence: 2s\n");
    assert_eq!(round(&workspace, 1)["end"], "silent");
    assert!(workspace.read("deliveries/size/round-1/brief.md").len() > 100_000);
}

#[test]
fn who_cannot_be_talked_with_has_failed() {
    for (run, end) in [
        (
            "print('{\"id\":1,\"result\":{\"protocolVersion\":2}}', flush=True); import sys; sys.stdin.read()",
            "failed",
        ),
        (
            "print('{\"id\":1,\"result\":{\"protocolVersion\":1}}\\n{\"id\":3,\"result\":{}}', flush=True); import sys; sys.stdin.read()",
            "failed",
        ),
        (
            "print('{\"id\":1,\"error\":{\"code\":-32000,\"message\":\"log in\"}}', flush=True)",
            "providerError",
        ),
        ("print('usage: agent')", "streamCut"),
    ] {
        let workspace = Workspace::for_acp(&["python3", "-c", run]);
        let dispatch = round(&workspace, 1);
        assert_eq!(dispatch["end"], end, "{run}: {dispatch}");
    }
    let workspace = Workspace::for_acp(&["no-such-program-anywhere"]);
    let outcome = workspace.xtask(&["deliver", "size"]).run();
    assert!(outcome.stderr.contains("no-such-program-anywhere"), "{}", outcome.stderr);
    assert!(!workspace.has("deliveries/size/round-1/dispatch.json"));
}

#[test]
fn a_budget_that_cannot_be_kept_is_a_finding() {
    let workspace = Workspace::for_acp(&["agent"]);
    workspace.replace(
        "pipeline.yaml",
        "    uses: acp\n",
        "    uses: acp\n    budget: { cost: 1, steps: 3 }\n",
    );
    let outcome = workspace.xtask(&["check", "size"]).run().exits(3);
    assert!(
        outcome.stderr.contains("E_FIELD_UNKNOWN") && outcome.stderr.contains("steps"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn a_program_that_is_missing_is_found_by_the_doctor() {
    let workspace = Workspace::for_acp(&["no-such-program-anywhere", "acp"]);
    let outcome = workspace.xtask(&["doctor"]).run();
    assert!(outcome.stdout.contains("✗ agent agent (acp): missing"), "{}", outcome.stdout);
    let workspace = Workspace::for_acp(&["{root}/measure.sh"]);
    workspace.write("measure.sh", "");
    let outcome = workspace.xtask(&["doctor"]).run();
    assert!(outcome.stdout.contains("agent agent (acp): missing"), "it can be run: {}", outcome.stdout);
}

#[test]
fn a_later_round_goes_on_in_the_session_if_the_agent_can() {
    let script = r#"
second = os.path.exists(os.environ['HOME'] + '/been')
open(os.environ['HOME'] + '/been', 'w')
open('entry/size.txt', 'w').write('48\n' if second else '40\n')
text(asked[1]['method'])
stop('end_turn')
"#;
    for (loads, session, method) in [
        (true, "", "session/load"),
        (false, "", "session/new"),
        (true, "    session: fresh\n", "session/new"),
    ] {
        let workspace = fake(script);
        if !loads {
            workspace.replace("bin/agent.py", "LOADS = True", "LOADS = False");
        }
        workspace.replace("pipeline.yaml", "    uses: acp\n", &format!("    uses: acp\n{session}"));
        workspace.xtask(&["deliver", "size"]).run().exits(0);
        assert_eq!(dispatch(&workspace, 1)["agent"]["claimed"], "session/new");
        let second = dispatch(&workspace, 2);
        // What was said before it is not said again.
        assert_eq!(second["agent"]["claimed"], method);
        assert_eq!(second["agent"]["resumed"].as_bool().unwrap_or(false), method == "session/load");
    }
}

#[test]
fn a_secret_that_the_agent_says_reaches_no_file() {
    // Once as it is, and once so that it is one only after the line was parsed.
    let workspace = fake(
        r#"
key = os.environ['AGENT_KEY']
hidden = ''.join('\\u%04x' % ord(letter) for letter in key)
call = dict(sessionUpdate='tool_call', toolCallId='1', status='completed', kind='KEY', title='KEY')
message = json.dumps(dict(method='session/update', params=dict(update=call)))
print(message.replace('KEY', hidden), flush=True)
text('my key is ' + key)
stop('end_turn')
"#,
    );
    workspace.replace("pipeline.yaml", "    uses: acp\n", "    uses: acp\n    env: [AGENT_KEY]\n");
    workspace.replace("pipeline.yaml", "executor: agent\n", "executor: agent\nrounds: { max: 1 }\n");
    workspace.xtask(&["deliver", "size"]).env("AGENT_KEY", "k-s3cr3t-9").run().exits(1);
    for (path, bytes) in workspace.tree("deliveries") {
        assert!(!String::from_utf8_lossy(&bytes).contains("k-s3cr3t-9"), "{path}");
    }
    let run = &dispatch(&workspace, 1)["agent"];
    assert_eq!(run["claimed"], "my key is [secret]");
    let tool = &run["tools"][0];
    assert_eq!((&tool["tool"], &tool["title"]), (&json!("[secret]"), &json!("[secret]")));
}

/// A real agent, which asks before it edits, and whose tools reach for what they may not.
#[test]
fn a_real_agent_works_over_the_protocol() {
    for version in [NEAREST, LATER] {
        let Some(binary) = opencode(version) else { continue };
        let workspace = Workspace::for_acp(&[binary.to_str().unwrap(), "acp"]);
        // Without `$schema` it writes one into it.
        let settings = json!({
            "$schema": "https://opencode.ai/config.json", "permission": { "edit": "ask", "bash": "ask" }
        });
        workspace.write("app/opencode.json", &settings.to_string());
        let pack = workspace.root().join("features/size/pack.yaml");
        let write =
            |path: &str, content: &str| Turn::Call("write", json!({ "filePath": path, "content": content }));
        // Outside its worktree it asks as well, is not permitted, and stops there.
        let model = Model::with(vec![
            write(pack.to_str().unwrap(), "easier"),
            write("entry/size.txt", "48\n"),
            Turn::Say("I measured it: 52vp."),
        ]);
        workspace.asking(&model, &binary, &["deliver", "size"]).run().exits(0);
        let (first, second) = (dispatch(&workspace, 1), dispatch(&workspace, 2));
        assert_eq!(first["end"], "completed", "{first}");
        assert_eq!((&first["changed"], &first["protectedChanged"]), (&json!([]), &Value::Null));
        let run = &first["agent"];
        assert_eq!((&run["agent"], &run["version"]), (&json!("OpenCode"), &json!(version)));
        assert_eq!(run["tools"][0]["status"], "error", "{first}");
        assert_eq!(run["tools"][0]["file"], "{root}/features/size/pack.yaml");

        assert_eq!((&second["end"], &second["exitCode"]), (&json!("completed"), &json!(0)), "{second}");
        assert_eq!(second["changed"], json!([{ "path": "entry/size.txt", "added": 1, "removed": 1 }]));
        assert_eq!(second["agent"]["claimed"], "I measured it: 52vp.");
        let tool = &second["agent"]["tools"][0];
        assert_eq!((&tool["status"], &tool["file"]), (&json!("completed"), &json!("entry/size.txt")));
        assert_eq!(second["agent"]["resumed"], true);
        assert_eq!(second["agent"]["session"], run["session"]);
        let asked: Vec<String> = model.requests().iter().map(Value::to_string).collect();
        assert!(asked[0].contains("Goal brief") && asked[1].contains("easier"), "{}", asked[1]);
        assert_eq!(workspace.agents_running(), [""; 0]);
    }
}
