#!/usr/bin/env python3
"""Measures the two promises of crates/probe: a span in a 500 MB trace within three times of `rg -c` for its marker, in bounded
memory; and a measure of a 10 MB layout tree in less than 150 ms. Inputs are generated (always the same bytes) under
$TMPDIR/probe-bench; needs cargo, rg and Python 3, and /usr/bin/time is not needed."""
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = Path(tempfile.gettempdir()) / "probe-bench"
TRACE_BYTES = 500 * 1000 * 1000
LAYOUT_BYTES = 10 * 1000 * 1000
RUNS = 5
MARKER = "H:NotesPage::load"


def make_trace(path, spans):
    """A busy trace: scheduling, other markers, and `spans` spans of the marker spread over it."""
    lines = []
    for index in range(20_000):
        tid, cpu, micros = 100 + index % 400, index % 8, index % 1_000_000
        head = f"{'worker_' + str(tid % 97):>16}-{tid:<7}({tid - tid % 5:>7}) [{cpu:03}] d..2 100.{micros:06}: "
        kind = index % 6
        lines.append(head + (
            f"sched_switch: prev_comm=worker_{tid} prev_pid={tid} prev_prio=120 prev_state=S ==> next_comm=swapper next_pid=0 next_prio=120" if kind < 3
            else f"tracing_mark_write: B|{tid}|H:Render::Node {index % 977}|M62" if kind == 3
            else f"tracing_mark_write: E|{tid}|M62" if kind == 4
            else f"tracing_mark_write: C|{tid}|H:heap:used|{index * 13}|M62"))
    block = ("\n".join(lines) + "\n").encode()
    every = max(1, TRACE_BYTES // len(block) // spans)
    with open(path, "wb") as file:
        file.write(b"# tracer: nop\n#\n")
        block_index = written = 0
        while written < TRACE_BYTES:
            if block_index % every == 0:
                base = f"   m.example.notes-4100   (   4100) [001] .... {200 + block_index}."
                begin, end = base + f"000000: tracing_mark_write: B|4100|{MARKER}|M62\n", base + "720500: tracing_mark_write: E|4100|M62\n"
                middle = len(block) // 2
                middle = block.index(b"\n", middle) + 1
                data = begin.encode() + block[:middle] + end.encode() + block[middle:]
            else:
                data = block
            file.write(data)
            written += len(data)
            block_index += 1


def make_layout(path):
    def node(index, top):
        box = f"[{index % 700},{top % 2000}][{index % 700 + 300},{top % 2000 + 48}]"
        return {"attributes": {
            "accessibilityId": str(index), "backgroundColor": "#00000000", "bounds": box, "checkable": "false", "checked": "false",
            "clickable": "true" if index % 3 == 0 else "false", "description": "", "enabled": "true", "focused": "false",
            "hashcode": f"{index}:0", "hierarchy": f"ROOT12,0,{index}", "hint": "", "hostWindowId": "12", "id": f"node{index}",
            "key": f"node{index}", "longClickable": "false", "origBounds": box, "scrollable": "false", "selected": "false",
            "text": f"第 {index} 项", "type": "Text" if index % 2 else "Row", "visible": "true"}, "children": []}

    root = node(0, 0)
    root["attributes"].update(type="root", bundleName="com.example.notes")
    stack, size, index = [root], 0, 1
    per_node = len(json.dumps(node(1, 1), ensure_ascii=False).encode()) + 2
    while size < LAYOUT_BYTES:
        parent = stack[-1]
        child = node(index, index)
        parent["children"].append(child)
        if len(stack) < 20 and index % 2:
            stack.append(child)
        elif index % 3 == 0 and len(stack) > 1:
            stack.pop()
        index += 1
        size += per_node
    path.write_text(json.dumps({"attributes": {"bounds": "[0,0][1080,2400]", "type": ""}, "children": [root]}, ensure_ascii=False))
    return index


def timed(command):
    times, output = [], b""
    for _ in range(RUNS):
        begin = time.perf_counter()
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
        times.append(time.perf_counter() - begin)
    return min(times), output


def peak_of(command):
    """Peak resident memory of one child, in MB: asked of a process that has only this child."""
    script = "import resource,subprocess,sys;subprocess.run(sys.argv[1:],stdout=subprocess.DEVNULL);print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    kib = subprocess.run([sys.executable, "-c", script, *command], check=True, stdout=subprocess.PIPE).stdout
    return int(kib) / 1024


def main():
    WORK.mkdir(exist_ok=True)
    subprocess.run(["cargo", "build", "--release", "-q", "-p", "probe", "--example", "read"], cwd=os.environ.get("PROBE_WORKSPACE", ROOT), check=True)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    read = str(target / "release" / "examples" / "read")
    bad = False
    for spans in (1, 20):
        trace = WORK / f"trace-{spans}.ftrace"
        if not trace.exists():
            make_trace(trace, spans)
        subprocess.run(["cat", trace], stdout=subprocess.DEVNULL, check=True)
        rg, _ = timed(["rg", "-c", "--fixed-strings", MARKER, str(trace)])
        for pick in ("span", "between"):
            with_ = {"measure": "span", "name": MARKER, "pick": "all"} if pick == "span" else {
                "measure": "between", "from": MARKER, "to": MARKER, "toEdge": "end", "pick": "first"}
            command = [read, "trace", str(trace), json.dumps(with_)]
            took, output = timed(command)
            count = len(json.loads(output)["values"])
            ratio = took / rg
            bad |= ratio > 3
            print(f"trace of {trace.stat().st_size / 1e6:.0f} MB, {spans} spans, {pick}: rg -c {rg * 1000:.0f} ms, probe {took * 1000:.0f} ms,"
                  f" ratio {ratio:.2f} (at most 3), peak {peak_of(command):.0f} MB, {count} values")
    layout = WORK / "layout.json"
    if not layout.exists():
        make_layout(layout)
    for with_ in ({"measure": "width", "node": "id=node9999"}, {"measure": "touchTarget", "node": "type=Text,visible=true,ancestor=\"type=root\"", "pick": "nth:4000"}):
        command = [read, "layout", str(layout), json.dumps(with_)]
        took, output = timed(command)
        before = os.times()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        after = os.times()
        cpu = after.children_user + after.children_system - before.children_user - before.children_system
        bad |= took > 0.150
        print(f"layout of {layout.stat().st_size / 1e6:.1f} MB, {with_['measure']}: {took * 1000:.0f} ms (at most 150; {cpu * 1000:.0f} ms of processor), peak {peak_of(command):.0f} MB, {output[:60].decode(errors='replace')}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
