//! Which constructs of the contract language the engine has been seen to follow.

/// As it was found: `constructs.txt`.
pub const TABLE: &str = include_str!("constructs.txt");

/// What is accepted was seen in proofs that exploration does not refute, or in alarms; the rest is
/// refused. Whatever changes that changes the table.
#[test]
fn every_construct_is_followed_or_refused() {
    let table = trellis_testkit::clauses::survey(&crate::families::judge);
    expect_test::expect_file!["constructs.txt"].assert_eq(&table.to_string());
    assert_eq!(table.unseen(), [""; 0]);
}
