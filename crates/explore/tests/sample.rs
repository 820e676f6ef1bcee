//! Random executions: what is typed into a program, and what is found behind lines of input.

use std::collections::BTreeSet;

use trellis_explore::sample::{Sampled, sample};
use trellis_explore::typing::Typist;
use trellis_explore::{Budget, Config};
use trellis_front_c::load_str;
use trellis_program::concrete::{Chooser, Finish, Machine, MachineOptions, Scripted};
use trellis_program::{CheckKind, Program, Work};

/// Commands that are read by lines: the second `take` of one name fails.
const COMMANDS: &str = r#"
typedef struct _IO_FILE FILE;
FILE *fopen(const char *name, const char *mode);
int fclose(FILE *stream);
char *fgets(char *line, int size, FILE *stream);
int sscanf(const char *text, const char *format, ...);
char *strcpy(char *to, const char *from);
int strcmp(const char *a, const char *b);
void assert(int);

int main(void)
{
    char line[64], name[16], last[16] = "";
    int put = 0;
    FILE *in = fopen("commands", "r");
    if (!in) return 1;
    while (fgets(line, sizeof line, in)) {
        if (sscanf(line, "put %15s", name) == 1) {
            strcpy(last, name);
            put = 1;
        } else if (sscanf(line, "take %15s", name) == 1 && strcmp(name, last) == 0) {
            assert(put);
            put = 0;
        } else if (strcmp(line, "quit\n") == 0) {
            break;
        }
    }
    fclose(in);
    return 0;
}
"#;

fn program(text: &str) -> Program {
    load_str("test.c", text).unwrap_or_else(|f| panic!("{:#?}", f.diagnostics)).program
}

/// One choice after the other.
struct Counting(u32);

impl Chooser for Counting {
    fn choose(&mut self, options: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) % options
    }
}

#[test]
fn formats_and_words_become_lines() {
    let program = program(COMMANDS);
    let main = program.find_proc("main").expect("it is there");
    let typist = Typist::of(&program, main);
    let mut choices = Counting(1);
    let line = |choices: &mut Counting| -> String {
        typist
            .line(2, choices)
            .iter()
            .filter_map(|c| u8::try_from(*c).ok())
            .map(char::from)
            .collect()
    };
    let lines: BTreeSet<String> = (0..2_000).map(|_| line(&mut choices)).collect();
    for expected in ["put a\n", "take a\n", "quit\n", "quit"] {
        assert!(lines.contains(expected), "{expected:?} is not among {lines:?}");
    }
    let ints = typist.integers(&program, main, &[0]);
    assert!(lines.iter().flat_map(|l| l.bytes()).all(|c| ints.contains(&c.into())));
}

fn found(text: &str, blocks: u64, seed: u64) -> Option<Sampled> {
    let program = program(text);
    let main = program.find_proc("main").expect("it is there");
    let config = Config::default();
    let budget = Budget { work: Work::of(blocks), ..Budget::default() };
    let found = sample(&program, main, &config, seed, &budget)?;
    let mut options = config.machine_options(&program, main);
    if let Some(ints) = &found.ints {
        options = MachineOptions { ints: ints.clone(), ..options };
    }
    let machine = Machine::new(&program, options);
    let mut choices = Scripted::new(&found.violation.choices);
    let trace = machine.run(main, &found.violation.initial, &mut choices, 100_000);
    match trace.finish {
        Some(Finish::Failed(again)) => assert!(again.same_check(&found.violation.failure)),
        other => panic!("the replay ends with {other:?}"),
    }
    Some(found)
}

#[test]
fn a_third_line_of_input_is_reached() {
    for seed in [0, 1] {
        let found = found(COMMANDS, 4_000_000, seed).expect("put, take, take");
        assert_eq!(found.violation.failure.kind, CheckKind::Assertion);
        let again = self::found(COMMANDS, 4_000_000, seed).expect("the same");
        assert_eq!(found.violation.choices, again.violation.choices);
    }
}

/// As a tree is built that has an inner node to remove.
#[test]
fn arguments_are_made_up_one_after_the_other() {
    let text = r#"
int strcmp(const char *a, const char *b);
void assert(int);
int main(int argc, char **argv)
{
    int state = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "c") == 0 && state == 0) state = 1;
        else if (strcmp(argv[i], "a") == 0 && state == 1) state = 2;
        else if (strcmp(argv[i], "d") == 0 && state == 2) state = 3;
        else if (strcmp(argv[i], "-c") == 0) assert(state != 3);
    }
    return 0;
}
"#;
    let found = found(text, 4_000_000, 0).expect("c a d -c");
    assert_eq!(found.violation.failure.kind, CheckKind::Assertion);
}

#[test]
fn what_is_correct_is_not_blamed() {
    let text = COMMANDS.replace("assert(put)", "assert(put || strcmp(name, last) == 0)");
    assert!(found(&text, 300_000, 0).is_none());
}

#[test]
fn four_characters_are_read_one_by_one() {
    let text = r#"
int getchar(void);
void assert(int);
int memcmp(const void *a, const void *b, unsigned long n);
static int read_byte(void)
{
    int c = getchar();
    return c == -1 ? -1 : c & 0xff;
}
int main(void) {
    char magic[4];
    for (int i = 0; i < 4; i++) { int c = read_byte(); if (c < 0) return 0; magic[i] = (char)c; }
    if (memcmp(magic, "IMG1", 4) == 0) assert(0);
    return 0;
}
"#;
    let found = found(text, 400_000, 0).expect("IMG1");
    assert_eq!(found.violation.failure.kind, CheckKind::Assertion);
}
