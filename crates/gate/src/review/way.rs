//! Ways to satisfy the letter of an assertion, by what is measured and how: each with the change that closes it.

use super::Context;
use super::loophole::Way;
use super::node::{Visibility, accepts_a_part, asks_for_absence, layout_measure, visibility};
use crate::audit::SourceKind;
use crate::lang::Lang;
use crate::pack::{Aggregate, Assertion, Criterion, Matcher, Probe, Scalar};
use crate::say;

/// The ways around one assertion, those of its value first, then those of its evidence.
pub(super) fn ways(
    criterion: &Criterion,
    assertion: &Assertion,
    context: &Context<'_>,
    lang: Lang,
) -> Vec<Way> {
    let mut list = List { lang, ways: Vec::new() };
    list.of_samples(assertion);
    list.of_text(assertion);
    match &criterion.probe {
        None => list.add(
            ("an auditor types a value that no file shows", "审计者填写的值没有任何文件佐证"),
            ("add a `probe` that reads it out of evidence", "添加 `probe`，从证据中读取"),
        ),
        Some(probe) => {
            list.of_reader(probe, assertion);
            list.of_collector(probe, context);
        }
    }
    list.of_source(criterion, assertion, context);
    list.ways
}

struct List {
    lang: Lang,
    ways: Vec<Way>,
}

impl List {
    fn add(&mut self, how: (&str, &str), cure: (&str, &str)) {
        let how = self.lang.pick(how.0, how.1).to_owned();
        let cure = self.lang.pick(cure.0, cure.1).to_owned();
        self.ways.push(Way { how, cure });
    }

    fn of_samples(&mut self, assertion: &Assertion) {
        match assertion.aggregate {
            Some(Aggregate::Any) => self.add(
                ("one good sample among any number of bad ones", "众多差样本中有一个好样本"),
                (
                    "leave `aggregate` out, so that every sample must hold",
                    "不写 `aggregate`，要求每个样本都成立",
                ),
            ),
            Some(Aggregate::Mean | Aggregate::Median) => self.add(
                ("a very bad sample behind many good ones", "很差的样本被许多好样本掩盖"),
                ("add a should, or a must, on `max` or `p95`", "再加一条针对 `max` 或 `p95` 的标准"),
            ),
            Some(Aggregate::Min) if matches!(assertion.matcher, Matcher::Lt | Matcher::Lte) => self.add(
                ("only the best sample counts", "只有最好的样本算数"),
                ("ask for `max`, or leave `aggregate` out", "改用 `max`，或不写 `aggregate`"),
            ),
            Some(Aggregate::Max) if matches!(assertion.matcher, Matcher::Gt | Matcher::Gte) => self.add(
                ("only the best sample counts", "只有最好的样本算数"),
                ("ask for `min`, or leave `aggregate` out", "改用 `min`，或不写 `aggregate`"),
            ),
            _ => {}
        }
    }

    fn of_text(&mut self, assertion: &Assertion) {
        if !accepts_a_part(assertion) {
            return;
        }
        if assertion.not {
            self.add(
                ("the same meaning in other words", "换一种说法表达同样的意思"),
                ("ask for the text that should be there, with `eq`", "用 `eq` 要求应有的文字"),
            );
        } else {
            self.add(
                (
                    "the text inside another that denies it, or among much else",
                    "该文字出现在否定它的句子里，或混在许多内容中",
                ),
                (
                    "ask for the whole text: `eq`, or `matches` with `^` and `$`",
                    "要求完整文字：用 `eq`，或在 `matches` 中写 `^` 与 `$`",
                ),
            );
        }
    }

    fn of_reader(&mut self, probe: &Probe, assertion: &Assertion) {
        match probe.reader.as_str() {
            "layout" => self.of_layout(probe, assertion),
            "trace" => {
                let (from, to) = (
                    ("a marker that the app itself writes, where it suits it", "标记由应用自己在有利的位置写入"),
                    ("name markers of the system, and the process that writes them with `process`", "使用系统写入的标记，并用 `process` 指定写入进程"),
                );
                self.add(from, to);
                if assertion.min_samples.unwrap_or(1) <= 1 && !matches!(measure(probe), "count" | "presence") {
                    self.one_lucky_run();
                }
            }
            "image" => self.add(
                ("a picture of another screen, or of another state of it", "截图属于另一个界面或另一种状态"),
                ("give the picture and its layout one `screen` in pipeline.yaml, and measure a text on that screen", "在 pipeline.yaml 中为截图与布局写同一个 `screen`，并测量该界面上的文字"),
            ),
            "hilog" => self.add(
                ("a line that the app logs itself, or keeps from logging", "由应用自己写入或刻意不写的日志行"),
                ("measure what the line speaks of in a trace or a layout tree", "改为在 trace 或布局树中测量日志所说的内容"),
            ),
            "testreport" => self.add(
                ("tests that are removed, skipped or emptied by the delivery", "交付删除、跳过或掏空了测试"),
                ("add a criterion on how many tests ran, and keep the tests out of what the agent may change", "再加一条标准约束执行的测试数量，并不让执行者修改测试"),
            ),
            "lint" => self.add(
                ("findings that the delivery suppresses in its own code or configuration", "交付在代码或配置中屏蔽了告警"),
                ("let the collector use a configuration of its own, and count suppressions", "让采集器使用自己的配置，并统计屏蔽注释"),
            ),
            "axe" => self.add(
                ("rules that are switched off, or elements that are left out, in the app's own configuration", "在应用自己的配置中关闭规则或排除元素"),
                ("let the collector use a configuration of its own, and name a `rule` or `tag` that has to be run", "让采集器使用自己的配置，并用 `rule` 或 `tag` 指定必须运行的规则"),
            ),
            "exit" => self.add(
                ("a program that ends with 0 whatever it found", "程序无论发现什么都以 0 结束"),
                ("read the report that the program writes", "改为读取该程序写出的报告"),
            ),
            "k6" => self.add(
                ("a run with little load, or against another server", "负载很小的运行，或指向另一台服务器"),
                ("add a criterion on how many requests there were: `stat: count` of `http_reqs`", "再加一条标准约束请求数量：`http_reqs` 的 `stat: count`"),
            ),
            "json" | "csv" | "xml" | "text" | "file" => self.add(
                ("a file that the agent wrote and committed in place of the tool's", "文件由智能体写入并提交，代替了工具的产出"),
                ("let the collector remove the file in the checkout and make it anew", "让采集器先删除检出目录中的文件再重新生成"),
            ),
            "frames" | "smartperf" | "cpu" | "memory" | "lighthouse" if assertion.min_samples.unwrap_or(1) <= 1 => self.one_lucky_run(),
            _ => {}
        }
    }

    fn one_lucky_run(&mut self) {
        self.add(
            ("one lucky run", "一次运气好的运行"),
            ("set `minSamples`, and bring several runs", "设置 `minSamples` 并采集多次运行"),
        );
    }

    fn of_layout(&mut self, probe: &Probe, assertion: &Assertion) {
        let measure = layout_measure(probe).unwrap_or_default();
        let is_absence = asks_for_absence(assertion);
        if visibility(probe) == Visibility::Unasked && !is_absence && !matches!(measure, "nodes" | "depth") {
            self.add(
                match measure {
                    "text" | "accessibleName" => {
                        ("a hidden node with the right text", "隐藏节点带有正确的文字")
                    }
                    m if m.starts_with("touchTarget") => {
                        ("a touch target that is not visible", "点击热区不可见")
                    }
                    _ => (
                        "a hidden node of the right size, place or number",
                        "隐藏节点具有正确的尺寸、位置或数量",
                    ),
                },
                ("add `visible=true` to `node`", "在 `node` 中加上 `visible=true`"),
            );
        }
        if !is_absence && !matches!(measure, "nodes" | "depth" | "overlapArea") {
            self.add(
                ("a layer that covers the node: the tree does not say what lies on top", "节点被其他图层盖住：布局树不说明谁在上层"),
                ("let a person look at the screenshot, or hold `overlapArea` with what could cover it to 0", "由人查看截图，或要求它与可能的遮挡物 `overlapArea` 为 0"),
            );
        }
        if measure.starts_with("touchTarget") {
            self.add(
                ("a target that is large and does not react", "热区够大但点击无反应"),
                (
                    "add `enabled=true` to `node`, and a criterion on what a tap does",
                    "在 `node` 中加上 `enabled=true`，并为点击效果添加标准",
                ),
            );
        }
        if !probe.with.contains_key("bundle") {
            self.add(
                ("a node of another app or of the system's bars", "节点属于其他应用或系统栏"),
                ("add `bundle`", "加上 `bundle`"),
            );
        }
        match text(probe, "pick") {
            Some("first" | "last") | Some("nth:1") => self.add(
                ("the other matches, which nobody looks at", "其余匹配的节点无人查看"),
                (
                    "select one node by its id, or measure them with `pick: all`",
                    "按 id 选择唯一节点，或用 `pick: all` 全部测量",
                ),
            ),
            Some("all") if assertion.min_samples.unwrap_or(1) <= 1 => self.add(
                ("fewer nodes than are meant", "节点比应有的少"),
                ("set `minSamples` to how many there should be", "把 `minSamples` 设为应有的数量"),
            ),
            _ => {}
        }
    }

    fn of_collector(&mut self, probe: &Probe, context: &Context<'_>) {
        let Some(collector) = context.collectors.get(&probe.evidence) else { return };
        if !collector.is_copied || collector.is_constant {
            return;
        }
        let name = &probe.evidence;
        let how = say!(
            self.lang,
            "`{name}` is copied, not made: nothing but its name ties it to the delivered commit",
            "`{name}` 是复制来的：除名称外没有什么把它与交付的提交联系起来"
        );
        let cure = say!(
            self.lang,
            "let `{name}` `run` in the checkout of the delivered commit",
            "让 `{name}` 用 `run` 在交付提交的检出目录中生成"
        );
        self.ways.push(Way { how, cure });
    }

    fn of_source(&mut self, criterion: &Criterion, assertion: &Assertion, context: &Context<'_>) {
        let of_probe = criterion.probe.as_ref().and_then(|probe| context.collectors.get(&probe.evidence));
        let sources = [assertion.source.as_ref(), of_probe.map(|collector| &collector.source)];
        let is_weak = |source: &&String| context.sources.get(*source) == Some(&SourceKind::Auxiliary);
        if let Some(source) = sources.into_iter().flatten().find(is_weak) {
            let how = say!(
                self.lang,
                "the app, or its agent, writes the value: `{source}` is auxiliary, such as a timer inside the app",
                "数值由应用或智能体写出：`{source}` 是辅助来源，例如应用内计时"
            );
            let cure = say!(
                self.lang,
                "take the value from outside, such as a trace of the system or a layout tree",
                "从外部取值，例如系统 trace 或布局树"
            );
            self.ways.push(Way { how, cure });
        }
    }
}

fn text<'p>(probe: &'p Probe, name: &str) -> Option<&'p str> {
    match probe.with.get(name) {
        Some(Scalar::Text(text)) => Some(text),
        _ => None,
    }
}

fn measure(probe: &Probe) -> &str {
    text(probe, "measure").unwrap_or_default()
}
