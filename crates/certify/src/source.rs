//! Whether a certificate is about a program in the language, and under the settings, of the user.
//!
//! **Invariant.** Nothing is taken from the certificate: a front end of the user's choice, with the
//! user's settings, is compared with what the file says.

use trellis_program::{FrontEnd, SettingKind};

use crate::certificate::Source;

/// Why a certificate cannot be about what a front end reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mismatch {
    /// It is about another language.
    Language,
    /// The front end has no such setting.
    Unknown {
        /// The setting.
        name: String,
    },
    /// The user did not repeat a value that the meaning of the program depends on.
    Missing {
        /// The setting.
        name: String,
        /// The value.
        value: String,
    },
    /// The user chose no places of his own.
    Unplaced {
        /// The setting.
        name: String,
        /// The places of the certificate.
        values: Vec<String>,
    },
}

impl Source {
    /// The first thing that a front end would read differently.
    ///
    /// # Errors
    /// If there is one.
    pub fn compare(&self, front_end: &dyn FrontEnd) -> Result<(), Mismatch> {
        if self.language != front_end.language() {
            return Err(Mismatch::Language);
        }
        let own = front_end.settings();
        for claimed in &self.settings {
            let name = claimed.name.clone();
            let Some(own) = own.iter().find(|s| s.name == name) else {
                return Err(Mismatch::Unknown { name });
            };
            match own.kind {
                SettingKind::Meaning => {
                    if let Some(value) = claimed.values.iter().find(|v| !own.values.contains(v)) {
                        return Err(Mismatch::Missing { name, value: value.clone() });
                    }
                }
                SettingKind::Place => {
                    if !claimed.values.is_empty() && own.values.is_empty() {
                        return Err(Mismatch::Unplaced { name, values: claimed.values.clone() });
                    }
                }
            }
        }
        Ok(())
    }
}
