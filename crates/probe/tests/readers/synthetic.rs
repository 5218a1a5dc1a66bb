//! Our own fixtures, one table a reader.

use crate::support::{Case, check, fixtures};

macro_rules! table {
    ($reader:literal, $file:literal, $(($with:literal, $expected:literal)),* $(,)?) => {
        check(&fixtures(), &[$(Case { reader: $reader, file: $file, with: $with, expected: $expected }),*])
    };
}

#[test]
fn layout() {
    table!(
        "layout",
        "layout/notes.json",
        (r#"{"measure":"width","node":"id=search"}"#, "960px"),
        (r#"{"measure":"height","node":"id=notes"}"#, "1080px"),
        (r#"{"measure":"minSide","node":"id=badge"}"#, "60px"),
        (r#"{"measure":"gapVertical","node":"id=title","to":"id=search"}"#, "30px"),
        (r#"{"measure":"gapVertical","node":"id=search","to":"id=title"}"#, "30px"),
        (r#"{"measure":"gapVertical","node":"type=ListItem","pick":"all"}"#, "24px, 28px, 24px"),
        (r#"{"measure":"gapHorizontal","node":"id=note,text=第一条","to":"id=more"}"#, "430px"),
        (r#"{"measure":"gapVertical","node":"id=note,text=第一条","to":"id=more"}"#, "-60px"),
        (r#"{"measure":"touchTarget","node":"text=第一条"}"#, "200px"),
        (r#"{"measure":"touchTargetWidth","node":"text=第一条"}"#, "960px"),
        (r#"{"measure":"touchTarget","node":"id=plus"}"#, "144px"),
        (r#"{"measure":"touchTarget","node":"id=badge"}"#, "60px"),
        (
            r#"{"measure":"touchTarget","node":"id=title"}"#,
            "missing: neither the node nor anything above it is clickable…"
        ),
        (r#"{"measure":"alignLeft","node":"id=title","to":"id=search"}"#, "0px"),
        (r#"{"measure":"alignCenterY","node":"id=add","to":"id=badge"}"#, "42px"),
        (r#"{"measure":"overlapArea","node":"id=add","to":"id=plus"}"#, "5184"),
        (r#"{"measure":"overlapArea","node":"id=add","to":"id=title"}"#, "0"),
        (r#"{"measure":"overflow","node":"id=spill"}"#, "20px"),
        (r#"{"measure":"overflow","node":"id=title"}"#, "0px"),
        (r#"{"measure":"overflow","node":"text=第四条","to":"id=notes"}"#, "0px"),
        (r#"{"measure":"text","node":"id=title"}"#, "我的笔记"),
        (r#"{"measure":"text","node":"id=add"}"#, "nothing: the node's text is empty"),
        (r#"{"measure":"accessibleName","node":"id=search"}"#, "搜索, 标题或内容"),
        (r#"{"measure":"accessibleName","node":"type=ListItem","pick":"first"}"#, "第一条 更多操作"),
        (r#"{"measure":"accessibleName","node":"id=add"}"#, "nothing: no accessible name…"),
        (r#"{"measure":"backgroundColor","node":"id=add"}"#, "#FF0A59F7"),
        (r#"{"measure":"attribute","attribute":"scrollable","node":"id=notes"}"#, "true"),
        (
            r#"{"measure":"attribute","attribute":"nope","node":"id=notes"}"#,
            "missing: the node has no attribute nope"
        ),
        (
            r#"{"measure":"presence","node":"id=ghost,visible=true"}"#,
            "nothing: no node matches id=ghost,visible=true"
        ),
        (r#"{"measure":"presence","node":"id=ghost"}"#, "true"),
        (r#"{"measure":"count","node":"type=ListItem"}"#, "4"),
        (r#"{"measure":"count","node":"type=Slider"}"#, "0"),
        (r#"{"measure":"nodes","bundle":"com.example.notes"}"#, "20"),
        (r#"{"measure":"depth","bundle":"com.example.notes"}"#, "5"),
        (r#"{"measure":"depth","node":"id=notes"}"#, "3"),
        (r#"{"measure":"nodes","bundle":"com.nobody"}"#, "missing: no node of com.nobody…"),
        (r#"{"measure":"width","node":"id=note","pick":"nth:2"}"#, "410px"),
        (
            r#"{"measure":"width","node":"id=note","pick":"nth:9"}"#,
            "missing: there is no match pick asks for…"
        ),
        (r#"{"measure":"top","node":"text=\"含\\\"引号\\\", 和逗号\""}"#, "1300px"),
        (r#"{"measure":"text","node":"ancestor=\"id=notes\",text^=第,text*=三"}"#, "第三条"),
        (r#"{"measure":"text","node":"window=3"}"#, "unreadable: 2 matches where one is meant…"),
        (r#"{"measure":"text","node":"window=3,type=Text"}"#, "9:41"),
        (r#"{"measure":"width","node":"id=search","density":"density/one_screen.txt"}"#, "960px"),
    );
    table!("layout", "layout/stdout.json", (r#"{"measure":"width","node":"id=search"}"#, "960px"));
    table!(
        "layout",
        "layout/roots.json",
        (r#"{"measure":"width","node":"id=search"}"#, "960px"),
        (r#"{"measure":"nodes","bundle":"com.example.systembar"}"#, "2"),
    );
    table!(
        "layout",
        "layout/clipped.json",
        (r#"{"measure":"width","node":"id=plus"}"#, "72px"),
        (r#"{"measure":"height","node":"id=note,text=第四条"}"#, "missing: the dump has no origBounds…"),
    );
    table!(
        "layout",
        "layout/inspector.json",
        (r#"{"measure":"width","node":"id=title"}"#, "360.25px"),
        (r#"{"measure":"text","node":"type=Button"}"#, "新建"),
        (r#"{"measure":"touchTarget","node":"id=add"}"#, "144px"),
        (r#"{"measure":"presence","node":"id=footer,visible=true"}"#, "nothing: no node matches…"),
        (r#"{"measure":"overflow","node":"id=footer"}"#, "60px"),
        (r#"{"measure":"depth"}"#, "3"),
    );
    table!("layout", "generic/runs.json", (r#"{"measure":"nodes"}"#, "unreadable: no layout tree…"));
}

#[test]
fn density() {
    table!(
        "density",
        "density/one_screen.txt",
        ("{}", "3"),
        (r#"{"screen":1}"#, "missing: the dump has no screen 1")
    );
    table!(
        "density",
        "density/two_screens.txt",
        ("{}", "unreadable: screens differ in density (3.25, 2.125)…"),
        (r#"{"screen":0}"#, "3.25"),
        (r#"{"screen":5}"#, "2.125"),
    );
    table!(
        "density",
        "density/broken.txt",
        (r#"{"screen":0}"#, "missing: DensityInCurResolution in line 4 is `-1`…"),
        (r#"{"screen":1}"#, "missing: Density in line 7 is `0`…"),
    );
    table!(
        "density",
        "density/font.txt",
        (r#"{"measure":"fontScale"}"#, "1.15"),
        ("{}", "unreadable: no `Screen ID:` block…")
    );
}

#[test]
fn trace() {
    table!(
        "trace",
        "trace/new.ftrace",
        (
            r#"{"measure":"between","from":"dispatchTouch up","fromEdge":"end","to":"load complete"}"#,
            "1249.6ms"
        ),
        (
            r#"{"measure":"between","from":"dispatchTouch","match":"prefix","to":"HandleLaunchAbility"}"#,
            "50ms"
        ),
        (
            r#"{"measure":"between","from":"load complete","to":"dispatchTouch up"}"#,
            "missing: no marker `to` after `from`"
        ),
        (
            r#"{"measure":"between","from":"load complete","to":"dispatchTouch up","toPick":"first"}"#,
            "unreadable: the end in line 6 is before…"
        ),
        (
            r#"{"measure":"between","from":"inflate","match":"prefix","to":"load complete","pick":"nth:2"}"#,
            "1179.875ms"
        ),
        (
            r#"{"measure":"between","from":"inflate","match":"prefix","to":"load complete"}"#,
            "unreadable: 2 matches where one is meant…"
        ),
        (
            r#"{"measure":"between","from":"inflate","match":"prefix","to":"load complete","pick":"all"}"#,
            "missing: `from` in line 9 has no `to`…"
        ),
        (r#"{"measure":"span","name":"inflate, page: a|b##c","pick":"all"}"#, "20.5ms, 1ms"),
        (r#"{"measure":"span","name":"^HandleLaunch.*##com\\.example\\.notes$","match":"regex"}"#, "40ms"),
        (r#"{"measure":"span","name":"APP_LIST_FLING","process":"com.example.notes"}"#, "500ms"),
        (r#"{"measure":"span","name":"APP_LIST_FLING","thread":"m.example.other"}"#, "99.9ms"),
        (
            r#"{"measure":"span","name":"APP_LIST_FLING","process":"com.nobody"}"#,
            "missing: no main thread of process com.nobody…"
        ),
        (
            r#"{"measure":"span","name":"never ends"}"#,
            "missing: the span that begins in line 36 does not end…"
        ),
        (r#"{"measure":"counter","name":"heap:used","stat":"max"}"#, "4096"),
        (r#"{"measure":"counter","name":"heap:used","stat":"min"}"#, "1024"),
        (r#"{"measure":"counter","name":"heap:used","stat":"last"}"#, "2048"),
        (r#"{"measure":"counter","name":"heap:used","stat":"all"}"#, "1024, 4096, 2048"),
        (
            r#"{"measure":"counter","name":"heap:","match":"prefix","stat":"max"}"#,
            "unreadable: several counters match…"
        ),
        (
            r#"{"measure":"counter","name":"heap:used","stat":"max","thread":"worker"}"#,
            "unreadable: line 15 matches, but the trace does not know…"
        ),
        (r#"{"measure":"count","name":"Waiting for Present Fence","match":"prefix"}"#, "6"),
        (r#"{"measure":"count","name":"nope"}"#, "0"),
        (r#"{"measure":"presence","name":"nope"}"#, "nothing: no such marker in the trace"),
        (r#"{"measure":"presence","name":"load complete"}"#, "true"),
        (
            r#"{"measure":"jank","name":"APP_LIST_FLING","process":"com.example.notes","fence":"Waiting for Present Fence","rate":100}"#,
            "30ms/s"
        ),
        (
            r#"{"measure":"jank","name":"load complete","fence":"Waiting for Present Fence","rate":100}"#,
            "missing: the span that begins in line 35…"
        ),
    );
    table!(
        "trace",
        "trace/old.ftrace",
        (r#"{"measure":"span","name":"start","pick":"first"}"#, "0.899ms"),
        (r#"{"measure":"span","name":"H:lane"}"#, "100ms"),
        (r#"{"measure":"counter","name":"heap","stat":"last"}"#, "12"),
        (r#"{"measure":"count","name":"start"}"#, "missing: the trace lost 96 events…"),
    );
    table!("trace", "image/page.png", (r#"{"measure":"count","name":"a"}"#, "unreadable: binary data…"));
    table!("trace", "hilog/app.log", (r#"{"measure":"count","name":"a"}"#, "unreadable: no trace event…"));
}

#[test]
fn frames() {
    table!(
        "frames",
        "frames/composer.txt",
        (r#"{"measure":"frames"}"#, "14"),
        (r#"{"measure":"p50"}"#, "8.333333ms"),
        (r#"{"measure":"p99"}"#, "25ms"),
        (r#"{"measure":"fps"}"#, "104.000003fps"),
        (r#"{"measure":"missed","rate":120}"#, "missing: nothing shows when the interaction was…"),
        (r#"{"measure":"missed","rate":120,"trace":"trace/swipe.ftrace","lane":"swipe"}"#, "2"),
        (r#"{"measure":"longestMiss","rate":120,"trace":"trace/swipe.ftrace","lane":"swipe"}"#, "2"),
        (
            r#"{"measure":"missed","rate":120,"trace":"trace/new.ftrace","lane":"inflate"}"#,
            "missing: no span inflate in the trace"
        ),
    );
    table!(
        "frames",
        "frames/pairs.txt",
        (r#"{"measure":"frames"}"#, "unreadable: several lists of frame times…"),
        (r#"{"measure":"frames","screen":0}"#, "12"),
        (r#"{"measure":"frames","screen":7}"#, "0"),
        (r#"{"measure":"p95","screen":7}"#, "missing: 0 frames…"),
        (r#"{"measure":"frames","screen":3}"#, "missing: no list of frame times of that screen"),
    );
    table!("frames", "hilog/app.log", (r#"{"measure":"fps"}"#, "unreadable: no heading…"));
}

#[test]
fn smartperf() {
    table!(
        "smartperf",
        "smartperf/lines.txt",
        (r#"{"key":"fps"}"#, "85fps, 120fps"),
        (r#"{"key":"pss","pick":"last"}"#, "182348KiB"),
        (r#"{"key":"currentNow","pick":"first"}"#, "-312.00mA"),
        (r#"{"key":"fpsJitters","pick":"nth:2"}"#, "12718230ns"),
        (r#"{"key":"fpsJitters"}"#, "missing: fpsJitters in line 15 is ``…"),
        (r#"{"key":"batteryTemp"}"#, "missing: batteryTemp in line 8 is `NA`…"),
        (r#"{"key":"batteryTemp","pick":"last"}"#, "missing: batteryTemp in line 17 is `-1`…"),
        (r#"{"key":"TotalcpuUsage","unit":"%"}"#, "12.5%, 13.0%"),
        (r#"{"key":"nope"}"#, "missing: no sample of nope"),
    );
    table!(
        "smartperf",
        "smartperf/editor.txt",
        (r#"{"key":"ResponseTime"}"#, "41ms"),
        (r#"{"key":"HitchTimeRate"}"#, "68.65ms/s"),
    );
    table!(
        "smartperf",
        "smartperf/editor_failed.txt",
        (r#"{"key":"ResponseTime"}"#, "missing: ResponseTime in line 1 is `-1ms`…"),
        (r#"{"key":"HitchTimeRate"}"#, "missing: HitchTimeRate in line 3 is `-1.00ms/s`…"),
    );
    table!(
        "smartperf",
        "smartperf/table.csv",
        (r#"{"key":"pss"}"#, "1000KiB, 1004KiB, 1002KiB"),
        (r#"{"key":"fps"}"#, "missing: fps in line 3 is 0…"),
        (r#"{"key":"deviceTemp","pick":"last"}"#, "32"),
    );
}

#[test]
fn memory_and_cpu() {
    table!(
        "memory",
        "hidumper/mem.txt",
        ("{}", "96874KiB"),
        (r#"{"row":"native heap"}"#, "41230KiB"),
        (r#"{"row":"nope"}"#, "missing: no row nope"),
    );
    table!("memory", "hidumper/cpu.txt", ("{}", "unreadable: no row Total…"));
    table!(
        "cpu",
        "hidumper/cpu.txt",
        (r#"{"process":"com.example.notes"}"#, "123.40%"),
        (r#"{"process":"com.example.notes","measure":"kernel"}"#, "22.10%"),
        (r#"{"process":"worker"}"#, "unreadable: 2 matches where one is meant…"),
        (r#"{"process":"worker","pick":"all"}"#, "3.00%, 1.50%"),
        (r#"{"process":"nope"}"#, "missing: no row of process nope"),
    );
    table!("cpu", "hidumper/mem.txt", (r#"{"process":"a"}"#, "unreadable: no row of a process…"));
}

#[test]
fn testreport() {
    table!(
        "testreport",
        "testreport/aa_error.txt",
        (r#"{"measure":"ok"}"#, "false"),
        (r#"{"measure":"errors"}"#, "1"),
        (r#"{"measure":"run"}"#, "447"),
    );
    table!(
        "testreport",
        "testreport/aa_ok.txt",
        (r#"{"measure":"ok"}"#, "true"),
        (r#"{"measure":"passed"}"#, "2"),
        (r#"{"measure":"case","case":"searches"}"#, "passed"),
        (r#"{"measure":"case","case":"opens"}"#, "unreadable: several cases are named opens…"),
        (r#"{"measure":"case","case":"opens","suite":"ListTest"}"#, "ignored"),
        (r#"{"measure":"case","case":"nope"}"#, "missing: no case named nope in the report"),
    );
    table!("testreport", "testreport/aa_ignored.txt", (r#"{"measure":"ok"}"#, "false"));
    table!(
        "testreport",
        "testreport/aa_odd.txt",
        (r#"{"measure":"ok"}"#, "unreadable: the counts do not add up…")
    );
    table!("testreport", "testreport/aa_code.txt", (r#"{"measure":"ok"}"#, "false"));
    table!(
        "testreport",
        "testreport/aa_modules.txt",
        (r#"{"measure":"ok"}"#, "false"),
        (r#"{"measure":"run"}"#, "6")
    );
    table!(
        "testreport",
        "testreport/xdevice.xml",
        (r#"{"measure":"ok"}"#, "false"),
        (r#"{"measure":"failures"}"#, "1"),
        (r#"{"measure":"ignored"}"#, "1"),
        (r#"{"measure":"case","case":"opens"}"#, "passed"),
    );
    table!(
        "testreport",
        "testreport/xdevice_blocked.xml",
        (r#"{"measure":"errors"}"#, "1"),
        (r#"{"measure":"ok"}"#, "false")
    );
    table!(
        "testreport",
        "testreport/junit.xml",
        (r#"{"measure":"ok"}"#, "true"),
        (r#"{"measure":"ignored"}"#, "1")
    );
    table!(
        "testreport",
        "testreport/junit_short.xml",
        (r#"{"measure":"ok"}"#, "unreadable: the report states tests=\"9\" and lists 1…")
    );
    table!("testreport", "hilog/app.log", (r#"{"measure":"ok"}"#, "unreadable: no OHOS_REPORT_RESULT line…"));
}

#[test]
fn build_lint_and_hilog() {
    table!(
        "build",
        "build/ok.log",
        (r#"{"measure":"ok"}"#, "true"),
        (r#"{"measure":"duration"}"#, "85638ms"),
        (r#"{"measure":"errors"}"#, "0"),
        (r#"{"measure":"warnings"}"#, "5"),
    );
    table!(
        "build",
        "build/failed.log",
        (r#"{"measure":"ok"}"#, "false"),
        (r#"{"measure":"duration"}"#, "12005ms"),
        (r#"{"measure":"errors"}"#, "120"),
    );
    table!("build", "build/cut.log", (r#"{"measure":"errors"}"#, "missing: no COMPILE RESULT…"));
    table!("build", "hilog/app.log", (r#"{"measure":"ok"}"#, "unreadable: the last build neither…"));
    table!(
        "lint",
        "lint/codelinter.txt",
        ("{}", "3"),
        (r#"{"severity":"error"}"#, "1"),
        (r#"{"severity":"Warning"}"#, "2"),
        (r#"{"rule":"@performance/*"}"#, "2"),
        (r#"{"file":"entry/src/main"}"#, "2"),
        (r#"{"severity":"suggestion","measure":"presence"}"#, "nothing: no such finding"),
    );
    table!("lint", "lint/clean.json", ("{}", "0"));
    table!(
        "lint",
        "lint/sarif.json",
        ("{}", "2"),
        (r#"{"severity":"error"}"#, "1"),
        (r#"{"severity":"warn"}"#, "1")
    );
    table!("lint", "generic/runs.json", ("{}", "unreadable: neither the JSON of…"));
    table!(
        "hilog",
        "hilog/app.log",
        ("{}", "4"),
        (r#"{"level":"E"}"#, "2"),
        (r#"{"tag":"Ace"}"#, "1"),
        (r#"{"domain":"A00000","pattern":"JsError"}"#, "1"),
        (r#"{"pattern":"CppCrash"}"#, "0"),
        (r#"{"pattern":"CppCrash","measure":"presence"}"#, "nothing: no such line in 4 lines of hilog"),
    );
    table!("hilog", "build/ok.log", ("{}", "unreadable: no line of hilog…"));
}

#[test]
fn generic() {
    table!(
        "json",
        "generic/runs.json",
        (r#"{"path":"$.runs[?@.kind=='cold'].startup","pick":"all"}"#, "720, 735"),
        (r#"{"path":"$.runs[*].startup"}"#, "unreadable: 3 matches where one is meant…"),
        (r#"{"path":"$.runs[*]","measure":"count"}"#, "3"),
        (r#"{"path":"$.nope"}"#, "missing: no value at $.nope"),
        (r#"{"path":"$.nope","measure":"presence"}"#, "nothing: no value at $.nope"),
        (r#"{"path":"$.none"}"#, "nothing: the value at /none is null"),
        (r#"{"path":"$.flag"}"#, "true"),
        (r#"{"path":"$.exact"}"#, "1.10"),
        (r#"{"path":"$.huge"}"#, "12345678901234567890123.5"),
        (r#"{"path":"$.tiny"}"#, "1e-7"),
        (r#"{"path":"$.runs"}"#, "unreadable: an array or object stands at /runs…"),
        (r#"{"path":"runs"}"#, "`path`: `runs` is no JSONPath…"),
    );
    table!("json", "generic/twice.json", (r#"{"path":"$.a.b"}"#, "unreadable: the key /a/b stands twice…"));
    table!("json", "generic/runs.txt", (r#"{"path":"$"}"#, "unreadable: no JSON in line…"));
    table!(
        "xml",
        "generic/runs.xml",
        (r#"{"path":"//run[@kind='cold']/startup"}"#, "720"),
        (r#"{"path":"//startup/@unit","pick":"all"}"#, "ms, ms"),
        (r#"{"path":"//run","measure":"count"}"#, "2"),
        (r#"{"path":"//nope","measure":"presence"}"#, "nothing: no value at //nope"),
    );
    table!("xml", "generic/runs.txt", (r#"{"path":"//a"}"#, "unreadable: no XML…"));
    table!(
        "csv",
        "generic/runs.csv",
        (r#"{"column":"startup","where":"kind=cold","pick":"all"}"#, "720ms, 735ms"),
        (r#"{"column":"startup","where":"kind=warm"}"#, "310ms"),
        (r#"{"column":"startup","where":"\"note, long\"=x"}"#, "735ms"),
        (r#"{"column":"note, long","where":"kind=warm"}"#, "(empty)"),
        (r#"{"column":"kind","measure":"count"}"#, "3"),
        (r#"{"column":"nope"}"#, "unreadable: no column nope; the header row is…"),
        (r#"{"column":"kind","where":"nope=1"}"#, "unreadable: no column nope…"),
        (r#"{"column":"kind","delimiter":"tab"}"#, "unreadable: no column kind…"),
    );
    table!(
        "text",
        "generic/runs.txt",
        (r#"{"pattern":"startup (\\d+ ms)$","pick":"all"}"#, "720 ms, 735 ms"),
        (r#"{"pattern":"^done$","measure":"presence"}"#, "true"),
        (r#"{"pattern":"never","measure":"count"}"#, "0"),
        (r#"{"pattern":"(unclosed"}"#, "`pattern`: `(unclosed` is no pattern…"),
    );
}

#[test]
fn image() {
    table!(
        "image",
        "image/page.png",
        (r#"{"measure":"width"}"#, "120px"),
        (r#"{"measure":"height"}"#, "80px"),
        (r#"{"measure":"contrast","box":"10,10,70,30"}"#, "4.542225:1"),
        (r#"{"measure":"contrast","node":"id=caption","layout":"layout/page.json"}"#, "4.542225:1"),
        (r#"{"measure":"contrast","node":"id=save","layout":"layout/page.json"}"#, "5.548309:1"),
        (
            r#"{"measure":"contrast","node":"id=save","layout":"layout/other_page.json"}"#,
            "unreadable: the image is 120×80…"
        ),
        (
            r#"{"measure":"contrast","node":"id=nope","layout":"layout/page.json"}"#,
            "missing: no node matching id=nope"
        ),
        (r#"{"measure":"contrast","box":"82,6,114,34"}"#, "missing: no single background…"),
        (r#"{"measure":"contrast","box":"0,72,60,80"}"#, "missing: one colour only…"),
        (r#"{"measure":"contrast","box":"0,0,500,10"}"#, "unreadable: the box exceeds the image…"),
        (r#"{"measure":"contrast","box":"0,0,0,10"}"#, "`box`: `0,0,0,10` is no box…"),
        (r#"{"measure":"uniformity","box":"0,72,60,80"}"#, "100%"),
        (r#"{"measure":"difference","baseline":"image/moved.png"}"#, "0.625%"),
        (r#"{"measure":"difference","baseline":"image/moved.png","channelTolerance":60}"#, "0%"),
        (
            r#"{"measure":"difference","baseline":"image/page.png"}"#,
            "missing: the image is the baseline, byte for byte…"
        ),
        (
            r#"{"measure":"difference","baseline":"image/small.png"}"#,
            "unreadable: the image is 120×80 and the baseline 60×80"
        ),
        (r#"{"measure":"difference","baseline":"image/page.jpeg","channelTolerance":255}"#, "0%"),
    );
    table!(
        "image",
        "image/page.jpeg",
        (r#"{"measure":"width"}"#, "120px"),
        (r#"{"measure":"contrast","box":"10,10,70,30","near":4.5}"#, "missing: …"),
        (r#"{"measure":"contrast","box":"10,40,110,70","near":3}"#, "5.…"),
    );
    table!(
        "image",
        "image/flat.png",
        (r#"{"measure":"contrast"}"#, "missing: the whole image is one flat colour…")
    );
    table!(
        "image",
        "image/clear.png",
        (r#"{"measure":"contrast"}"#, "missing: some pixels let a background through…")
    );
    table!("image", "generic/runs.txt", (r#"{"measure":"width"}"#, "unreadable: neither PNG nor JPEG"));
}

#[test]
fn axe() {
    table!(
        "axe",
        "axe/broken.json",
        ("{}", "3"),
        (r#"{"measure":"rules"}"#, "2"),
        (r#"{"measure":"incomplete"}"#, "0"),
        (r#"{"impact":"serious"}"#, "2"),
        (r#"{"impact":"moderate","measure":"rules"}"#, "2"),
        (r#"{"rule":"region"}"#, "1"),
        (r#"{"rule":"image-*"}"#, "2"),
        (r#"{"rule":"label"}"#, "0"),
        (r#"{"rule":"area-alt"}"#, "0"),
        (r#"{"rule":"color-contrast"}"#, "missing: axe ran no rule color-contrast"),
        (r#"{"tag":"wcag2a"}"#, "2"),
        (r#"{"tag":"wcag2aaa"}"#, "missing: axe ran no rule wcag2aaa"),
        (r#"{"rule":"region","tag":"wcag2a"}"#, "missing: axe ran no rule region, wcag2a"),
    );
    table!(
        "axe",
        "axe/undecided.json",
        (
            "{}",
            "missing: axe could not decide 4 elements (color-contrast, frame-tested, odd), beside 0 that break a rule…"
        ),
        (r#"{"measure":"rules"}"#, "missing: axe could not decide 4 elements…"),
        (r#"{"measure":"incomplete"}"#, "4"),
        (r#"{"measure":"incomplete","impact":"critical"}"#, "2"),
        (r#"{"rule":"color-contrast"}"#, "missing: axe could not decide 2 elements (color-contrast)…"),
        (r#"{"rule":"color-contrast","impact":"critical"}"#, "0"),
        (r#"{"rule":"odd","impact":"critical"}"#, "missing: axe could not decide 1 elements (odd)…"),
        (r#"{"tag":"wcag2a"}"#, "0"),
    );
    table!("axe", "axe/pages.json", ("{}", "2"), (r#"{"measure":"rules"}"#, "1"));
    table!("axe", "axe/filtered.json", ("{}", "missing: the report leaves out `incomplete`…"));
    table!("axe", "axe/nothing.json", ("{}", "missing: axe ran no rule on the page"));
    table!("axe", "generic/runs.json", ("{}", "unreadable: no results of axe-core"));
    table!("axe", "generic/twice.json", ("{}", "unreadable: the key …"));
}

#[test]
fn lighthouse() {
    table!(
        "lighthouse",
        "lighthouse/report.json",
        (r#"{"category":"performance"}"#, "0.93"),
        (r#"{"category":"accessibility"}"#, "missing: there is no score at /categories/accessibility/score"),
        (r#"{"category":"seo"}"#, "missing: the report has no category `seo`"),
        (r#"{"audit":"largest-contentful-paint"}"#, "0.81"),
        (r#"{"measure":"numericValue","audit":"largest-contentful-paint"}"#, "2431.4500000000003ms"),
        (r#"{"measure":"numericValue","audit":"cumulative-layout-shift"}"#, "0"),
        (r#"{"measure":"numericValue","audit":"total-byte-weight"}"#, "183420B"),
        (r#"{"audit":"total-byte-weight"}"#, "missing: the audit `total-byte-weight` only informs…"),
        (
            r#"{"measure":"numericValue","audit":"odd-unit"}"#,
            "unreadable: the unit `furlong` of `odd-unit` is not known"
        ),
        (
            r#"{"measure":"numericValue","audit":"color-contrast"}"#,
            "missing: the audit `color-contrast` has no numeric value"
        ),
        (r#"{"measure":"items","audit":"color-contrast"}"#, "2"),
        (
            r#"{"measure":"items","audit":"cumulative-layout-shift"}"#,
            "missing: the audit `cumulative-layout-shift` lists no items"
        ),
        (r#"{"audit":"image-alt"}"#, "missing: the audit `image-alt` has no result: notApplicable"),
        (
            r#"{"measure":"numericValue","audit":"speed-index"}"#,
            "missing: the audit `speed-index` has no result: no frames were captured"
        ),
        (r#"{"audit":"nope"}"#, "missing: the report has no audit `nope`"),
    );
    table!(
        "lighthouse",
        "lighthouse/failed.json",
        (r#"{"category":"performance"}"#, "missing: Lighthouse could not run: NO_FCP")
    );
    table!(
        "lighthouse",
        "generic/runs.json",
        (r#"{"category":"performance"}"#, "unreadable: no report of Lighthouse")
    );
}

#[test]
fn k6() {
    table!(
        "k6",
        "k6/handle_summary.json",
        (r#"{"metric":"http_req_duration","stat":"p(95)"}"#, "31.123456789012345ms"),
        (r#"{"metric":"http_req_duration","stat":"med"}"#, "11ms"),
        (
            r#"{"metric":"http_req_duration","stat":"p(99)"}"#,
            "missing: the metric `http_req_duration` has no `p(99)`; it has: avg, max, med, min, p(90), p(95)"
        ),
        (
            r#"{"metric":"http_req_duration{page:login}","stat":"p(95)"}"#,
            "missing: the metric `http_req_duration{page:login}` has no sample…"
        ),
        (r#"{"metric":"http_req_failed","stat":"rate"}"#, "0.01"),
        (r#"{"metric":"http_req_failed","stat":"fails"}"#, "99"),
        (r#"{"metric":"checks","stat":"rate"}"#, "missing: the metric `checks` has no sample…"),
        (r#"{"metric":"http_reqs","stat":"count"}"#, "100"),
        (r#"{"metric":"http_reqs","stat":"rate"}"#, "9.98/s"),
        (r#"{"metric":"data_received","stat":"count"}"#, "51200B"),
        (r#"{"metric":"data_received","stat":"rate"}"#, "5113.6B/s"),
        (r#"{"metric":"vus","stat":"max"}"#, "5"),
        (r#"{"metric":"cart_size","stat":"avg"}"#, "2.5"),
        (r#"{"metric":"nope","stat":"avg"}"#, "missing: the summary has no metric `nope`"),
    );
    table!(
        "k6",
        "k6/summary_export.json",
        (r#"{"metric":"http_req_duration","stat":"p(95)"}"#, "31.1ms"),
        (r#"{"metric":"http_reqs","stat":"count"}"#, "100"),
        (r#"{"metric":"http_reqs","stat":"rate"}"#, "9.98/s"),
        (r#"{"metric":"http_req_failed","stat":"value"}"#, "0.01"),
        (r#"{"metric":"checks","stat":"value"}"#, "missing: the metric `checks` has no sample…"),
        (r#"{"metric":"data_sent","stat":"count"}"#, "20480B"),
        (r#"{"metric":"cart_time","stat":"avg"}"#, "2.5"),
        (r#"{"metric":"cart_time","stat":"p(95)"}"#, "missing: the metric `cart_time` has no `p(95)`…"),
    );
    table!("k6", "generic/runs.json", (r#"{"metric":"a","stat":"avg"}"#, "unreadable: no summary of k6"));
}
