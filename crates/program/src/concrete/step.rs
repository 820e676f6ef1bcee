//! Being built.
/// a
pub trait Chooser {}
/// a
pub struct Failure;
/// a
pub struct Finish;
/// a
pub struct Machine;
/// a
pub struct MachineOptions;
/// a
pub struct Step;
