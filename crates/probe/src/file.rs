//! `file`: whether a file is there, its size and its digest. All three are facts that the caller brings: this crate opens nothing.

use gate::observation::Place;
use gate::say;

use crate::answer::{missing, noted, nothing, one, reading, truth};
use crate::param::{ParamInfo, ParamKind, Params, Plan, ReaderInfo, words};

pub(crate) const INFO: ReaderInfo = ReaderInfo {
    name: "file",
    purpose: words(
        "any file: whether it is there, its size, its SHA-256",
        "任意文件：是否存在、大小、SHA-256",
    ),
    params: &[ParamInfo {
        name: "measure",
        kind: ParamKind::Choice(&["exists", "size", "sha256"]),
        required: true,
        meaning: words(
            "exists, size (bytes) or sha256 (hexadecimal)",
            "exists（存在）、size（字节数）或 sha256（十六进制）",
        ),
        example: "size",
    }],
    example: "{measure: size}",
};

pub(crate) fn plan(params: &mut Params<'_>) -> Option<Plan> {
    let measure = params.text("measure")?.to_owned();
    Some(Box::new(move |input, lang| {
        if input.body.is_none() {
            let reason = say!(lang, "the collector wrote no such file", "采集器没有写出该文件");
            return if measure == "exists" { nothing(reason) } else { missing(reason) };
        }
        match (measure.as_str(), input.size, &input.sha256) {
            ("exists", ..) => one(truth(true, Place::File)),
            ("size", Some(size), _) => one(reading(format!("{size}B"), Place::File)),
            ("sha256", _, Some(digest)) => {
                one(noted(reading(digest.as_str(), Place::File), "SHA-256".to_owned()))
            }
            _ => {
                missing(say!(lang, "the {measure} of the file was not recorded", "没有记录文件的 {measure}"))
            }
        }
    }))
}
