//! Programs that are not plain lists, by family: what is wrong with one is never found safe.

use crate::judge;

#[test]
fn every_family_is_judged_rightly() {
    let (bugs, _) = trellis_testkit::families::judge_all("summaries", &judge);
    assert!(bugs > 100, "{bugs}");
}
