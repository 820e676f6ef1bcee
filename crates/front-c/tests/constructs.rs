//! Small constructs, one by one: what each is lowered to.

use expect_test::{Expect, expect};
use trellis_front_c::load_str;
use trellis_program::ProcId;
use trellis_program::print::print_procedure;

/// Lowers `text` and prints the procedure `f`.
fn check(text: &str, expected: Expect) {
    let unit = match load_str("a.c", text) {
        Ok(unit) => unit,
        Err(f) => panic!("{:#?}", f.diagnostics),
    };
    let f = unit.program.find_proc("f").unwrap_or(ProcId(0));
    let printed = print_procedure(&unit.program, f);
    let code: String = printed
        .lines()
        .skip(1)
        .map(|l| l.split(" // line").next().unwrap_or(l).trim_end())
        .filter(|l| *l != "}")
        .map(|l| format!("{}\n", l.strip_prefix("  ").unwrap_or(l)))
        .collect();
    expected.assert_eq(&code);
}

#[test]
fn conversions() {
    check(
        "long f(char c, unsigned u, long l) { return c + u + l; }",
        expect![[r#"
        b0:
          return (long)((unsigned int)(int)c + u) + l
    "#]],
    );
    check(
        "int f(unsigned char a, short b) { return a < b; }",
        expect![[r#"
        b0:
          return (int)a < (int)b
    "#]],
    );
    check(
        "unsigned f(int i, unsigned long n) { return i / n; }",
        expect![[r#"
        b0:
          return (unsigned int)((unsigned long)i / n)
    "#]],
    );
    check(
        "_Bool f(int *p, int i) { _Bool b = p; b = i; return !b; }",
        expect![[r#"
          _Bool b;
        b0:
          b = p != NULL
          b = (_Bool)i
          return !b
    "#]],
    );
    check(
        "int f(void) { return sizeof(int) > -1; }",
        expect![[r#"
        b0:
          return 0
    "#]],
    );
    check(
        "int f(void) { return (char)200 + 0x80000000 % 7 + 'a' + 017 - 5u; }",
        expect![[r#"
        b0:
          return 53
    "#]],
    );
    check(
        "int f(int x) { return x << 2L >> 1; }",
        expect![[r#"
        b0:
          return x << 2 >> 1
    "#]],
    );
}

#[test]
fn short_circuit() {
    check(
        "int f(int *p) { return p && *p || !p; }",
        expect![[r#"
          int %1;
          int %2;
          int %3;
        b0:
          if (p != NULL) goto b1 else b2
        b1:
          %2 = *p
          %1 = %2 != 0
          goto b3
        b2:
          %1 = 0
          goto b3
        b3:
          if (%1) goto b5 else b4
        b4:
          %3 = p == NULL
          goto b6
        b5:
          %3 = 1
          goto b6
        b6:
          return %3
    "#]],
    );
    check(
        "int g(void); void f(int a) { a && g(); a || (a = 3); }",
        expect![[r#"
          int %1;
        b0:
          if (a) goto b1 else b2
        b1:
          unsupported: a call of `g`, which has no body and no contract
          havoc %1
          goto b2
        b2:
          if (a) goto b4 else b3
        b3:
          a = 3
          goto b4
        b4:
          return
    "#]],
    );
    check(
        "int f(int a, int *p) { while (a > 0 && (p == 0 || *p > a)) a--; return a; }",
        expect![[r#"
              int %1;
            b0: // loop head
              if (a > 0) goto b1 else b4
            b1:
              if (p == NULL) goto b3 else b2
            b2:
              %1 = *p
              if (%1 > a) goto b3 else b4
            b3:
              a = a - 1
              goto b0
            b4:
              return a
        "#]],
    );
}

#[test]
fn side_effects() {
    check(
        "int f(int a, int c) { int b = a++ + --c; return a += b -= 2; }",
        expect![[r#"
          int b;
          int %1;
        b0:
          %1 = a
          a = %1 + 1
          c = c - 1
          b = %1 + c
          b = b - 2
          a = a + b
          return a
    "#]],
    );
    check(
        "int f(int a) { return a++ + --a; }",
        expect![[r#"
          int %1;
        b0:
          %1 = a
          a = %1 + 1
          a = a - 1
          unsupported: an expression whose meaning depends on the order of evaluation
          return %1 + a
    "#]],
    );
    check(
        "struct n { struct n *next; }; void f(struct n *a, struct n *b) { a->next = b->next = a; }",
        expect![[r#"
            b0:
              b->next = a
              a->next = a
              return
        "#]],
    );
    check(
        "int f(int *p) { return *p++; }",
        expect![[r#"
          int *%1;
          int %2;
        b0:
          %1 = p
          p = %1 + 1
          %2 = *%1
          return %2
    "#]],
    );
    check(
        "int f(int *p) { return (*p)++; }",
        expect![[r#"
          int %1;
        b0:
          %1 = *p
          *p = %1 + 1
          return %1
    "#]],
    );
    check(
        "int f(int x) { int y = (x = 3, x + 1); return ({ int z = y; z * 2; }); }",
        expect![[r#"
              int y;
              int z;
            b0:
              x = 3
              y = x + 1
              z = y
              return z * 2
        "#]],
    );
}

#[test]
fn allocation() {
    let list = "typedef unsigned long size_t; void *malloc(size_t); void *calloc(size_t, size_t);\n\
        struct n { struct n *next; int d; }; struct big { struct n base; long more; };\n";
    check(
        &format!("{list} void *f(void) {{ return malloc(sizeof(struct n)); }}"),
        expect![[r#"
          void *%1;
        b0:
          %1 = (struct n *)malloc(16)
          return %1
    "#]],
    );
    check(
        &format!("{list} struct n *f(int k) {{ return malloc(k * sizeof(struct n)); }}"),
        expect![[r#"
              struct n *%1;
            b0:
              %1 = (struct n *)malloc((unsigned long)k * 16)
              return %1
        "#]],
    );
    check(
        &format!(
            "{list} struct n *f(void) {{ struct n *b = malloc(sizeof(struct big)); return b; }}"
        ),
        expect![[r#"
              struct n *b;
            b0:
              b = (struct big *)malloc(24)
              return b
        "#]],
    );
    check(
        &format!("{list} void f(void **out) {{ *out = calloc(3, 8); }}"),
        expect![[r#"
          void *%1;
        b0:
          %1 = calloc(1, 24)
          *out = %1
          return
    "#]],
    );
    check(
        &format!(
            "{list} void g(struct n *); void *f(void) {{ void *v = malloc(16); struct n *p = v; return p; }}"
        ),
        expect![[r#"
              void *v;
              struct n *p;
            b0:
              v = malloc(16)
              retype v as struct n
              p = v
              return p
        "#]],
    );
    check(
        &format!("{list} char *f(size_t k) {{ char *s = malloc(k + 1); s[k] = 0; return s; }}"),
        expect![[r#"
              char *s;
            b0:
              s = (char *)malloc(k + 1)
              s[(long)k] = 0
              return s
        "#]],
    );
}

#[test]
fn enumerations_and_sizes() {
    check(
        "enum e { A, B = 4, C }; int f(enum e x) { return x == C && x > -1; }",
        expect![[r#"
          int %1;
        b0:
          if (x == 5) goto b1 else b2
        b1:
          %1 = x > 4294967295
          goto b3
        b2:
          %1 = 0
          goto b3
        b3:
          return %1
    "#]],
    );
    check(
        "struct s { char c; double d; short t[3]; }; unsigned long f(void) { return sizeof(struct s) + _Alignof(short) + __builtin_offsetof(struct s, t[1]); }",
        expect![[r#"
            b0:
              return 44
        "#]],
    );
    check(
        "struct s { int a : 3; unsigned b : 30; char c; long d : 5; }; unsigned long f(void) { return sizeof(struct s); }",
        expect![[r#"
            b0:
              return 16
        "#]],
    );
    check(
        "int a[3][4]; int f(int i) { return a[i][2] + sizeof a / sizeof a[0] + sizeof(int *[2]) + sizeof(int (*)[2]); }",
        expect![[r#"
              int %1;
            b0:
              assert[bounds] (unsigned long)(long)i < 3
              %1 = a[i][2]
              return (int)((unsigned long)%1 + 3 + 16 + 8)
        "#]],
    );
}

#[test]
fn old_style() {
    check(
        "int f(a, p) int a; char *p; { return a + *p; }",
        expect![[r#"
          char %1;
        b0:
          %1 = *p
          return a + (int)%1
    "#]],
    );
    check(
        "int main() { f(); } int f() { return 1; }",
        expect![[r#"
        b0:
          return 1
    "#]],
    );
}

#[test]
fn loops() {
    check(
        "void f(int n) { for (;;) { if (n) break; do { n++; continue; } while (n < 3); } }",
        expect![[r#"
            b0: // loop head
              if (n) goto b2 else b1
            b1: // loop head
              n = n + 1
              if (n < 3) goto b1 else b0
            b2:
              return
        "#]],
    );
    check(
        "void f(int n) { while (1) ; }",
        expect![[r#"
        b0: // loop head
          goto b0
    "#]],
    );
    check(
        "int f(int n) { for (int i = 0, j = n; i < j; i++, j--) n ^= i; return n; }",
        expect![[r#"
              int i;
              int j;
            b0:
              i = 0
              j = n
              goto b1
            b1: // loop head
              if (i < j) goto b2 else b3
            b2:
              n = n ^ i
              i = i + 1
              j = j - 1
              goto b1
            b3:
              return n
        "#]],
    );
    check(
        "int f(int n) { switch (n) { default: n = 1; case 3: n++; } switch (n) ; return n; }",
        expect![[r#"
            b0:
              if (n == 3) goto b2 else b1
            b1:
              n = 1
              goto b2
            b2:
              n = n + 1
              return n
        "#]],
    );
    check(
        "void f(int *to, int *from, int n) { switch (n % 2) { case 0: do { *to = *from++; case 1: *to = *from++; } while (--n > 0); } }",
        expect![[r#"
              int %1;
              int *%2;
              int %3;
              int *%4;
              int %5;
            b0:
              %1 = n % 2
              if (%1 == 0) goto b2 else b1
            b1:
              if (%1 == 1) goto b3 else b4
            b2:
              %2 = from
              from = %2 + 1
              %3 = *%2
              *to = %3
              goto b3
            b3: // loop head
              %4 = from
              from = %4 + 1
              %5 = *%4
              *to = %5
              n = n - 1
              if (n > 0) goto b2 else b4
            b4:
              return
        "#]],
    );
}

#[test]
fn functions() {
    check(
        "int g(int x) { return x; } int f(int (*h)(int)) { h = &g; return (*g)(1) + (h == g) + (h != 0); }",
        expect![[r#"
              int %1;
            b0:
              h = &g
              %1 = g(1)
              return %1 + (h == &g) + (h != NULL)
        "#]],
    );
    check(
        "extern int printf(const char *, ...); int f(char *s) { return printf(\"%d %s\\n\", 3, s); }",
        expect![[r#"
              char *%1;
              char %2;
              int %3;
            b0:
              %1 = s
              goto b1
            b1: // loop head
              %2 = *%1
              if (%2) goto b2 else b3
            b2:
              %1 = %1 + 1
              goto b1
            b3:
              havoc %3
              return %3
        "#]],
    );
    check(
        "void f(int x) { __VERIFIER_assume(x > 0); __VERIFIER_assert(x != 0); if (x > 3) __builtin_unreachable(); exit(x); }",
        expect![[r#"
            b0:
              assume x > 0
              assert[assertion] x != 0
              if (x > 3) goto b1 else b2
            b1:
              assert[unreachable] 0
              abort
            b2:
              exit
        "#]],
    );
    check(
        "struct p { int x, y; }; struct p g(struct p a); struct p f(struct p a) { return a; }",
        expect![[r#"
            b0:
              return &a
        "#]],
    );
}

#[test]
fn constants_that_overflow() {
    // Where C wants a constant, compilers wrap; elsewhere the overflow stays to be checked.
    check(
        "enum { TOP = 1 << 31, LOW = -1 << 3 }; static int g = (1 << 31) >> 30;
         int f(int x) { switch (x) { case 1 << 31: return TOP; case -1 << 3: return LOW; } return -1 << 6; }",
        expect![[r#"
            b0:
              if (x == -2147483648) goto b2 else b1
            b1:
              if (x == -8) goto b3 else b4
            b2:
              return -2147483648
            b3:
              return -8
            b4:
              return -1 << 6
        "#]],
    );
    check(
        "unsigned long f(void) { return 18446744073709551615UL * 18446744073709551615UL; }",
        expect![[r#"
            b0:
              return 1
        "#]],
    );
}
