//! Java and annotations as written.

use trellis_program::source::Span;

/// A class.
#[derive(Clone, Debug)]
pub(crate) struct Class {
    pub name: String,
    pub span: Span,
    pub fields: Vec<Field>,
    pub methods: Vec<Method>,
    pub specs: Vec<Spec>,
    /// Why its methods are outside the subset.
    pub unsupported: Option<(Span, String)>,
}

/// A field.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub name: String,
    pub span: Span,
    pub ty: TypeName,
    pub is_static: bool,
    pub init: Option<Expr>,
}

/// A method or a constructor.
#[derive(Clone, Debug)]
pub(crate) struct Method {
    pub name: String,
    pub span: Span,
    /// `None` for a constructor; a method without a result returns `void`.
    pub ret: Option<TypeName>,
    pub params: Vec<Param>,
    pub is_static: bool,
    pub is_private: bool,
    pub specs: Vec<Spec>,
    pub body: Option<Vec<Stmt>>,
    /// The closing brace.
    pub end: Span,
    pub unsupported: Option<(Span, String)>,
}

/// A parameter.
#[derive(Clone, Debug)]
pub(crate) struct Param {
    pub name: String,
    pub span: Span,
    pub ty: TypeName,
}

/// A type as written.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TypeName {
    pub name: String,
    /// How many `[]` follow.
    pub dims: u32,
    pub span: Span,
}

/// One declared local: name, place, further `[]`, initial value.
pub(crate) type Declarator = (String, Span, u32, Option<Expr>);

/// A statement.
#[derive(Clone, Debug)]
pub(crate) enum Stmt {
    Block(Vec<Stmt>),
    Local(TypeName, Vec<Declarator>),
    Expr(Expr),
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    While {
        invariants: Vec<Spec>,
        cond: Expr,
        body: Box<Stmt>,
    },
    DoWhile {
        invariants: Vec<Spec>,
        cond: Expr,
        body: Box<Stmt>,
    },
    For {
        init: Vec<Stmt>,
        invariants: Vec<Spec>,
        cond: Option<Expr>,
        update: Vec<Expr>,
        body: Box<Stmt>,
        span: Span,
    },
    Return(Option<Expr>, Span),
    Break(Span),
    Continue(Span),
    Assert(Expr, Span),
    Specs(Vec<Spec>),
    Unsupported(String, Span),
    Empty,
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

/// A way to write an expression.
#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Int(i128, bool),
    Bool(bool),
    Null,
    This,
    Name(String),
    Field(Box<Expr>, String, Span),
    Index(Box<Expr>, Box<Expr>),
    Call {
        target: Option<Box<Expr>>,
        name: String,
        name_span: Span,
        args: Vec<Expr>,
    },
    New {
        class: TypeName,
        args: Vec<Expr>,
        hidden: bool,
    },
    /// The element type, the lengths that are given, and how many `[]` follow them.
    NewArray {
        element: TypeName,
        lengths: Vec<Expr>,
        more: u32,
        hidden: bool,
    },
    Unary(&'static str, Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `a = b`, or `a += b` with the operator.
    Assign(Option<&'static str>, Box<Expr>, Box<Expr>),
    /// `++a` and its like: the operator, whether it comes first.
    Step {
        op: &'static str,
        before: bool,
        place: Box<Expr>,
    },
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
    Cast(TypeName, Box<Expr>),
    Unsupported(String),
}

/// Text in quotation marks, and where it stands without them.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Text {
    pub text: String,
    pub span: Span,
}

/// One annotation with its place.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Spec {
    pub kind: SpecKind,
    pub span: Span,
}

/// What an annotation says.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum SpecKind {
    Invariant {
        name: Option<String>,
        formula: Text,
    },
    Contract {
        requires: Option<Text>,
        modifies: Option<Vec<Text>>,
        ensures: Option<Text>,
    },
    SpecVar {
        public: bool,
        is_static: bool,
        ghost: bool,
        name: String,
        ty: Text,
        init: Option<Text>,
    },
    /// `vardefs`, one text a definition; whether it is said to be public.
    Definitions(Vec<Text>),
    ClaimedBy(String),
    Hidden,
    /// `readonly`, `encap`: about who may look, which is not checked.
    Visibility,
    Assert(Text),
    /// `noteThat`: to be shown, then used.
    Note(Text),
    Assume(Text),
    Havoc(Vec<Text>, Option<Text>),
    Assign(Text, Text),
    Track(Vec<Text>),
    /// Understood as a word, but not followed.
    Unsupported(String),
}

impl Expr {
    /// The expressions that it is made of.
    pub(crate) fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Int(..)
            | ExprKind::Bool(_)
            | ExprKind::Null
            | ExprKind::This
            | ExprKind::Name(_)
            | ExprKind::Unsupported(_) => vec![],
            ExprKind::Field(a, ..)
            | ExprKind::Unary(_, a)
            | ExprKind::Cast(_, a)
            | ExprKind::Step { place: a, .. } => vec![a],
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) => {
                vec![a, b]
            }
            ExprKind::Choice(a, b, c) => vec![a, b, c],
            ExprKind::Call { target, args, .. } => {
                target.iter().map(|t| &**t).chain(args).collect()
            }
            ExprKind::New { args, .. } => args.iter().collect(),
            ExprKind::NewArray { lengths, .. } => lengths.iter().collect(),
        }
    }

    /// Calls `f` on this expression and on everything in it.
    pub(crate) fn visit(&self, f: &mut dyn FnMut(&Expr)) {
        f(self);
        self.parts().into_iter().for_each(|p| p.visit(f));
    }
}

impl Stmt {
    /// Calls `f` on this statement and on every one in it.
    pub(crate) fn visit(&self, f: &mut dyn FnMut(&Stmt)) {
        f(self);
        match self {
            Stmt::Block(all) => all.iter().for_each(|s| s.visit(f)),
            Stmt::If(_, a, b) => {
                a.visit(f);
                b.iter().for_each(|b| b.visit(f));
            }
            Stmt::While { body, .. } | Stmt::DoWhile { body, .. } => body.visit(f),
            Stmt::For { init, body, .. } => {
                init.iter().for_each(|s| s.visit(f));
                body.visit(f);
            }
            _ => {}
        }
    }

    /// Calls `f` on every local that is declared in it: name, type, place.
    pub(crate) fn locals<'s>(&'s self, f: &mut dyn FnMut(&'s str, TypeName, Span)) {
        match self {
            Stmt::Local(ty, all) => {
                for (name, span, dims, _) in all {
                    f(name, TypeName { dims: ty.dims + dims, ..ty.clone() }, *span);
                }
            }
            Stmt::Block(all) => all.iter().for_each(|s| s.locals(f)),
            Stmt::If(_, a, b) => {
                a.locals(f);
                b.iter().for_each(|b| b.locals(f));
            }
            Stmt::While { body, .. } | Stmt::DoWhile { body, .. } => body.locals(f),
            Stmt::For { init, body, .. } => {
                init.iter().for_each(|s| s.locals(f));
                body.locals(f);
            }
            _ => {}
        }
    }

    /// The expressions of this statement, without those of statements in it.
    pub(crate) fn exprs(&self) -> Vec<&Expr> {
        match self {
            Stmt::Local(_, all) => all.iter().filter_map(|d| d.3.as_ref()).collect(),
            Stmt::Expr(e) | Stmt::Assert(e, _) | Stmt::Return(Some(e), _) | Stmt::If(e, ..) => {
                vec![e]
            }
            Stmt::While { cond, .. } | Stmt::DoWhile { cond, .. } => vec![cond],
            Stmt::For { cond, update, .. } => cond.iter().chain(update).collect(),
            _ => vec![],
        }
    }
}
