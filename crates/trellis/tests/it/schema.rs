//! Just enough of JSON Schema to check our own schemas: `type`, `const`, `enum`, `required`,
//! `properties`, `additionalProperties: false`, `items`, `minItems`, `minimum`, `maximum`, `anyOf`,
//! and `$ref` into `$defs`. Any other keyword makes the check fail, so nothing is skipped in silence.

use serde_json::Value;

/// Everything that is wrong with `value`, each with its path.
pub fn problems(schema: &Value, value: &Value) -> Vec<String> {
    let mut out = Vec::new();
    check(schema, schema, value, "$", &mut out);
    out
}

fn check(root: &Value, schema: &Value, value: &Value, path: &str, out: &mut Vec<String>) {
    let Some(rules) = schema.as_object() else {
        out.push(format!("{path}: the schema is not an object"));
        return;
    };
    for (keyword, rule) in rules {
        match keyword.as_str() {
            "$schema" | "$id" | "$defs" | "title" | "description" => {}
            "$ref" => {
                let name = rule.as_str().and_then(|r| r.strip_prefix("#/$defs/"));
                match name.and_then(|n| root["$defs"].get(n)) {
                    Some(target) => check(root, target, value, path, out),
                    None => out.push(format!("{path}: {rule} leads nowhere")),
                }
            }
            "type" => {
                let allowed: Vec<&str> = match rule {
                    Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
                    other => other.as_str().into_iter().collect(),
                };
                if !allowed.iter().any(|name| has_type(value, name)) {
                    out.push(format!("{path}: {value} is not {rule}"));
                }
            }
            "const" if value != rule => out.push(format!("{path}: {value} is not {rule}")),
            "const" => {}
            "enum" => {
                if !rule.as_array().is_some_and(|all| all.contains(value)) {
                    out.push(format!("{path}: {value} is not one of {rule}"));
                }
            }
            "minimum" => {
                if value.as_f64().is_some_and(|v| v < rule.as_f64().unwrap_or(0.0)) {
                    out.push(format!("{path}: {value} is below {rule}"));
                }
            }
            "maximum" => {
                if value.as_f64().is_some_and(|v| v > rule.as_f64().unwrap_or(0.0)) {
                    out.push(format!("{path}: {value} is above {rule}"));
                }
            }
            "minItems" => {
                let least = rule.as_u64().unwrap_or(0);
                if value.as_array().is_some_and(|all| (all.len() as u64) < least) {
                    out.push(format!("{path}: there are fewer than {rule}"));
                }
            }
            "required" => {
                for name in rule.as_array().into_iter().flatten().filter_map(Value::as_str) {
                    if value.is_object() && value.get(name).is_none() {
                        out.push(format!("{path}: {name} is missing"));
                    }
                }
            }
            "properties" => {
                for (name, inner) in rule.as_object().into_iter().flatten() {
                    if let Some(field) = value.get(name) {
                        check(root, inner, field, &format!("{path}.{name}"), out);
                    }
                }
            }
            "additionalProperties" if *rule == Value::Bool(false) => {
                let known = rules.get("properties").and_then(Value::as_object);
                for name in value.as_object().into_iter().flatten().map(|(name, _)| name) {
                    if !known.is_some_and(|k| k.contains_key(name)) {
                        out.push(format!("{path}: {name} is not in the schema"));
                    }
                }
            }
            "items" => {
                for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, rule, item, &format!("{path}[{i}]"), out);
                }
            }
            "anyOf" => {
                let fits = |inner: &Value| {
                    let mut wrong = Vec::new();
                    check(root, inner, value, path, &mut wrong);
                    wrong.is_empty()
                };
                if !rule.as_array().is_some_and(|all| all.iter().any(fits)) {
                    out.push(format!("{path}: {value} fits none of the alternatives"));
                }
            }
            other => out.push(format!("{path}: the keyword {other} is not understood")),
        }
    }
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

#[test]
fn problems_are_found() {
    let schema = serde_json::json!({
        "type": "object", "required": ["a"], "additionalProperties": false,
        "properties": { "a": { "type": "integer", "minimum": 1 }, "b": { "enum": ["x"] } }
    });
    let count = |value| problems(&schema, &value).len();
    assert_eq!(count(serde_json::json!({ "a": 1, "b": "x" })), 0);
    assert_eq!(count(serde_json::json!({ "a": 0 })), 1);
    assert_eq!(count(serde_json::json!({ "b": "y" })), 2);
    assert_eq!(count(serde_json::json!({ "a": 1, "c": 1 })), 1);
    assert_eq!(count(serde_json::json!([])), 1);
}
