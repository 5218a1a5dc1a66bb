//! Every code this project can report, in one table: `docs/codes.md` is checked against it.
//!
//! The file is long because it is that table; it holds no logic.

use serde::{Deserialize, Serialize};

use crate::lang::Lang;
use crate::problem::Severity;

/// Declares the codes with their meaning and cure in both languages. The spelling in JSON is the name itself.
macro_rules! codes {
    ($($(#[$group:meta])* $variant:ident $name:literal { en: $en:literal, zh: $zh:literal, cure_en: $cure_en:literal, cure_zh: $cure_zh:literal })*) => {
        /// A stable code. The prefix is the severity: `E_` refuses, `W_` shows.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum Code {
            $(
                $(#[$group])*
                #[doc = concat!("`", $name, "`: ", $en)]
                #[serde(rename = $name)]
                $variant,
            )*
        }

        impl Code {
            /// All codes, in the order of the table.
            pub const ALL: &'static [Code] = &[$(Code::$variant),*];

            /// The spelling in reports and JSON.
            pub fn name(self) -> &'static str {
                match self { $(Code::$variant => $name),* }
            }

            /// What the code means, one sentence.
            pub fn meaning(self, lang: Lang) -> &'static str {
                match self { $(Code::$variant => lang.pick($en, $zh)),* }
            }

            /// What to do about it, one sentence.
            pub fn cure(self, lang: Lang) -> &'static str {
                match self { $(Code::$variant => lang.pick($cure_en, $cure_zh)),* }
            }
        }
    };
}

codes! {
    // The gate (LAW.md).
    ActualMissing "E_ACTUAL_MISSING" {
        en: "An asserted criterion was reported as passed, or left to its probe, and there is no value.",
        zh: "带断言的标准被报告为通过，或交由 probe 判定，却没有实测值。",
        cure_en: "Report `actual` with the measured value and its unit, or repair the collector that the probe reads.",
        cure_zh: "在 `actual` 中写出带单位的实测值，或修复 probe 所读取的采集器。" }
    VerdictContradicts "E_VERDICT_CONTRADICTS" {
        en: "The auditor wrote pass, and the value recomputes to fail.",
        zh: "审计者写的是通过，但按实测值重新计算的结果是不通过。",
        cure_en: "Fix the delivery, or correct the check: the value decides.",
        cure_zh: "修复交付物，或更正该检查：以实测值为准。" }
    FailDespitePass "W_FAIL_DESPITE_PASS" {
        en: "The auditor wrote fail although the value recomputes to pass; the fail stands.",
        zh: "实测值重新计算为通过，但审计者写的是不通过；以不通过为准。",
        cure_en: "Read the auditor's evidence: it names something that the assertion cannot see.",
        cure_zh: "请阅读审计者的证据：它指出了断言无法看到的问题。" }
    ActualInvalid "E_ACTUAL_INVALID" {
        en: "The value cannot be judged: it has no reading, or more than one.",
        zh: "实测值无法判定：没有读法，或不止一种读法。",
        cure_en: "Write one number with the unit of the assertion, as the message shows.",
        cure_zh: "按提示只写一个带断言单位的数值。" }
    ActualDisagrees "E_ACTUAL_DISAGREES" {
        en: "The auditor's value and the probe's value differ; the probe's is judged.",
        zh: "审计者填写的值与 probe 读出的值不同；以 probe 的值判定。",
        cure_en: "Leave `actual` out where a probe measures, or copy the probe's value exactly.",
        cure_zh: "有 probe 的标准不必填写 `actual`；要填就照抄 probe 的值。" }
    EvidenceEmpty "E_EVIDENCE_EMPTY" {
        en: "A check rests on nothing: its `evidence` holds no visible character.",
        zh: "检查没有任何依据：`evidence` 中没有可见字符。",
        cure_en: "Write in `evidence` what was looked at, on which device, and what was seen.",
        cure_zh: "在 `evidence` 中写明看了什么、在哪台设备上、看到了什么。" }
    CheckMissing "E_CHECK_MISSING" {
        en: "A must criterion has neither a check nor a probe that can judge it.",
        zh: "一条 must 标准既没有检查，也没有可以判定它的 probe。",
        cure_en: "Add a check for the criterion to a checks file, or give it a probe.",
        cure_zh: "在检查文件中为该标准补充检查，或为其配置 probe。" }
    ShouldUnchecked "W_CHECK_MISSING" {
        en: "A should criterion has neither a check nor a probe that can judge it.",
        zh: "一条 should 标准既没有检查，也没有可以判定它的 probe。",
        cure_en: "Add a check for the criterion, or leave it unverified knowingly.",
        cure_zh: "为该标准补充检查，或知情地保持未验证。" }
    CheckUnknown "E_CHECK_UNKNOWN" {
        en: "A check names a criterion that the frozen pack does not hold.",
        zh: "检查所指的标准不在冻结的验收包中。",
        cure_en: "Write `criterionId` to the letter as in the pack; spaces and case count.",
        cure_zh: "`criterionId` 须与验收包中的写法逐字一致；空格和大小写都算。" }
    CheckDuplicate "E_CHECK_DUPLICATE" {
        en: "One auditor wrote two checks for one criterion.",
        zh: "同一审计者为同一标准写了两条检查。",
        cure_en: "Keep one check a criterion in each checks file.",
        cure_zh: "每个检查文件中，每条标准只保留一条检查。" }
    AuditorsDisagree "E_AUDITORS_DISAGREE" {
        en: "Auditors differ on a criterion that has no assertion to decide.",
        zh: "审计者对一条没有断言的标准意见不一，无从裁定。",
        cure_en: "Let them look again at the same evidence, settle it by name with `cargo xtask settle`, or give the criterion an assertion.",
        cure_zh: "请他们对照同一份证据重新查看，用 `cargo xtask settle` 署名裁定，或为该标准写出断言。" }
    SourceAuxiliary "E_SOURCE_AUXILIARY" {
        en: "A pass rests on a source that the process being judged could have written, or that nobody declared.",
        zh: "通过所依据的来源可能由被评判的进程自己写出，或者没有人声明过。",
        cure_en: "Name a source that pipeline.yaml declares as independent, and take the value from its file.",
        cure_zh: "改用 pipeline.yaml 中声明为 independent 的来源，并从它的文件中取值。" }
    EvidenceMissing "E_EVIDENCE_MISSING" {
        en: "A named evidence file is not there.",
        zh: "所引用的证据文件不存在。",
        cure_en: "Gather the evidence again, or correct the path: it is relative to the round, such as evidence/layout.json.",
        cure_zh: "重新采集证据，或更正路径：路径相对于轮次目录，如 evidence/layout.json。" }
    EvidenceChanged "E_EVIDENCE_CHANGED" {
        en: "A named evidence file has other bytes than were recorded.",
        zh: "所引用的证据文件与记录的字节不一致。",
        cure_en: "Restore the recorded file from git, or gather the evidence again.",
        cure_zh: "从 git 恢复所记录的文件，或重新采集证据。" }
    EvidenceStale "E_EVIDENCE_STALE" {
        en: "A named evidence file belongs to another round or delivered commit.",
        zh: "所引用的证据文件属于另一轮次或另一次交付提交。",
        cure_en: "Gather evidence of this round from the delivered commit.",
        cure_zh: "针对本轮交付的提交重新采集证据。" }
    EvidenceBlank "E_EVIDENCE_BLANK" {
        en: "An evidence file is empty.",
        zh: "证据文件为空。",
        cure_en: "Read the collector's log, repair it, and gather again.",
        cure_zh: "查看采集器日志，修复后重新采集。" }
    EvidenceUndecodable "E_EVIDENCE_UNDECODABLE" {
        en: "An evidence file does not decode as what its name says.",
        zh: "证据文件无法按其名称所示的格式解码。",
        cure_en: "Gather it again whole, or give the collector's output its true ending.",
        cure_zh: "重新完整采集，或为采集器的 output 使用正确的扩展名。" }
    EvidenceFlat "E_EVIDENCE_FLAT" {
        en: "A screenshot is of one colour all over, so it shows nothing.",
        zh: "截图为纯色，什么也没有显示。",
        cure_en: "Wake the device, open the page, and gather again.",
        cure_zh: "唤醒设备、打开页面后重新采集。" }
    EvidenceSize "E_EVIDENCE_SIZE" {
        en: "A screenshot has another size than the layout of the same screen.",
        zh: "截图与同一界面的布局尺寸不同。",
        cure_en: "Gather both from the same device in the same orientation.",
        cure_zh: "在同一设备、同一方向上采集两者。" }
    EvidenceTwin "E_EVIDENCE_TWIN" {
        en: "The files of two different screens have the same bytes.",
        zh: "两个不同界面的文件字节完全相同。",
        cure_en: "Open the second screen before it is gathered, or give both collectors the same `screen`.",
        cure_zh: "采集前先打开第二个界面，或让两个采集器使用同一个 `screen`。" }
    EvidenceRepeated "E_EVIDENCE_REPEATED" {
        en: "A file has the same bytes as in the round before, although the code under it changed.",
        zh: "文件与上一轮字节完全相同，而代码已经改变。",
        cure_en: "Gather it again from the delivered commit, or write `constant: true` on a collector whose file does not depend on the code.",
        cure_zh: "从交付的提交重新采集，或为内容与代码无关的采集器写上 `constant: true`。" }
    PackDrift "E_PACK_DRIFT" {
        en: "The pack is not the one that was frozen.",
        zh: "验收包已不是冻结时的那一份。",
        cure_en: "Restore the frozen pack, or freeze the new one knowingly and begin again.",
        cure_zh: "恢复冻结时的验收包，或明确地重新冻结并重新开始。" }
    NothingEvaluated "E_NOTHING_EVALUATED" {
        en: "No criterion was evaluated, or fewer criteria are listed than the lock declares.",
        zh: "没有任何标准得到评估，或所列标准少于锁文件声明的数量。",
        cure_en: "Have the criteria checked: a delivery of which nothing is known is not accepted.",
        cure_zh: "请对标准进行检查；一无所知的交付不会被接受。" }
    WaiverExpired "E_WAIVER_EXPIRED" {
        en: "A waiver had ended by the instant of the audit.",
        zh: "豁免在审计时刻已经到期。",
        cure_en: "Fix what was waived, or let its owner decide again with a new expiry.",
        cure_zh: "修复被豁免的问题，或由负责人重新决定并给出新的期限。" }
    WaiverUnused "E_WAIVER_UNUSED" {
        en: "A waiver covers nothing: no such criterion, or no honest fail.",
        zh: "豁免没有对象：没有这条标准，或它不是如实报告的不通过。",
        cure_en: "Remove the waiver; it covers only a fail that was reported as a fail.",
        cure_zh: "删除该豁免；豁免只覆盖如实报告的不通过。" }
    ActualRestates "W_ACTUAL_RESTATES" {
        en: "The value only repeats the threshold instead of a measurement.",
        zh: "实测值只是重复了阈值，而不是测量结果。",
        cure_en: "Write the number that was measured, such as 720ms.",
        cure_zh: "写出测得的数值，例如 720ms。" }
    CriterionNoAssertion "W_CRITERION_NO_ASSERTION" {
        en: "A must criterion states a number and has no assertion: two auditors will read it differently.",
        zh: "一条 must 标准写了数字却没有断言：两位审计者会有两种看法。",
        cure_en: "Put the number into an assertion: matcher, expected, unit, source.",
        cure_zh: "把数字写进断言：matcher、expected、unit、source。" }
    // Reading a file.
    Syntax "E_SYNTAX" {
        en: "The text is not well-formed YAML or JSON.",
        zh: "文本不是合法的 YAML 或 JSON。",
        cure_en: "Correct the text at the place shown.",
        cure_zh: "请更正所示位置的文本。" }
    Encoding "E_ENCODING" {
        en: "The file is not UTF-8.",
        zh: "文件不是 UTF-8 编码。",
        cure_en: "Save the file as UTF-8.",
        cure_zh: "请将文件保存为 UTF-8。" }
    LimitSize "E_LIMIT_SIZE" {
        en: "The file is larger than the stated limit.",
        zh: "文件超过了规定的大小上限。",
        cure_en: "Split the file, or move bulk data into evidence files.",
        cure_zh: "拆分文件，或把大量数据移入证据文件。" }
    LimitDepth "E_LIMIT_DEPTH" {
        en: "The text nests deeper than the stated limit.",
        zh: "文本的嵌套深度超过了规定上限。",
        cure_en: "Flatten the text; nothing here needs that depth.",
        cure_zh: "请减少嵌套；这里没有需要如此深度的内容。" }
    LimitAliases "E_LIMIT_ALIASES" {
        en: "The text repeats itself through more aliases than the stated limit.",
        zh: "文本通过别名重复自身，超过了规定上限。",
        cure_en: "Write the repeated parts out.",
        cure_zh: "请直接写出重复的部分。" }
    LimitCount "E_LIMIT_COUNT" {
        en: "A list holds more entries than the stated limit.",
        zh: "列表条目数超过了规定上限。",
        cure_en: "Split the feature into several.",
        cure_zh: "请将功能拆分为多个。" }
    LimitLength "E_LIMIT_LENGTH" {
        en: "A text is longer than the stated limit.",
        zh: "文字长度超过了规定上限。",
        cure_en: "Shorten the text, or move the detail into a document beside the pack.",
        cure_zh: "缩短文字，或把细节移入验收包旁的文档。" }
    DocumentsMultiple "E_DOCUMENTS_MULTIPLE" {
        en: "The file holds more than one YAML document.",
        zh: "文件包含不止一个 YAML 文档。",
        cure_en: "Keep one document a file: remove the line `---` between them.",
        cure_zh: "每个文件只保留一个文档：删除其间的 `---` 行。" }
    TagUnknown "E_TAG_UNKNOWN" {
        en: "The text carries a YAML tag, which nothing here reads.",
        zh: "文本带有 YAML 标签，此处不读取任何标签。",
        cure_en: "Remove the tag; quote the value if it is meant as text.",
        cure_zh: "删除标签；若本意是文字，请加引号。" }
    MergeKey "E_MERGE_KEY" {
        en: "The text uses the merge key `<<`, which readers of YAML treat differently.",
        zh: "文本使用了合并键 `<<`，不同的 YAML 解析器对它的处理不同。",
        cure_en: "Write the merged fields out.",
        cure_zh: "请直接写出被合并的字段。" }
    ValueAmbiguous "E_VALUE_AMBIGUOUS" {
        en: "Readers of YAML take the plain text as different values.",
        zh: "不同的 YAML 解析器会把这段无引号文本读成不同的值。",
        cure_en: "Quote it if it is text; write true or false, or a plain decimal number, if it is not.",
        cure_zh: "若是文字请加引号；否则请写 true、false 或普通十进制数。" }
    ReadingsDiffer "E_READINGS_DIFFER" {
        en: "Two YAML parsers read the document differently, so that it has no single reading.",
        zh: "两个 YAML 解析器对文档的读法不同，因此它没有唯一读法。",
        cure_en: "Write the place shown more plainly: quote the text, and keep it on one line.",
        cure_zh: "把所示位置写得更朴素：给文字加引号，并写在一行内。" }
    NumberInexact "E_NUMBER_INEXACT" {
        en: "A decoder of JSON cannot hold the number exactly.",
        zh: "JSON 解码器无法精确保存的数字。",
        cure_en: "Quote the number: as text it is read exactly.",
        cure_zh: "请给数字加引号：作为文字会被精确读取。" }
    FieldUnknown "E_FIELD_UNKNOWN" {
        en: "Nothing here reads the field.",
        zh: "没有任何地方读取的字段。",
        cure_en: "Correct its name as suggested, or remove it.",
        cure_zh: "按提示更正字段名，或将其删除。" }
    FieldMissing "E_FIELD_MISSING" {
        en: "A required field is not there.",
        zh: "缺少必需的字段。",
        cure_en: "Add the field.",
        cure_zh: "请补充该字段。" }
    FieldType "E_FIELD_TYPE" {
        en: "A field holds another kind of value than is read there.",
        zh: "字段的值不是该处所需的类型。",
        cure_en: "Write the kind of value that the message names.",
        cure_zh: "请写成消息所说的类型。" }
    KeyDuplicate "E_KEY_DUPLICATE" {
        en: "One mapping holds a key twice.",
        zh: "同一映射中某个键出现了两次。",
        cure_en: "Keep one of the two.",
        cure_zh: "请只保留其中一个。" }
    ValueUnknown "E_VALUE_UNKNOWN" {
        en: "The word is not one of those that are read there.",
        zh: "不在该处可用取值之内的词。",
        cure_en: "Write one of the words that the message lists.",
        cure_zh: "请使用消息中列出的词之一。" }
    // The pack, the checks and the waivers.
    IdDuplicate "E_ID_DUPLICATE" {
        en: "Two entries share one id.",
        zh: "两个条目使用了同一个 id。",
        cure_en: "Give each its own id.",
        cure_zh: "请为每个条目使用各自的 id。" }
    IdInvalid "E_ID_INVALID" {
        en: "An id is empty, cannot be seen in full, or is unsafe in a file name.",
        zh: "id 为空、含有不可见字符，或不能安全地用于文件名。",
        cure_en: "Use letters, digits, dots, hyphens and underscores, such as P-01.",
        cure_zh: "请使用字母、数字、点、连字符和下划线，例如 P-01。" }
    MatcherUnknown "E_MATCHER_UNKNOWN" {
        en: "There is no such matcher.",
        zh: "不存在的匹配器。",
        cure_en: "Write one of the matchers that the message lists.",
        cure_zh: "请使用消息中列出的匹配器之一。" }
    AssertionInvalid "E_ASSERTION_INVALID" {
        en: "The assertion cannot be judged as it is written.",
        zh: "断言按现在的写法无法判定。",
        cure_en: "Correct the field shown, as the message says.",
        cure_zh: "按消息所说更正所示字段。" }
    VerifyMissing "E_VERIFY_MISSING" {
        en: "A must criterion does not say how a person would check it.",
        zh: "must 标准没有说明人应如何验证。",
        cure_en: "Add `verify`: the tool, the screen, the steps.",
        cure_zh: "请补充 `verify`：工具、界面、步骤。" }
    RequirementUnknown "E_REQUIREMENT_UNKNOWN" {
        en: "A criterion covers a requirement that the pack does not hold.",
        zh: "标准所覆盖的需求不在验收包中。",
        cure_en: "Correct the id under `covers`, or add the requirement.",
        cure_zh: "更正 `covers` 中的 id，或补充该需求。" }
    PackEmpty "E_PACK_EMPTY" {
        en: "The pack holds no criterion.",
        zh: "验收包中没有任何标准。",
        cure_en: "Add at least one criterion: an empty pack accepts nothing.",
        cure_zh: "请至少写一条标准：空的验收包什么也不能接受。" }
    PackMissing "E_PACK_MISSING" {
        en: "The feature has no pack.",
        zh: "功能没有验收包。",
        cure_en: "Write pack.yaml in the feature's folder, or make a starter with `cargo xtask new`.",
        cure_zh: "在功能目录中编写 pack.yaml，或用 `cargo xtask new` 生成初稿。" }
    WaiverInvalid "E_WAIVER_INVALID" {
        en: "A waiver lacks a criterion, an owner, a reason, or an instant with a zone.",
        zh: "豁免缺少标准、负责人、理由，或带时区的时刻。",
        cure_en: "Write all four; `expires` as in 2026-12-31T00:00:00+08:00.",
        cure_zh: "四项都要写；`expires` 形如 2026-12-31T00:00:00+08:00。" }
    WaiverDuplicate "E_WAIVER_DUPLICATE" {
        en: "Two waivers name one criterion.",
        zh: "两条豁免指向同一标准。",
        cure_en: "Keep one.",
        cure_zh: "请只保留一条。" }
    // The review of a pack.
    DimensionEmpty "E_DIMENSION_EMPTY" {
        en: "A dimension has no criterion and is not declared out of scope.",
        zh: "某个维度没有任何标准，也没有声明不在范围内。",
        cure_en: "Add a must to it, or give the reason under `outOfScope`.",
        cure_zh: "为它补充一条 must，或在 `outOfScope` 中写明理由。" }
    DimensionNoMust "W_DIMENSION_NO_MUST" {
        en: "A dimension has only shoulds: nothing in it can fail the delivery.",
        zh: "某个维度只有 should：其中没有任何一条能使交付不通过。",
        cure_en: "Make one of them a must, or give the reason under `outOfScope`.",
        cure_zh: "将其中一条改为 must，或在 `outOfScope` 中写明理由。" }
    AssertionVacuous "E_ASSERTION_VACUOUS" {
        en: "No plausible value fails the assertion.",
        zh: "任何合理的值都能满足的断言。",
        cure_en: "Tighten it until a bad delivery would fail it.",
        cure_zh: "收紧断言，直到差的交付会不通过。" }
    AssertionProposed "E_ASSERTION_PROPOSED" {
        en: "An assertion was proposed by an importer, and no person has confirmed it.",
        zh: "断言是导入时给出的建议，尚无人确认。",
        cure_en: "Compare it with the statement, correct it, name its source, and remove `proposed: true`.",
        cure_zh: "请与陈述核对并更正，写明 `source`，然后删除 `proposed: true`。" }
    AssertionImpossible "E_ASSERTION_IMPOSSIBLE" {
        en: "No value can satisfy the assertion.",
        zh: "没有任何值能满足的断言。",
        cure_en: "Correct the threshold, its sign or its unit.",
        cure_zh: "更正阈值、符号或单位。" }
    AssertionsContradict "E_ASSERTIONS_CONTRADICT" {
        en: "Two musts ask opposite things of one value.",
        zh: "两条 must 对同一个值提出相反的要求。",
        cure_en: "Correct one of the two thresholds.",
        cure_zh: "更正两个阈值中的一个。" }
    StatementDisagrees "W_STATEMENT_DISAGREES" {
        en: "The threshold of the statement is not that of the assertion.",
        zh: "陈述中的阈值与断言的阈值不一致。",
        cure_en: "Write one threshold in both, or leave the number out of the statement.",
        cure_zh: "两处写同一个阈值，或不在陈述中写数字。" }
    StatementContradicts "E_STATEMENT_CONTRADICTS" {
        en: "The assertion of a must accepts values that its statement rules out.",
        zh: "must 的断言会接受其陈述所排除的值。",
        cure_en: "Write the statement's threshold and comparison in the assertion, or change the statement too.",
        cure_zh: "在断言中写上陈述的阈值与比较方向，或同时修改陈述。" }
    UnitDisagrees "E_UNIT_DISAGREES" {
        en: "A must has one number in its statement and in its assertion, with units that do not convert.",
        zh: "must 的陈述与断言数字相同，单位却不能换算。",
        cure_en: "Write the statement's unit in `unit` of the assertion.",
        cure_zh: "在断言的 `unit` 中写上陈述的单位。" }
    ReviewerObjects "E_REVIEWER_OBJECTS" {
        en: "A reviewer names a delivery that would pass and is not what is wanted, and says that it blocks; or as many reviewers as the quorum name it.",
        zh: "评审者指出了一种能通过却不是所要的交付，并认为应当阻塞；或指出它的评审者达到了法定数量。",
        cure_en: "Change the pack so that this delivery would fail, or answer the finding with `cargo xtask respond`.",
        cure_zh: "修改验收包，使这种交付不能通过；或用 `cargo xtask respond` 答复该发现。" }
    ReviewerDoubts "W_REVIEWER_DOUBTS" {
        en: "A reviewer names a delivery that would pass and may not be what is wanted.",
        zh: "评审者指出了一种能通过、但可能不是所要的交付。",
        cure_en: "Change the pack so that this delivery would fail, or leave it knowingly.",
        cure_zh: "修改验收包，使这种交付不能通过；或知情地保持原样。" }
    ReviewerFailed "E_REVIEWER_FAILED" {
        en: "A reviewer that is a program could not do its work, or answered what cannot be read: that is a failed review, and never one without findings.",
        zh: "作为评审者的程序未能完成工作，或其回答无法读取：这是失败的评审，绝不等于没有发现。",
        cure_en: "Read its log under the delivery's `logs/`, mend it so that it answers JSON alone, and run the review again.",
        cure_zh: "查看交付目录 `logs/` 下的日志，修复程序使其只回答 JSON，然后重新运行预审。" }
    FindingUnknown "E_FINDING_UNKNOWN" {
        en: "What was to be answered or applied is no open finding of the review, or it was answered without a name or a reason.",
        zh: "要答复或应用的不是预审中的发现，或答复没有写明姓名或理由。",
        cure_en: "Name one of the findings that the message lists; a pack that changed has others.",
        cure_zh: "请使用消息中列出的发现；验收包改动后，发现的编号也会不同。" }
    TextPassword "W_TEXT_PASSWORD" {
        en: "A text of the pack holds what looks like the password of a test account.",
        zh: "验收包的文字中有疑似测试账号的密码。",
        cure_en: "Say where testers find the account, and keep the password out of git where it opens anything real.",
        cure_zh: "写明测试人员在哪里取得该账号；如果密码能打开任何真实的东西，就不要写进 git。" }
    StatementRepeated "W_STATEMENT_REPEATED" {
        en: "Two criteria make the same statement, or nearly so.",
        zh: "两条标准的陈述相同或几乎相同。",
        cure_en: "Merge the two, or say what differs.",
        cure_zh: "合并两条，或写明差别。" }
    AssertionRepeated "W_ASSERTION_REPEATED" {
        en: "Two criteria of one weight hold one value to the same threshold, or one of them asks for nothing beyond the other.",
        zh: "两条同等权重的标准对同一个值要求相同，或其中一条没有更多要求。",
        cure_en: "Merge the two, or measure something else in one of them.",
        cure_zh: "合并两条，或让其中一条测量别的内容。" }
    ToleranceWide "E_TOLERANCE_WIDE" {
        en: "A tolerance is half of the expected value or more: what is accepted is hardly that value.",
        zh: "容差达到期望值的一半或更多：所接受的几乎不再是该值。",
        cure_en: "Write the tolerance that the instrument needs, such as 1/density for vp.",
        cure_zh: "按测量手段所需写容差，例如 vp 为 1/密度。" }
    ToleranceLoose "W_TOLERANCE_WIDE" {
        en: "A tolerance is a fifth of the expected value or more: another step of a design's scale would pass too.",
        zh: "容差达到期望值的五分之一或更多：设计规范中的相邻档位也会通过。",
        cure_en: "Write the tolerance that the instrument needs, such as 1/density for vp.",
        cure_zh: "按测量手段所需写容差，例如 vp 为 1/密度。" }
    NodeHidden "E_NODE_HIDDEN" {
        en: "A must accepts a part of a text from a node that nobody need see.",
        zh: "must 会接受不可见节点中的部分文字。",
        cure_en: "Add `visible=true` to the probe's `node`, and ask for the whole text with `eq`.",
        cure_zh: "在 probe 的 `node` 中加上 `visible=true`，并用 `eq` 要求完整文字。" }
    NodeUnseen "W_NODE_UNSEEN" {
        en: "An assertion on a node's text or presence does not ask that it can be seen.",
        zh: "对节点文字或存在的断言没有要求该节点可见。",
        cure_en: "Add `visible=true` to the probe's `node`.",
        cure_zh: "在 probe 的 `node` 中加上 `visible=true`。" }
    JudgeUnnamed "W_JUDGE_UNNAMED" {
        en: "A criterion that only a person can judge does not say who looks, at what, or when.",
        zh: "只能由人判断的标准没有写明谁看、看什么、什么时候看。",
        cure_en: "Say all three in `verify`: the designer looks at the empty state on a device, in light and dark.",
        cure_zh: "在 `verify` 中写明三者：设计师在真机上，分别用浅色和深色查看空态。" }
    WordVague "W_WORD_VAGUE" {
        en: "A must rests on a word that two people read differently.",
        zh: "must 依赖含义因人而异的词。",
        cure_en: "Say what would be seen or measured, with a number if there is one, or make it a should.",
        cure_zh: "写明能看到或测到什么，能用数字就用数字，或改为 should。" }
    ObjectivityClaimed "W_OBJECTIVITY_CLAIMED" {
        en: "A criterion without an assertion claims to be objective or measured by a machine.",
        zh: "没有断言的标准自称客观或由机器测量。",
        cure_en: "Add the assertion that would make it so, or say whose judgement it is.",
        cure_zh: "补充使其成立的断言，或写明这是谁的判断。" }
    CriterionUntied "W_CRITERION_UNTIED" {
        en: "A criterion covers no requirement, in a pack that lists requirements.",
        zh: "验收包列出了需求，但某条标准没有覆盖任何需求。",
        cure_en: "Name the requirement under `covers`, or add the one that it stands for.",
        cure_zh: "在 `covers` 中写上需求，或补充它所体现的需求。" }
    StateUnasked "W_STATE_UNASKED" {
        en: "Nothing in the pack speaks of a state that users will meet: error, empty, offline, large font, dark mode or landscape.",
        zh: "验收包没有提到用户会遇到的某个状态：出错、空态、离线、大字体、深色模式或横屏。",
        cure_en: "Add a criterion for it, or give the reason under `outOfScope`.",
        cure_zh: "为它补充标准，或在 `outOfScope` 中写明理由。" }
    TextInvisible "E_TEXT_INVISIBLE" {
        en: "A text of the pack holds characters that reorder it or cannot be seen.",
        zh: "验收包的文字中含有改变显示顺序或不可见的字符。",
        cure_en: "Remove the character: what is read must be what is judged.",
        cure_zh: "删除该字符：看到的必须就是被评判的。" }
    TextSecret "E_TEXT_SECRET" {
        en: "A text of the pack holds what looks like a key, token or password.",
        zh: "验收包的文字中含有疑似密钥、令牌或密码的内容。",
        cure_en: "Remove it and revoke it: packs are committed, and sent to whoever works.",
        cure_zh: "删除并作废它：验收包会被提交，也会发给执行者。" }
    TextInstructs "E_TEXT_INSTRUCTS" {
        en: "A text of the pack tells a reviewer or a model to set its rules aside, or what to answer.",
        zh: "验收包的文字要求评审者或模型抛开规则，或指定其结论。",
        cure_en: "Say what the feature does; how it is judged is not for the pack to say.",
        cure_zh: "请只写功能要做什么；如何评判不由验收包决定。" }
    TextOrders "W_TEXT_INSTRUCTS" {
        en: "A text of the pack may be meant for whoever judges: a verdict, a role or an order to disregard something.",
        zh: "验收包的文字可能是写给评判者的：结论、角色，或要求忽略某些内容。",
        cure_en: "Say what the feature does, and put words that are on the screen in quotation marks.",
        cure_zh: "请只写功能要做什么；界面上的文字请加引号。" }
    TextTemplate "W_TEXT_TEMPLATE" {
        en: "A text of the pack holds template syntax or a placeholder that nothing fills in.",
        zh: "验收包的文字中含有无人填充的模板语法或占位符。",
        cure_en: "Write the text itself.",
        cure_zh: "请写出文字本身。" }
    TextPath "W_TEXT_PATH" {
        en: "A text of the pack names an absolute path of one machine.",
        zh: "验收包的文字中写有某台机器的绝对路径。",
        cure_en: "Write the path relative to the repository, or leave it out.",
        cure_zh: "请写相对于仓库的路径，或不写。" }
    RequirementUncovered "W_REQUIREMENT_UNCOVERED" {
        en: "No criterion covers a requirement, or only shoulds do.",
        zh: "没有标准覆盖某项需求，或只有 should 覆盖它。",
        cure_en: "Name it under `covers` of the criterion that shows it, or add one.",
        cure_zh: "在能体现它的标准的 `covers` 中写上它，或新增一条标准。" }
    SamplesFew "W_SAMPLES_FEW" {
        en: "A statistic over too few samples, or a must on performance that one lucky sample decides.",
        zh: "统计所依据的样本太少，或性能 must 只凭一个样本就能通过。",
        cure_en: "Set `minSamples` to as many as make the value mean something, and bring as many.",
        cure_zh: "把 `minSamples` 设为使数值有意义的数量，并采集同样多的样本。" }
    SourceDiffers "W_SOURCE_DIFFERS" {
        en: "A probe reads a file of another source than its assertion names.",
        zh: "probe 所读文件的来源与断言所写的来源不同。",
        cure_en: "Write the collector's source in the assertion, or read another collector.",
        cure_zh: "在断言中写采集器的来源，或改读其他采集器。" }
    RuleWeaker "W_RULE_WEAKER" {
        en: "An assertion asks for less than the default rule that its criterion cites.",
        zh: "断言的要求低于其标准所引用的默认规则。",
        cure_en: "Ask for what the rule asks for, or cite a rule of the team's own in `ruleId`.",
        cure_zh: "按规则的要求写，或在 `ruleId` 中引用团队自己的规则。" }
    CollectorUnknown "E_COLLECTOR_UNKNOWN" {
        en: "A probe reads a collector that the pipeline does not declare.",
        zh: "probe 所读取的采集器没有在流水线中声明。",
        cure_en: "Declare the collector in pipeline.yaml, or correct `probe.evidence`.",
        cure_zh: "在 pipeline.yaml 中声明该采集器，或更正 `probe.evidence`。" }
    ProbeInvalid "E_PROBE_INVALID" {
        en: "A probe names a reader or a parameter that does not exist.",
        zh: "probe 使用了不存在的读取器或参数。",
        cure_en: "List readers and their parameters with `cargo xtask probe --list`.",
        cure_zh: "用 `cargo xtask probe --list` 查看读取器及其参数。" }
    // The pipeline.
    FeatureMissing "E_FEATURE_MISSING" {
        en: "There is no such feature.",
        zh: "没有这个功能。",
        cure_en: "Correct the name, or make the feature with `cargo xtask new`.",
        cure_zh: "更正名称，或用 `cargo xtask new` 新建该功能。" }
    FeatureName "E_FEATURE_NAME" {
        en: "A feature's id is unsafe as a folder's name, or is not the name of its folder.",
        zh: "功能 id 不能安全地用作目录名，或与目录名不一致。",
        cure_en: "Use lower-case letters, digits and single hyphens, such as login-page.",
        cure_zh: "请使用小写字母、数字和单个连字符，例如 login-page。" }
    PipelineMissing "E_PIPELINE_MISSING" {
        en: "There is no pipeline.yaml.",
        zh: "没有 pipeline.yaml。",
        cure_en: "Run the command in the repository's root, or write pipeline.yaml there.",
        cure_zh: "在仓库根目录运行命令，或在那里编写 pipeline.yaml。" }
    StageUnknown "E_STAGE_UNKNOWN" {
        en: "A stage uses a built-in, or needs a stage, that does not exist.",
        zh: "阶段使用的内置功能或依赖的阶段不存在。",
        cure_en: "Write one of the stages that the message lists.",
        cure_zh: "请使用消息中列出的阶段之一。" }
    StageCycle "E_STAGE_CYCLE" {
        en: "Stages wait for one another in a circle, which may go through the fixed order of the built-in ones.",
        zh: "阶段之间循环等待；内置阶段的固定顺序也计算在内。",
        cure_en: "Remove one `needs` among the stages that the message lists.",
        cure_zh: "在消息所列的阶段中去掉一条 `needs`。" }
    StageNeeds "E_STAGE_NEEDS" {
        en: "One of the seven built-in stages is not there, or a stage that happens once needs one that happens in every round.",
        zh: "缺少七个内置阶段之一，或只执行一次的阶段依赖了每轮都执行的阶段。",
        cure_en: "Add the stage that the message names, or write `each: round`.",
        cure_zh: "加入消息所指的阶段，或写上 `each: round`。" }
    CollectorMissing "E_COLLECTOR_MISSING" {
        en: "A collector's program is not installed.",
        zh: "采集器所需的程序没有安装。",
        cure_en: "Install the program, or put it on PATH.",
        cure_zh: "安装该程序，或将其加入 PATH。" }
    CollectorFailed "E_COLLECTOR_FAILED" {
        en: "A collector did not give its file.",
        zh: "采集器没有产出它的文件。",
        cure_en: "Read its log, repair it, and run the evidence stage again.",
        cure_zh: "阅读日志，修复后重新运行证据阶段。" }
    AuditorFailed "E_AUDITOR_FAILED" {
        en: "An auditor that is a program could not do its work, or answered what cannot be read.",
        zh: "作为审计者的程序未能完成工作，或其回答无法读取。",
        cure_en: "Read its log in the round's folder, mend it so that it prints checks alone, and deliver again.",
        cure_zh: "查看该轮目录中的日志，修复程序使其只输出检查结果，然后重新交付。" }
    ExecutorUnknown "E_EXECUTOR_UNKNOWN" {
        en: "There is no such executor.",
        zh: "没有这个执行者。",
        cure_en: "Write one of the executors that the message lists.",
        cure_zh: "请使用消息中列出的执行者之一。" }
    ExecutorFailed "E_EXECUTOR_FAILED" {
        en: "An executor could not begin: its program is not installed, or no work is recorded for the round.",
        zh: "执行者无法开始：程序没有安装，或本轮没有录制的工作。",
        cure_en: "Install the program, record the work, or choose another executor in pipeline.yaml.",
        cure_zh: "安装该程序、补上录制，或在 pipeline.yaml 中选择其他执行者。" }
    PathUnsafe "E_PATH_UNSAFE" {
        en: "A path leaves the folder that it belongs in, or a name is unsafe as part of one.",
        zh: "路径越出了所属目录，或名称不能安全地用于路径。",
        cure_en: "Write a relative path with forward slashes and without `..`.",
        cure_zh: "请使用相对路径和正斜杠，且不含 `..`。" }
    Template "E_TEMPLATE" {
        en: "A template cannot be rendered.",
        zh: "模板无法渲染。",
        cure_en: "Correct the template at the place shown.",
        cure_zh: "请更正所示位置的模板。" }
    PlaceholderUnknown "E_PLACEHOLDER_UNKNOWN" {
        en: "A command holds a placeholder that does not exist.",
        zh: "命令中有不存在的占位符。",
        cure_en: "Write one of the placeholders that the message lists.",
        cure_zh: "请使用消息中列出的占位符之一。" }
    NotFrozen "E_NOT_FROZEN" {
        en: "The pack is not frozen yet.",
        zh: "验收包尚未冻结。",
        cure_en: "Freeze it with `cargo xtask freeze`, or deliver, which begins with that.",
        cure_zh: "用 `cargo xtask freeze` 冻结它，或直接运行从冻结开始的 deliver。" }
    AppDirty "E_APP_DIRTY" {
        en: "The app's working tree has changes that no commit holds.",
        zh: "应用工作区有未提交的改动。",
        cure_en: "Commit or discard them, so that what is judged is what was delivered.",
        cure_zh: "请提交或丢弃改动，使被评判的就是所交付的。" }
    BaseMoved "E_BASE_MOVED" {
        en: "The base of the app is no longer the commit that the delivery began from.",
        zh: "应用的基线已不是交付开始时的提交。",
        cure_en: "Set `app.base` to the commit that the delivery began from, or deliver from the new one under another id.",
        cure_zh: "把 `app.base` 设为交付开始时的提交，或以另一个 id 从新的提交开始交付。" }
    AppMissing "E_APP_MISSING" {
        en: "The app, or the commit of it that is needed, is not there.",
        zh: "找不到应用，或应用中没有所需的提交。",
        cure_en: "Correct `app` in pipeline.yaml, or fetch the commit.",
        cure_zh: "更正 pipeline.yaml 中的 `app`，或取回该提交。" }
    Git "E_GIT" {
        en: "Git is not installed, or a git command failed.",
        zh: "git 没有安装，或 git 命令失败。",
        cure_en: "Do what git's own words in the message ask for, then run the command again.",
        cure_zh: "按消息中 git 的提示处理，然后重新运行该命令。" }
    ArtifactMissing "E_ARTIFACT_MISSING" {
        en: "A stage needs what an earlier stage has not written yet.",
        zh: "某阶段需要的文件，前面的阶段还没有写出。",
        cure_en: "Run the stage that the message names, or deliver, which runs them all.",
        cure_zh: "运行消息所指的阶段，或运行会执行全部阶段的 deliver。" }
    ArtifactBroken "E_ARTIFACT_BROKEN" {
        en: "A file that the pipeline wrote can no longer be read, or contradicts itself.",
        zh: "流水线写出的文件已无法读取，或自相矛盾。",
        cure_en: "Restore it from git, or remove it and run its stage again.",
        cure_zh: "从 git 恢复它，或删除后重新运行其阶段。" }
    PackAmbiguous "E_PACK_AMBIGUOUS" {
        en: "A feature has more than one pack.",
        zh: "一个功能有不止一个验收包。",
        cure_en: "Keep one of pack.yaml, pack.yml and pack.json.",
        cure_zh: "在 pack.yaml、pack.yml、pack.json 中只保留一个。" }
    FeatureExists "E_FEATURE_EXISTS" {
        en: "There is a pack already where a starter was asked for.",
        zh: "要生成初稿的位置已有验收包。",
        cure_en: "Edit the pack that is there, or choose another id.",
        cure_zh: "直接编辑已有的验收包，或换一个 id。" }
    ImportNothing "E_IMPORT_NOTHING" {
        en: "The file holds nothing that can be imported as what it was called.",
        zh: "文件中没有可按所指格式导入的内容。",
        cure_en: "Name the format that the file has, or mend the line that is named; `cargo xtask import --help` lists the formats.",
        cure_zh: "请指定文件的真实格式，或修正所指的那一行；`cargo xtask import --help` 列出全部格式。" }
    ImportBeyondRun "W_IMPORT_BEYOND_RUN" {
        en: "A requirement speaks of something that no run of the app can show, so it became no criterion.",
        zh: "需求所说的内容无法在一次运行中检查，因此没有成为标准。",
        cure_en: "Write a criterion on what can be seen in a run, and let it cover the requirement; follow the rest after the release.",
        cure_zh: "为运行中能看到的部分写一条标准并用 `covers` 指向该需求；其余部分在发布后跟踪。" }
    ImportOpen "W_IMPORT_OPEN" {
        en: "A requirement holds an open question or a placeholder, so it became no criterion.",
        zh: "需求中有未决问题或占位文字，因此没有成为标准。",
        cure_en: "Let whoever asks for the feature decide, and write the criterion then.",
        cure_zh: "请需求方先作决定，再写出标准。" }
    ImportChoice "W_IMPORT_CHOICE" {
        en: "The text does not say something that a criterion needs: its dimension, or how much it weighs.",
        zh: "原文没有写明标准所需的内容：维度，或重要程度。",
        cure_en: "Choose it in the pack; a dimension for all such criteria can be given with `--dimension`.",
        cure_zh: "请在验收包中选择；也可以用 `--dimension` 为这些标准统一指定维度。" }
    ImportVerify "W_IMPORT_VERIFY" {
        en: "The text does not say how a requirement would be checked, so the criterion only points at its line.",
        zh: "原文没有写明如何检查，因此标准只指向原文所在的行。",
        cure_en: "Write in `verify` who looks at what, and when; or give the criterion an assertion and a probe.",
        cure_zh: "请在 `verify` 中写明谁、看什么、什么时候看；或为标准配置断言与 probe。" }
    ImportNumbers "W_IMPORT_NUMBERS" {
        en: "A statement holds a number of which no single assertion could be made.",
        zh: "陈述中有数值，但无法得出唯一的断言。",
        cure_en: "Write the assertion yourself, or split the statement so that each criterion holds one threshold.",
        cure_zh: "请自行写出断言，或拆分陈述，使每条标准只含一个阈值。" }
    ImportLeftOut "W_IMPORT_LEFT_OUT" {
        en: "Something in the file was not carried over.",
        zh: "文件中有内容没有导入。",
        cure_en: "Read the line, and write by hand what you need of it.",
        cure_zh: "请查看该行，需要的内容请手工写入。" }
    ImportRenamed "W_IMPORT_RENAMED" {
        en: "An id of the file cannot stand in a pack, so another was written.",
        zh: "文件中的编号不能用在验收包里，因此改写了编号。",
        cure_en: "Check that nothing refers to the old id, or make the ids in the file unique and plain.",
        cure_zh: "请确认没有别处引用旧编号，或让文件中的编号唯一且规范。" }
    StageFailed "E_STAGE_FAILED" {
        en: "A stage of the team's own failed, or did not write what it declares.",
        zh: "自定义阶段失败，或没有写出它声明的文件。",
        cure_en: "Read its log in the delivery's folder, mend it, and deliver again.",
        cure_zh: "查看交付目录中的日志，修复后重新交付。" }
    OutputUndeclared "E_OUTPUT_UNDECLARED" {
        en: "A stage of the team's own changed a file of the delivery that is not among its outputs.",
        zh: "自定义阶段改动了交付目录中不在其 outputs 里的文件。",
        cure_en: "Name the file under `outputs`, or let the stage write elsewhere; restore what it changed from git.",
        cure_zh: "在 `outputs` 中写明该文件，或让阶段写到别处；被改动的文件请从 git 恢复。" }
    OutputShared "E_OUTPUT_SHARED" {
        en: "An output of a stage is the same file for two features, or for two rounds.",
        zh: "某阶段的输出对两个功能或两个轮次是同一个文件。",
        cure_en: "Put {feature} into the path, and {round} where the stage happens in every round.",
        cure_zh: "在路径中加入 {feature}；若该阶段每轮都执行，再加入 {round}。" }
    HandoffWaiting "E_HANDOFF_WAITING" {
        en: "A person works on the round, and has not committed anything yet.",
        zh: "本轮由人完成，尚未提交。",
        cure_en: "Work on the delivery's branch, commit there, and run the command again.",
        cure_zh: "在交付分支上完成并提交，然后重新运行该命令。" }
    ChecksWaiting "E_CHECKS_WAITING" {
        en: "A round has criteria that only a person can judge, and nobody's checks are there.",
        zh: "本轮有只能由人判断的标准，但还没有任何人的检查结果。",
        cure_en: "Fill in the form that `audit --form` prints, and run the command again.",
        cure_zh: "填写 `audit --form` 输出的表单，然后重新运行该命令。" }
    WorktreeLeft "E_WORKTREE_LEFT" {
        en: "The executor left the repository, the branch or the history that it was given.",
        zh: "执行者离开了交给它的仓库、分支或历史。",
        cure_en: "Look at the worktree and the branch, then dispatch the round again.",
        cure_zh: "检查工作目录和分支，然后重新派发该轮。" }
    ProtectedChanged "E_PROTECTED_CHANGED" {
        en: "An executor, a collector or an auditor changed a file that it may not change.",
        zh: "执行者、采集器或审计者改动了不允许改动的文件。",
        cure_en: "Leave the pack, the pipeline, the records and whatever `protect` lists alone; the change was not taken over.",
        cure_zh: "不要改动验收包、流水线、记录以及 `protect` 所列的内容；该改动未被采纳。" }
    NothingToSettle "E_NOTHING_TO_SETTLE" {
        en: "What was to be settled is no criterion on which auditors differ, or it was settled without a name or a reason.",
        zh: "要裁定的标准上审计者并无分歧，或裁定没有写明姓名或理由。",
        cure_en: "Settle only what the audit reports as E_AUDITORS_DISAGREE; a fail is mended or waived.",
        cure_zh: "只能裁定审计报告为 E_AUDITORS_DISAGREE 的标准；不通过的应修复或豁免。" }
    RoundOver "E_ROUND_OVER" {
        en: "A round that was dispatched already was asked to be dispatched again.",
        zh: "要求再次派发一个已经派发过的轮次。",
        cure_en: "Go on with the next round, or deliver, which finds it.",
        cure_zh: "继续下一轮，或运行会找到下一轮的 deliver。" }
    RecordChanged "E_RECORD_CHANGED" {
        en: "A record of the pipeline is not as the pipeline left it.",
        zh: "流水线的记录与写出时不一致。",
        cure_en: "Restore the file from git; a record is never edited.",
        cure_zh: "从 git 恢复该文件；记录从不手工修改。" }
    LedgerBroken "E_LEDGER_BROKEN" {
        en: "A line of a delivery's ledger was edited, removed, moved or added by hand.",
        zh: "交付账本中的某一行被手工改动、删除、移动或添加。",
        cure_en: "Restore ledger.jsonl from git; a ledger is never edited.",
        cure_zh: "从 git 恢复 ledger.jsonl；账本从不手工修改。" }
    LedgerMissing "E_LEDGER_MISSING" {
        en: "A delivery has no ledger.",
        zh: "交付没有账本。",
        cure_en: "Restore ledger.jsonl from git; a delivery from before there were ledgers gets one from `cargo xtask deliver`.",
        cure_zh: "从 git 恢复 ledger.jsonl；尚无账本的旧交付可由 `cargo xtask deliver` 建立。" }
    LedgerDiffers "E_LEDGER_DIFFERS" {
        en: "A file of a delivery is not what its ledger says.",
        zh: "交付中的某个文件与账本所记不符。",
        cure_en: "Restore the file and ledger.jsonl from git, both of one commit.",
        cure_zh: "从 git 的同一提交恢复该文件和 ledger.jsonl。" }
    LedgerBeginsLate "W_LEDGER_BEGINS_LATE" {
        en: "A ledger begins with a delivery that was there already, so that it does not tell what happened before.",
        zh: "账本从一个已有的交付开始记录，此前发生的事不在其中。",
        cure_en: "Ask git for what happened before; nothing has to be done about a delivery that is older than ledgers.",
        cure_zh: "此前的经过请查 git；早于账本的旧交付无需处理。" }
    Clock "E_CLOCK" {
        en: "SOURCE_DATE_EPOCH is no time.",
        zh: "SOURCE_DATE_EPOCH 不是有效的时间。",
        cure_en: "Set it to whole seconds since 1970, such as 1767225600, or unset it.",
        cure_zh: "将其设为自 1970 年起的整秒数，例如 1767225600，或取消设置。" }
    KeyUnusable "E_KEY_UNUSABLE" {
        en: "A signing key cannot be read, or is no Ed25519 key in PKCS#8 PEM.",
        zh: "签名密钥无法读取，或不是 PKCS#8 PEM 格式的 Ed25519 密钥。",
        cure_en: "Make one with `cargo xtask keygen`, and name its file.",
        cure_zh: "用 `cargo xtask keygen` 生成密钥，并指定其文件。" }
    KeyExists "E_KEY_EXISTS" {
        en: "There is a file already where a signing key was to be made.",
        zh: "要生成签名密钥的位置已有文件。",
        cure_en: "Name another file: a key that is overwritten is lost.",
        cure_zh: "请换一个文件名：被覆盖的密钥无法找回。" }
    KeyExposed "E_KEY_EXPOSED" {
        en: "A signing key lies where git tracks it, or would with the next `git add`, or where others may read it.",
        zh: "签名密钥位于 git 跟踪或下次 `git add` 会跟踪的位置，或他人可读。",
        cure_en: "Keep it outside the repository, or where git ignores it, with mode 0600; one that was committed is no secret any more.",
        cure_zh: "请将其放在仓库之外或 git 忽略的位置，权限设为 0600；曾被提交的密钥已不再保密。" }
    AttestationMissing "E_ATTESTATION_MISSING" {
        en: "The pipeline requires a signature on every audit, and one has none.",
        zh: "流水线要求每次审计都有签名，但有一次没有。",
        cure_en: "Sign it with `cargo xtask attest` and a key that pipeline.yaml trusts.",
        cure_zh: "用 `cargo xtask attest` 和 pipeline.yaml 信任的密钥签名。" }
    AttestationInvalid "E_ATTESTATION_INVALID" {
        en: "A signed statement is no DSSE envelope with an in-toto statement, or a signature does not hold.",
        zh: "签名声明不是包含 in-toto 声明的 DSSE 信封，或签名不成立。",
        cure_en: "Restore the file from git, or sign the audit again with `cargo xtask attest`.",
        cure_zh: "从 git 恢复该文件，或用 `cargo xtask attest` 重新签名。" }
    AttestationDiffers "E_ATTESTATION_DIFFERS" {
        en: "A signed statement says something else than the audit beside it.",
        zh: "签名声明的内容与其旁边的审计不一致。",
        cure_en: "Find out which of the two was changed before anything is signed again.",
        cure_zh: "重新签名之前，先查明两者中哪一个被改动过。" }
    AttestationUnchecked "W_ATTESTATION_UNCHECKED" {
        en: "A statement is signed, and pipeline.yaml trusts no key to check it with.",
        zh: "声明已签名，但 pipeline.yaml 没有信任任何可用于校验的密钥。",
        cure_en: "List the public key under `attestation.keys` in pipeline.yaml, after asking its owner.",
        cure_zh: "向密钥所有者核实后，将其公钥列入 pipeline.yaml 的 `attestation.keys`。" }
    KeyUntrusted "E_KEY_UNTRUSTED" {
        en: "No key that pipeline.yaml trusts signed a statement.",
        zh: "声明没有由 pipeline.yaml 信任的密钥签名。",
        cure_en: "Sign it with a trusted key, or add the public key under `attestation.keys` after asking its owner.",
        cure_zh: "用受信任的密钥签名；或向其所有者核实后，将公钥加入 `attestation.keys`。" }
    KeyMayNotAccept "E_KEY_MAY_NOT_ACCEPT" {
        en: "An accepted audit is signed only by keys that may not accept this feature.",
        zh: "已验收的审计仅由无权验收此功能的密钥签名。",
        cure_en: "Let somebody sign it whose key has the feature under `mayAccept` in pipeline.yaml.",
        cure_zh: "请由 pipeline.yaml 的 `mayAccept` 中包含该功能的密钥签名。" }
    EvidenceUnavailable "E_EVIDENCE_UNAVAILABLE" {
        en: "An evidence file is kept outside git, and is not at hand here.",
        zh: "某个证据文件保存在 git 之外，而此处没有。",
        cure_en: "Bring the external store to this machine, as pipeline.yaml names it, and run the command again.",
        cure_zh: "把 pipeline.yaml 中指定的外部存储取到本机，然后重新运行该命令。" }
    // Verifying.
    RecomputedDiffers "E_RECOMPUTED_DIFFERS" {
        en: "An artifact is not what recomputing it from what it was made of gives.",
        zh: "某个产物与根据其来源重新计算的结果不一致。",
        cure_en: "Restore it from git; where the pack, the pipeline or a record changed on purpose, deliver again, or verify the commit that holds the delivery with `--commit`.",
        cure_zh: "从 git 恢复它；若验收包、流水线或记录是有意更改的，请重新交付，或用 `--commit` 校验保存该交付的提交。" }
    RenderedDiffers "E_RENDERED_DIFFERS" {
        en: "A Markdown file is not what rendering its artifact again gives.",
        zh: "某个 Markdown 文件与其产物重新渲染的结果不一致。",
        cure_en: "Restore it from git; where a template changed on purpose, deliver again, or verify the commit that holds the delivery with `--commit`.",
        cure_zh: "从 git 恢复它；若模板是有意更改的，请重新交付，或用 `--commit` 校验保存该交付的提交。" }
    InputChanged "E_INPUT_CHANGED" {
        en: "Something that an audit was made from is no longer what it was, is gone, or was added.",
        zh: "审计所依据的某个文件已改变、丢失，或是后来增加的。",
        cure_en: "Restore it from git; where it changed on purpose, deliver again, so that the audit is of what is there.",
        cure_zh: "从 git 恢复它；若是有意更改的，请重新交付，使审计与现有文件一致。" }
    FileMissing "E_FILE_MISSING" {
        en: "A file of a delivery is gone.",
        zh: "交付中的某个文件已丢失。",
        cure_en: "Restore it from git.",
        cure_zh: "从 git 恢复它。" }
    FileExtra "E_FILE_EXTRA" {
        en: "Something is in the folder of a delivery that no record accounts for.",
        zh: "交付目录中有任何记录都没有提到的内容。",
        cure_en: "Take it away; what a stage of your own writes there has to be among its `outputs`.",
        cure_zh: "把它移走；自定义阶段写到那里的文件必须列在其 `outputs` 中。" }
    RoundsBroken "E_ROUNDS_BROKEN" {
        en: "The rounds of a delivery do not follow each other, or a record belongs to another round, feature, pack or commit.",
        zh: "交付的轮次不连续，或某条记录属于另一轮、另一功能、另一验收包或另一提交。",
        cure_en: "Restore the delivery from git.",
        cure_zh: "从 git 恢复该交付。" }
    CommitDiffers "E_COMMIT_DIFFERS" {
        en: "The app's repository says something else of a delivered commit than its record.",
        zh: "应用仓库中的交付提交与其记录不符。",
        cure_en: "Restore the record from git; a delivered commit is never another one.",
        cure_zh: "从 git 恢复该记录；已交付的提交不会变成另一个。" }
    CommitUnavailable "E_COMMIT_UNAVAILABLE" {
        en: "The app's repository, or a delivered commit in it, is not at hand.",
        zh: "此处没有应用仓库，或其中没有交付提交。",
        cure_en: "Fetch the branch `delivery/<feature>` into the app's repository, and verify again.",
        cure_zh: "把分支 `delivery/<feature>` 取到应用仓库，然后重新校验。" }
    PackUnexpected "E_PACK_UNEXPECTED" {
        en: "The frozen pack is not the one that `--expect-pack` names.",
        zh: "冻结的验收包不是 `--expect-pack` 所指的那个。",
        cure_en: "Ask whoever gave you the digest: the delivery is of another pack.",
        cure_zh: "请询问给出该摘要的人：该交付针对的是另一个验收包。" }
    PackUnavailable "E_PACK_UNAVAILABLE" {
        en: "An earlier pack, under which rounds were judged, is not kept.",
        zh: "未保存曾据以判定某些轮次的旧验收包。",
        cure_en: "Verify a commit from before the pack was frozen again, with `--commit`.",
        cure_zh: "用 `--commit` 校验重新冻结之前的提交。" }
    FormatOther "E_FORMAT_OTHER" {
        en: "An artifact was written by a version of this program whose format is another one.",
        zh: "某个产物由格式不同的另一版本程序写出。",
        cure_en: "Verify with that version, or deliver again, which brings what can be made again up to date.",
        cure_zh: "请用该版本校验，或重新交付，以更新可以重新生成的内容。" }
    LineEndings "E_LINE_ENDINGS" {
        en: "A checkout turned the line endings of a delivery, and with them every digest.",
        zh: "检出时改变了交付的换行符，所有摘要也随之改变。",
        cure_en: "Commit the .gitattributes that stands in the delivery, and check the folder out again.",
        cure_zh: "请提交交付目录中的 .gitattributes，并重新检出该目录。" }
    StateDisagrees "E_STATE_DISAGREES" {
        en: "The record of what is done does not fit the files that are there.",
        zh: "完成情况的记录与现有文件不符。",
        cure_en: "Restore the delivery from git, or deliver again: nothing but the record may be at fault.",
        cure_zh: "从 git 恢复该交付，或重新交付：也可能只是记录有误。" }
    SurroundingsChanged "E_SURROUNDINGS_CHANGED" {
        en: "The pipeline, a template or a recording is not the one from which a delivery was made.",
        zh: "流水线、模板或录制内容不是该交付所依据的那一份。",
        cure_en: "Verify the commit that holds the delivery with `--commit`, or deliver again.",
        cure_zh: "用 `--commit` 校验保存该交付的提交，或重新交付。" }
    Busy "E_BUSY" {
        en: "Another run holds the feature.",
        zh: "另一次运行正占用该功能。",
        cure_en: "Wait for it, or end it.",
        cure_zh: "请等待它结束，或将其终止。" }
}

impl Code {
    /// The severity that the prefix says.
    pub fn severity(self) -> Severity {
        if self.name().starts_with("E_") { Severity::Error } else { Severity::Warning }
    }

    /// The cure as a message's help has it: a fragment in lower case.
    pub fn help(self, lang: Lang) -> String {
        let cure = self.cure(lang).trim_end_matches(['.', '。']);
        let mut letters = cure.chars();
        letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
    }

    /// The code of a spelling, if it is one.
    pub fn from_name(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_and_follow_one_form() {
        let mut seen = BTreeSet::new();
        for code in Code::ALL {
            let name = code.name();
            assert!(seen.insert(name), "{name} twice");
            assert!(name.starts_with("E_") || name.starts_with("W_"), "{name}");
            assert!(name.chars().all(|c| c.is_ascii_uppercase() || c == '_'), "{name}");
            assert_eq!(Code::from_name(name), Some(*code));
            assert_eq!(serde_json::to_string(code).unwrap(), format!("\"{name}\""));
        }
    }

    #[test]
    fn every_text_is_a_sentence_in_its_language() {
        for code in Code::ALL {
            for text in [code.meaning(Lang::En), code.cure(Lang::En)] {
                assert!(text.ends_with('.') && text.is_ascii(), "{}: {text}", code.name());
            }
            for text in [code.meaning(Lang::Zh), code.cure(Lang::Zh)] {
                assert!(text.ends_with('。') && !text.is_ascii(), "{}: {text}", code.name());
            }
        }
    }
}
