//! Syntax trees that are moved: a unit is parsed in its own text, and lies in that of the program.
//!
//! The parser counts offsets from the beginning of what it is given. Given all that comes before a
//! unit, too, it would read it for every unit anew.
//!
//! **Invariant:** every node of the tree moves. The patterns below name all members and all variants,
//! so one that a new version of the parser adds does not compile.

use lang_c::ast::*;
use lang_c::span::Node;

/// A part of a syntax tree.
pub trait Moved {
    /// Moves all places in it towards the end of the text.
    fn shift(&mut self, by: usize);
}

impl<T: Moved> Moved for Node<T> {
    fn shift(&mut self, by: usize) {
        if !self.span.is_none() {
            self.span.start += by;
            self.span.end += by;
        }
        self.node.shift(by);
    }
}

impl<T: Moved> Moved for Box<T> {
    fn shift(&mut self, by: usize) {
        (**self).shift(by);
    }
}

impl<T: Moved> Moved for Vec<T> {
    fn shift(&mut self, by: usize) {
        self.iter_mut().for_each(|one| one.shift(by));
    }
}

impl<T: Moved> Moved for Option<T> {
    fn shift(&mut self, by: usize) {
        self.iter_mut().for_each(|one| one.shift(by));
    }
}

/// What has no places in it.
macro_rules! without_places {
    ($($name:ident),* $(,)?) => {
        $(impl Moved for $name {
            fn shift(&mut self, _: usize) {}
        })*
    };
}

/// What has members.
macro_rules! members {
    ($($name:ident { $($member:ident),* })*) => {
        $(impl Moved for $name {
            fn shift(&mut self, by: usize) {
                let $name { $($member),* } = self;
                $($member.shift(by);)*
            }
        })*
    };
}

/// What is one thing or another; behind the bar, what has nothing in it.
macro_rules! variants {
    ($($name:ident { $($full:ident),* | $($empty:ident),* })*) => {
        $(impl Moved for $name {
            fn shift(&mut self, by: usize) {
                match self {
                    $($name::$full(one) => one.shift(by),)*
                    $($name::$empty => {})*
                }
            }
        })*
    };
}

/// What is something else under another name.
macro_rules! wrappers {
    ($($name:ident),*) => {
        $(impl Moved for $name {
            fn shift(&mut self, by: usize) {
                let $name(inner) = self;
                inner.shift(by);
            }
        })*
    };
}

without_places! {
    String, Identifier, Constant, MemberOperator, UnaryOperator, BinaryOperator,
    StorageClassSpecifier, TS18661FloatType, StructKind, TypeQualifier, FunctionSpecifier, Ellipsis,
    AvailabilityVersion,
}

wrappers! { TranslationUnit, SizeOfTy, SizeOfVal, AlignOf }

members! {
    GenericSelection { expression, associations }
    GenericAssociationType { type_name, expression }
    MemberExpression { operator, expression, identifier }
    CallExpression { callee, arguments }
    CompoundLiteral { type_name, initializer_list }
    UnaryOperatorExpression { operator, operand }
    CastExpression { type_name, expression }
    BinaryOperatorExpression { operator, lhs, rhs }
    ConditionalExpression { condition, then_expression, else_expression }
    VaArgExpression { va_list, type_name }
    OffsetOfExpression { type_name, designator }
    OffsetDesignator { base, members }
    Declaration { specifiers, declarators }
    InitDeclarator { declarator, initializer }
    StructType { kind, identifier, declarations }
    StructField { specifiers, declarators }
    StructDeclarator { declarator, bit_width }
    EnumType { identifier, enumerators }
    Enumerator { identifier, expression, extensions }
    Declarator { kind, derived, extensions }
    ArrayDeclarator { qualifiers, size }
    FunctionDeclarator { parameters, ellipsis }
    ParameterDeclaration { specifiers, declarator, extensions }
    TypeName { specifiers, declarator }
    InitializerListItem { designation, initializer }
    RangeDesignator { from, to }
    StaticAssert { expression, message }
    LabeledStatement { label, statement }
    IfStatement { condition, then_statement, else_statement }
    SwitchStatement { expression, statement }
    WhileStatement { expression, statement }
    DoWhileStatement { statement, expression }
    ForStatement { initializer, condition, step, statement }
    CaseRange { low, high }
    FunctionDefinition { specifiers, declarator, declarations, statement }
    Attribute { name, arguments }
    AvailabilityAttribute { platform, clauses }
    GnuExtendedAsmStatement { qualifier, template, outputs, inputs, clobbers }
    GnuAsmOperand { symbolic_name, constraints, variable_name }
}

variants! {
    Expression {
        Identifier, Constant, StringLiteral, GenericSelection, Member, Call, CompoundLiteral,
        SizeOfTy, SizeOfVal, AlignOf, UnaryOperator, Cast, BinaryOperator, Conditional, Comma,
        OffsetOf, VaArg, Statement |
    }
    GenericAssociation { Type, Default | }
    OffsetMember { Member, IndirectMember, Index | }
    DeclarationSpecifier {
        StorageClass, TypeSpecifier, TypeQualifier, Function, Alignment, Extension |
    }
    TypeSpecifier {
        Atomic, Struct, Enum, TypedefName, TypeOf, TS18661Float |
        Void, Char, Short, Int, Long, Float, Double, Signed, Unsigned, Bool, Complex
    }
    StructDeclaration { Field, StaticAssert | }
    SpecifierQualifier { TypeSpecifier, TypeQualifier, Extension | }
    AlignmentSpecifier { Type, Constant | }
    DeclaratorKind { Identifier, Declarator | Abstract }
    DerivedDeclarator { Pointer, Array, Function, KRFunction, Block | }
    PointerQualifier { TypeQualifier, Extension | }
    ArraySize { VariableExpression, StaticExpression | Unknown, VariableUnknown }
    Initializer { Expression, List | }
    Designator { Index, Member, Range | }
    Statement {
        Labeled, Compound, Expression, If, Switch, While, DoWhile, For, Goto, Return, Asm |
        Continue, Break
    }
    Label { Identifier, Case, CaseRange | Default }
    ForInitializer { Expression, Declaration, StaticAssert | Empty }
    BlockItem { Declaration, StaticAssert, Statement | }
    ExternalDeclaration { Declaration, StaticAssert, FunctionDefinition | }
    Extension { Attribute, AsmLabel, AvailabilityAttribute | }
    AvailabilityClause { Introduced, Deprecated, Obsoleted, Message, Replacement | Unavailable }
    AsmStatement { GnuBasic, GnuExtended | }
    TypeOf { Expression, Type | }
}

#[cfg(test)]
mod tests {
    use lang_c::driver::{Config, Flavor, parse_preprocessed};

    use super::*;

    /// Something of everything that the parser knows.
    const TEXT: &str = r#"
typedef struct node { struct node *next; unsigned bits : 3; _Static_assert(1, "ok"); } node;
enum color { RED = 1, GREEN } __attribute__((unused));
extern int printf(const char *restrict format, ...) __asm__("print");
static _Alignas(8) _Thread_local int table[2][3] = { [0] = { 1, 2 }, [1 ... 1] = { 3 } };
struct { int a, b; } pair = { .a = 1, .b = 2 };
int old(a, b) int a; char *b; { return a + *b; }
inline _Noreturn void stop(int n, int (*f)(int), int v[static 2], ...) {
    __builtin_va_list ap;
    typeof(n) m = sizeof(int) + sizeof n + _Alignof(int);
    for (int i = 0; i < n; i++) { if (i) continue; else break; }
    for (;;) ;
    do { n = (n, n ? -n : ~n); } while (n && !m);
    while (n) n--;
    switch (n) { case 1: case 2 ... 4: goto out; default: ; }
    m = _Generic(n, int: 1, default: 2) + ((struct node){ 0, 1 }).bits + "a" "b"[0];
    m = __builtin_offsetof(struct node, next) + __builtin_va_arg(ap, int) + ({ int k = 1.5f; k; });
    __asm__ volatile("nop" : [out] "=r"(m) : "r"(n) : "memory");
    __asm__("nop");
out:
    (*f)((int) 'c');
    return;
}
"#;

    #[test]
    fn a_tree_that_is_moved_is_that_of_a_text_behind_blanks() {
        let config =
            Config { cpp_command: String::new(), cpp_options: vec![], flavor: Flavor::GnuC11 };
        let parsed = |code: String| parse_preprocessed(&config, code).expect("C").unit;
        let blanks = " ".repeat(1000);
        let mut moved = parsed(TEXT.to_owned());
        moved.shift(1000);
        assert_eq!(format!("{moved:?}"), format!("{:?}", parsed(format!("{blanks}{TEXT}"))));
    }
}
