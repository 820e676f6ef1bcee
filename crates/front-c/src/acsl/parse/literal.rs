//! Numerals and characters.

/// The value of a C integer literal, or what is wrong with it.
pub(super) fn number(text: &str) -> Result<i128, &'static str> {
    let (digits, radix) = match text.get(..2) {
        Some("0x" | "0X") => (&text[2..], 16),
        Some("0b" | "0B") => (&text[2..], 2),
        _ if text.len() > 1 && text.starts_with('0') => (&text[1..], 8),
        _ => (text, 10),
    };
    if text.contains('.') || (radix != 16 && text.contains(['e', 'E'])) {
        return Err("floating-point numbers are not supported in contracts");
    }
    let digits = digits.trim_end_matches(['u', 'U', 'l', 'L']);
    let is_zero = radix == 8 && digits.is_empty();
    if is_zero {
        return Ok(0);
    }
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return Err("malformed number");
    }
    u64::from_str_radix(digits, radix).map(i128::from).map_err(|_| "number too large for 64 bits")
}

/// The value of a C character literal with its quotes, or what is wrong with it.
pub(super) fn character(text: &str) -> Result<i128, &'static str> {
    const MALFORMED: &str = "malformed character";
    let inner = text.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')).ok_or(MALFORMED)?;
    let Some(escape) = inner.strip_prefix('\\') else {
        let mut chars = inner.chars();
        return match (chars.next(), chars.next()) {
            (Some(c), None) if c.is_ascii() => Ok(i128::from(u32::from(c))),
            (Some(_), None) => Err("characters outside ASCII are not supported in contracts"),
            _ => Err(MALFORMED),
        };
    };
    let code = |digits: &str, radix| {
        let all_digits = digits.chars().all(|c| c.is_digit(radix));
        let code = u8::from_str_radix(digits, radix).map(|c| c as i8).ok();
        code.filter(|_| all_digits)
    };
    let value = match escape {
        "n" => 10,
        "t" => 9,
        "r" => 13,
        "a" => 7,
        "b" => 8,
        "f" => 12,
        "v" => 11,
        "\\" | "'" | "\"" | "?" => escape.as_bytes()[0] as i8,
        _ if escape.starts_with('x') => code(&escape[1..], 16).ok_or(MALFORMED)?,
        _ if escape.len() <= 3 => code(escape, 8).ok_or(MALFORMED)?,
        _ => return Err(MALFORMED),
    };
    Ok(i128::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_in_c() {
        for (text, value) in [
            ("0", 0),
            ("42", 42),
            ("0x1Ful", 31),
            ("017", 15),
            ("0b101", 5),
            ("7ULL", 7),
            ("0u", 0),
            ("9223372036854775807", i128::from(i64::MAX)),
            ("9223372036854775808u", 1 << 63),
            ("0xffffffffffffffff", i128::from(u64::MAX)),
        ] {
            assert_eq!(number(text), Ok(value), "{text}");
        }
        for text in ["08", "0x", "12ab", "18446744073709551616", "1.5", "1e9", "0xé", "0b2"] {
            assert!(number(text).is_err(), "{text}");
        }
    }

    #[test]
    fn characters_read_as_in_c() {
        for (text, value) in [
            ("'a'", 97),
            (r"'\n'", 10),
            (r"'\0'", 0),
            (r"'\101'", 65),
            (r"'\xff'", -1),
            (r"'\''", 39),
        ] {
            assert_eq!(character(text), Ok(value), "{text}");
        }
        for text in ["''", "'ab'", "'é'", r"'\q'", r"'\x'", r"'\777'", r"'\+7'", "'"] {
            assert!(character(text).is_err(), "{text}");
        }
    }
}
