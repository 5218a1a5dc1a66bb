//! The templates that the program carries, so that it works in a repository that has none. A file of the same name in the
//! repository is used instead.

use gate::lang::Lang;

/// A template: its name, and its text in English and in Chinese.
struct Template {
    name: &'static str,
    en: &'static str,
    zh: &'static str,
}

/// Both languages of a template, from the folders of this repository.
macro_rules! template {
    ($name:literal) => {
        Template {
            name: $name,
            en: include_str!(concat!("../../../templates/en/", $name)),
            zh: include_str!(concat!("../../../templates/zh/", $name)),
        }
    };
}

const TEMPLATES: &[Template] = &[
    template!("acceptance.md.tera"),
    template!("audit.md.tera"),
    template!("brief.md.tera"),
    template!("criterion.md.tera"),
    template!("review.md.tera"),
    template!("reviewer-coverage.md.tera"),
    template!("reviewer-evidence.md.tera"),
    template!("reviewer-gaming.md.tera"),
    template!("reviewer-judgement.md.tera"),
    template!("reviewer-states.md.tera"),
    template!("reviewer-vacuity.md.tera"),
    template!("reviewer.md.tera"),
    template!("rework.md.tera"),
    template!("spec.md.tera"),
    template!("summary.md.tera"),
];

/// Every template of a language, with its name.
pub fn all(lang: Lang) -> impl Iterator<Item = (&'static str, &'static str)> {
    TEMPLATES.iter().map(move |template| (template.name, lang.pick(template.en, template.zh)))
}

/// The text of a template.
pub fn text(name: &str, lang: Lang) -> Option<&'static str> {
    all(lang).find(|(known, _)| *known == name).map(|(_, text)| text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_of_the_repository_is_carried() {
        for lang in [Lang::En, Lang::Zh] {
            let folder = format!("{}/../templates/{}", env!("CARGO_MANIFEST_DIR"), lang.code());
            let names = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
            let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
            names.sort();
            assert_eq!(all(lang).map(|(name, _)| name).collect::<Vec<_>>(), names, "{folder}");
        }
    }
}
