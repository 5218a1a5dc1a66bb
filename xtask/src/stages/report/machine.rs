//! The reports for machines that the pipeline asks for, beside the audit of their round.

use camino::Utf8PathBuf;

use crate::context::Context;
use crate::documents::AuditFile;
use crate::failure::Result;
use crate::reports::machine::Format;
use crate::store;

/// Writes those that are asked for, and removes those that no longer are.
pub fn write(context: &Context<'_>, audit: &AuditFile) -> Result<Vec<Utf8PathBuf>> {
    let lock = context.lock()?;
    let mut written = Vec::new();
    for format in Format::ALL {
        let path = context.paths.audit(audit.round, format.extension());
        if context.pipeline.reports.contains(&format) {
            store::write(&context.at(&path), &format.render(audit, &lock)?)?;
            written.push(path);
        } else {
            store::remove_file(&context.at(&path))?;
        }
    }
    Ok(written)
}
