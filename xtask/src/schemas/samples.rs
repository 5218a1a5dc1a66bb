//! Authored files with every field in them.

use serde_json::{Value, json};

pub(super) fn pack() -> Value {
    json!({
        "feature": "login", "title": "登录", "goal": "log in",
        "requirements": [{ "id": "R-1", "text": "log in" }],
        "outOfScope": { "aesthetic": "later", "accessibility": "later" },
        "criteria": [
            {
                "id": "P-01", "dimension": "performance", "statement": "cold start", "verify": "trace",
                "weight": "must", "ruleId": "DW-PERF-01", "covers": ["R-1"], "heldOut": true,
                "assertion": {
                    "matcher": "approx", "expected": 800, "unit": "ms", "source": "trace", "not": true,
                    "aggregate": "p95", "minSamples": 3, "tolerance": "5%", "proposed": true
                },
                "probe": { "evidence": "startup", "reader": "trace", "with": { "measure": "between", "from": "a", "to": "b" } }
            },
            {
                "id": "F-01", "dimension": "function", "statement": "the button is there", "weight": "should",
                "assertion": { "matcher": "between", "expected": [1, "2.5"], "aggregate": "max" },
                "probe": { "evidence": "display", "reader": "density", "with": { "screen": 0 } }
            },
            {
                "id": "A-01", "dimension": "accessibility", "statement": "the button is large", "weight": "should",
                "ruleId": "ux.touch", "assertion": { "source": "layout" }
            },
            { "id": "F-02", "dimension": "function", "statement": "so is the link", "weight": "should" }
        ]
    })
}

pub(super) fn checks() -> Value {
    json!({ "checks": [
        { "criterionId": "P-01", "result": "pass", "evidence": "e", "actual": "720ms", "evidenceRefs": ["evidence/a"] },
        { "criterionId": "P-02", "result": "fail", "actual": [1, null, "2ms", true] },
        { "criterionId": "P-03", "result": "fail", "actual": null }
    ]})
}

pub(super) fn waivers() -> Value {
    json!({ "waivers": [
        { "criterionId": "P-01", "owner": "Lin", "reason": "old device", "expires": "2026-12-31T00:00:00+08:00" },
        { "criterionId": "P-02", "owner": "林", "reason": "旧设备", "expires": "2026-12-31T00:00:00.5Z" }
    ]})
}

pub(super) fn responses() -> Value {
    json!({ "responses": [
        { "finding": "3fa9c2d1", "answer": "dispute", "by": "Lin", "reason": "measured" },
        { "finding": "77ab01e4", "answer": "accept", "by": "林", "reason": "应改" }
    ]})
}

pub(super) fn answer() -> Value {
    json!({ "findings": [
        {
            "criterion": "P-01", "kind": "gaming", "severity": "error", "delivery": "a splash screen",
            "fix": "measure to the end"
        },
        { "severity": "warning", "delivery": "an empty list without a word" }
    ]})
}

pub(super) fn pipeline() -> Value {
    let layout = json!({
        "run": ["hdc", "-t", 1], "stdout": true, "output": "layout.json", "source": "layout bounds", "env": ["PATH"],
        "timeout": "90s", "retries": 2, "screen": "login", "constant": true, "keep": "commit"
    });
    json!({
        "version": 1, "lang": "zh",
        "app": { "repository": "../app", "base": "main" },
        "rounds": { "max": 3 },
        "sources": { "layout bounds": "independent", "timer": "auxiliary" },
        "executor": "person",
        "executors": {
            "recorded": { "uses": "replay", "patch": "features/{feature}/{round}.patch" },
            "agent": { "uses": "command", "run": ["agent", "{brief}"], "env": ["HOME"], "timeout": "2h", "silence": "10m" },
            "deveco": {
                "uses": "deveco", "binary": "../bin/deveco", "agent": "goal", "model": "huawei/m", "session": "fresh",
                "env": ["DEVECO_HOME"], "seed": [".config/deveco"],
                "timeout": "2h", "silence": "10m",
                "budget": { "cost": 2.5, "tokens": 1000000, "steps": 300 }
            },
            "opencode": { "uses": "opencode" },
            "any": {
                "uses": "acp", "run": ["agent", "--acp"], "session": "fresh", "env": ["HOME"], "seed": [".config/agent"],
                "timeout": "2h", "silence": "10m", "budget": { "cost": 2.5 }
            },
            "person": { "uses": "handoff" }
        },
        "protect": ["entry/src/ohosTest"],
        "device": { "target": "127.0.0.1:5555", "env": "DEVICE" },
        "collectors": {
            "layout": layout,
            "display": { "copy": "recorded/display.txt", "output": "display.txt", "source": "timer" },
            "build": { "steps": [["sh", "a"], ["sh", "b"]], "output": "out.txt", "source": "timer", "keep": "external" }
        },
        "store": { "external": ".evidence", "above": "5MiB" },
        "auditors": {
            "lin": { "copy": "features/{feature}/checks.yaml" },
            "eye": {
                "run": ["python3", "{pack}", "{evidence}"], "env": ["KEY"], "timeout": "10m", "silence": "1m"
            }
        },
        "review": {
            "quorum": 1,
            "reviewers": {
                "skeptic": {
                    "angle": "gaming", "run": ["opencode", "run", "{prompt}", 1], "answer": "out.json", "env": ["KEY"],
                    "timeout": "10m", "silence": "1m"
                }
            }
        },
        "scale": {
            "density": { "evidence": "display", "reader": "density", "with": { "screen": 0 } },
            "fontScale": { "evidence": "display", "reader": "json", "with": { "path": "$.a" } }
        },
        "reports": ["junit", "sarif", "ctrf", "github", "github-summary", "gitlab", "tap"],
        "attestation": {
            "required": true,
            "keys": [{
                "id": "lead", "publicKey": "MCowBQYDK2VwAyEAPUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=",
                "mayAccept": ["login-*"]
            }]
        },
        "stages": [
            { "id": "freeze", "uses": "freeze" },
            { "id": "review", "uses": "review", "needs": ["freeze"] },
            {
                "id": "own", "run": ["sh", "{commit}"], "outputs": ["out/{feature}-{round}"], "timeout": "10m", "env": ["PATH"],
                "inputs": ["src/{round}"], "silence": "90s", "retries": 2, "backoff": "5s", "each": "round"
            },
            {
                "id": "tell", "run": "echo {feature} > told.txt", "shell": true, "when": "accepted", "needs": ["report"],
                "each": "round"
            }
        ],
        "secrets": ["SIGNING_PASSWORD"],
        "features": {
            "login": {
                "lang": "en", "app": { "seed": "examples/app" }, "executor": "recorded", "rounds": { "max": 1 },
                "collectors": { "layout": { "copy": "a/{round}", "output": "l.json", "source": "timer" } },
                "auditors": { "lin": { "copy": "a.yaml" } }
            }
        }
    })
}
