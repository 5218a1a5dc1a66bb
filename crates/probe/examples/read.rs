//! Reads one file with one reader and prints the answer as JSON: `read READER FILE '{"measure": …}'`. For measuring, and for trying
//! a reader without a pipeline.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::BufReader;

use gate::lang::Lang;
use gate::pack::Scalar;
use probe::Input;

fn main() -> Result<(), Box<dyn Error>> {
    #[expect(clippy::disallowed_methods, reason = "an example has a command line")]
    let mut args = std::env::args().skip(1);
    let (Some(reader), Some(path)) = (args.next(), args.next()) else {
        return Err("usage: read READER FILE [PARAMETERS AS JSON]".into());
    };
    let with: BTreeMap<String, Scalar> = serde_json::from_str(args.next().as_deref().unwrap_or("{}"))?;
    #[expect(clippy::disallowed_methods, reason = "an example reads its file")]
    let file = std::fs::File::open(path)?;
    let mut body = BufReader::new(file);
    match probe::read(&reader, Input::new(&mut body), &with, Lang::En) {
        Ok(answer) => println!("{}", serde_json::to_string(&answer)?),
        Err(errors) => errors.iter().for_each(|error| eprintln!("{}", error.explain(Lang::En))),
    }
    Ok(())
}
