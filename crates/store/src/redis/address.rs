//! Which server is meant: `redis://[user[:password]@]host[:port][/db]`, or `rediss://` with TLS, with
//! `?ca=FILE` for whom to trust and `&cert=FILE&key=FILE` for who we are.
//!
//! **Invariant.** A password is in no message: neither `Display` nor `Debug` has it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use redis::{Client, ClientTlsConfig, ConnectionInfo, IntoConnectionInfo, TlsCertificates};

/// The variable with the password of an address that has none, which process lists do not show.
const PASSWORD: &str = "TRELLIS_REDIS_PASSWORD";

/// The address of a server.
#[derive(Clone, PartialEq, Eq)]
pub struct RedisAddress {
    /// Without what is behind `?`.
    url: String,
    files: TlsFiles,
}

/// PEM files for TLS.
#[derive(Clone, PartialEq, Eq, Default)]
struct TlsFiles {
    ca: Option<PathBuf>,
    cert: Option<PathBuf>,
    key: Option<PathBuf>,
}

impl RedisAddress {
    fn info(&self) -> redis::RedisResult<ConnectionInfo> {
        let info = self.url.as_str().into_connection_info()?;
        let settings = info.redis_settings();
        let variable = || std::env::var(PASSWORD).ok().filter(|text| !text.is_empty());
        match settings.password().is_none().then(variable).flatten() {
            None => Ok(info),
            Some(password) => {
                let settings = settings.clone().set_password(password);
                Ok(info.set_redis_settings(settings))
            }
        }
    }

    /// Whether the server has to show who it is.
    pub(super) fn is_tls(&self) -> bool {
        self.url.starts_with("rediss://")
    }

    /// A client, which is not connected yet.
    pub(super) fn client(&self) -> io::Result<Client> {
        let read = |path: &Option<PathBuf>| path.as_deref().map(read).transpose();
        let info = self.info().map_err(io::Error::other)?;
        if !self.is_tls() {
            return Client::open(info).map_err(io::Error::other);
        }
        // Another one may be there already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let TlsFiles { ca, cert, key } = &self.files;
        let client_tls = read(cert)?.zip(read(key)?);
        let client_tls =
            client_tls.map(|(client_cert, client_key)| ClientTlsConfig { client_cert, client_key });
        let certificates = TlsCertificates { client_tls, root_cert: read(ca)? };
        Client::build_with_tls(info, certificates)
            .map_err(|e| io::Error::new(io::ErrorKind::PermissionDenied, e.to_string()))
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    std::fs::read(path).map_err(|e| {
        let text = format!("cannot read `{}`: {e}", path.display());
        io::Error::new(io::ErrorKind::PermissionDenied, text)
    })
}

impl FromStr for RedisAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<RedisAddress, String> {
        let (url, options) = text.split_once('?').unwrap_or((text, ""));
        let mut files = TlsFiles::default();
        for option in options.split('&').filter(|o| !o.is_empty()) {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            let place = match name {
                "ca" => &mut files.ca,
                "cert" => &mut files.cert,
                "key" => &mut files.key,
                _ => return Err(format!("a Redis store has no option `{name}`")),
            };
            if value.is_empty() {
                return Err(format!("the option `{name}` of a Redis store is a file"));
            }
            *place = Some(value.into());
        }
        if files != TlsFiles::default() && !url.starts_with("rediss://") {
            return Err("the options of TLS need `rediss://`".to_owned());
        }
        if files.cert.is_some() != files.key.is_some() {
            return Err("a certificate has a key: `cert` and `key` go together".to_owned());
        }
        if url.contains('#') {
            return Err("a Redis store that cannot show who it is is not trusted".to_owned());
        }
        let address = RedisAddress { url: url.to_owned(), files };
        match address.info() {
            Ok(_) => Ok(address),
            Err(_) => Err(format!("`{address}` is no address of a Redis store")),
        }
    }
}

impl fmt::Display for RedisAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, rest) = self.url.split_once("://").unwrap_or(("redis", &self.url));
        let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
        write!(f, "{scheme}://{host}")
    }
}

impl fmt::Debug for RedisAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_passwords_not_shown() {
        let shown = |text: &str| text.parse().map(|a: RedisAddress| format!("{a} {a:?}"));
        for (text, expected) in [
            ("redis://localhost", "redis://localhost redis://localhost"),
            ("redis://:secret@host:7000/3", "redis://host:7000/3 redis://host:7000/3"),
            ("rediss://me:s%40t@host/0?ca=a.pem", "rediss://host/0 rediss://host/0"),
            ("rediss://h/0?cert=c.pem&key=k.pem", "rediss://h/0 rediss://h/0"),
        ] {
            assert_eq!(shown(text).as_deref(), Ok(expected), "{text}");
        }
        for (text, expected) in [
            ("redis://:secret@host/zero", "`redis://host/zero` is no address of a Redis store"),
            ("redis://host?ca=a.pem", "the options of TLS need `rediss://`"),
            ("rediss://host?cert=a.pem", "a certificate has a key: `cert` and `key` go together"),
            ("rediss://host?ca=", "the option `ca` of a Redis store is a file"),
            ("rediss://host?insecure=1", "a Redis store has no option `insecure`"),
            ("rediss://host/#insecure", "a Redis store that cannot show who it is is not trusted"),
        ] {
            assert_eq!(shown(text), Err(expected.to_owned()), "{text}");
        }
    }
}
