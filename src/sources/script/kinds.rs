//! The kinds and fields of syntax nodes that this room reads, one list for all grammars.
//!
//! A kind that is not in the list is [`Kind::Other`]: it is walked through, and nothing is claimed about it.

use super::Language;
use std::sync::OnceLock;

macro_rules! kinds {
    ($($kind:ident = $($name:literal)|+,)*) => {
        /// What a part of a text is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Kind {
            /// Kept, but nothing is known of it.
            Other,
            /// Not kept: punctuation, the words of statements, the inside of strings.
            Dropped,
            /// Text that the grammar cannot read.
            Error,
            /// A part that is not there, though the grammar needs it.
            Missing,
            $($kind,)*
        }
        const NAMED: &[(Kind, &[&str])] = &[$((Kind::$kind, &[$($name),+]),)*];
    };
}

kinds! {
    Program = "program",
    Comment = "comment",
    HtmlComment = "html_comment" | "hash_bang_line" | "jsx_text" | "html_character_reference",
    Fragment = "string_fragment" | "escape_sequence" | "regex_pattern" | "regex_flags",
    // Statements.
    ExpressionStatement = "expression_statement",
    VariableDeclaration = "variable_declaration",
    LexicalDeclaration = "lexical_declaration" | "using_declaration",
    Declarator = "variable_declarator",
    Block = "statement_block",
    If = "if_statement",
    Else = "else_clause",
    Switch = "switch_statement",
    SwitchBody = "switch_body",
    Case = "switch_case",
    DefaultCase = "switch_default",
    For = "for_statement",
    ForIn = "for_in_statement",
    While = "while_statement",
    Do = "do_statement",
    Try = "try_statement",
    Catch = "catch_clause",
    Finally = "finally_clause",
    With = "with_statement",
    Break = "break_statement",
    Continue = "continue_statement",
    Return = "return_statement",
    Throw = "throw_statement",
    Labeled = "labeled_statement",
    Empty = "empty_statement" | "debugger_statement",
    // Declarations.
    FunctionDeclaration = "function_declaration" | "generator_function_declaration",
    FunctionSignature = "function_signature",
    ClassDeclaration = "class_declaration" | "abstract_class_declaration",
    Interface = "interface_declaration",
    TypeAlias = "type_alias_declaration",
    Enum = "enum_declaration",
    EnumBody = "enum_body",
    EnumAssignment = "enum_assignment",
    Namespace = "module" | "internal_module",
    Ambient = "ambient_declaration",
    ImportAlias = "import_alias",
    // Imports and exports.
    Import = "import_statement",
    ImportClause = "import_clause",
    ImportRequire = "import_require_clause",
    NamespaceImport = "namespace_import",
    NamedImports = "named_imports",
    ImportSpecifier = "import_specifier",
    Export = "export_statement",
    ExportClause = "export_clause",
    ExportSpecifier = "export_specifier",
    NamespaceExport = "namespace_export",
    // Functions and classes.
    Function = "function_expression" | "generator_function",
    Arrow = "arrow_function",
    Method = "method_definition",
    MethodSignature = "method_signature" | "abstract_method_signature",
    Parameters = "formal_parameters",
    Parameter = "required_parameter",
    OptionalParameter = "optional_parameter",
    Class = "class",
    Heritage = "class_heritage",
    Extends = "extends_clause",
    ClassBody = "class_body",
    FieldDefinition = "field_definition" | "public_field_definition",
    StaticBlock = "class_static_block",
    IndexSignature = "index_signature",
    Decorator = "decorator",
    Accessibility = "accessibility_modifier" | "override_modifier",
    // Expressions.
    Identifier = "identifier" | "undefined" | "statement_identifier",
    PropertyIdentifier = "property_identifier",
    PrivateIdentifier = "private_property_identifier",
    NestedIdentifier = "nested_identifier",
    This = "this",
    Super = "super",
    Number = "number",
    String = "string",
    Template = "template_string",
    Substitution = "template_substitution",
    Regex = "regex",
    True = "true",
    False = "false",
    Null = "null",
    Object = "object",
    Pair = "pair",
    Shorthand = "shorthand_property_identifier",
    ComputedName = "computed_property_name",
    Array = "array",
    Spread = "spread_element",
    Member = "member_expression",
    Subscript = "subscript_expression",
    Call = "call_expression",
    New = "new_expression",
    Arguments = "arguments",
    TypeArguments = "type_arguments",
    Await = "await_expression",
    Yield = "yield_expression",
    Unary = "unary_expression",
    Update = "update_expression",
    Binary = "binary_expression",
    Ternary = "ternary_expression",
    Assignment = "assignment_expression",
    AugmentedAssignment = "augmented_assignment_expression",
    Sequence = "sequence_expression",
    Parenthesized = "parenthesized_expression",
    As = "as_expression",
    Satisfies = "satisfies_expression",
    Assertion = "type_assertion",
    NonNull = "non_null_expression",
    Instantiation = "instantiation_expression",
    ImportWord = "import",
    Meta = "meta_property",
    OptionalChain = "optional_chain",
    JsxElement = "jsx_element",
    JsxSelfClosing = "jsx_self_closing_element",
    JsxOpening = "jsx_opening_element",
    JsxClosing = "jsx_closing_element",
    JsxExpression = "jsx_expression",
    JsxAttribute = "jsx_attribute",
    JsxNamespaceName = "jsx_namespace_name",
    // Patterns.
    ObjectPattern = "object_pattern",
    ArrayPattern = "array_pattern",
    PairPattern = "pair_pattern",
    AssignmentPattern = "assignment_pattern" | "object_assignment_pattern",
    RestPattern = "rest_pattern",
    ShorthandPattern = "shorthand_property_identifier_pattern",
    // Types, of which only the text is kept.
    TypeParameters = "type_parameters",
    TypeParameter = "type_parameter",
    TypeAnnotation = "type_annotation" | "asserts_annotation" | "type_predicate_annotation",
    Type = "type_identifier" | "nested_type_identifier" | "generic_type" | "predefined_type"
        | "object_type" | "array_type" | "tuple_type" | "flow_maybe_type" | "type_query"
        | "index_type_query" | "this_type" | "existential_type" | "literal_type" | "lookup_type"
        | "conditional_type" | "template_literal_type" | "intersection_type" | "union_type"
        | "readonly_type" | "function_type" | "constructor_type" | "infer_type"
        | "parenthesized_type",
    TypeOnly = "implements_clause" | "extends_type_clause" | "interface_body" | "constraint"
        | "default_type" | "import_attribute",
}

macro_rules! words {
    ($($kind:ident = $($word:literal)|+,)*) => {
        /// The words and signs that are kept.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Word {
            $($kind,)*
        }
        const WORDS: &[(Word, &[&str])] = &[$((Word::$kind, &[$($word),+]),)*];
    };
}

words! {
    Async = "async",
    Await = "await",
    Static = "static",
    StaticGet = "static get",
    Get = "get",
    Set = "set",
    Star = "*",
    Question = "?",
    Optional = "?.",
    Global = "global",
    TypeOnly = "type" | "typeof",
    Readonly = "readonly",
    Comma = ",",
    Default = "default",
    // The `=` of `export = x`.
    Equals = "=",
}

macro_rules! fields {
    ($($field:ident = $name:literal,)*) => {
        /// What a part is to the whole.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Field {
            /// None that this room reads.
            None,
            $($field,)*
        }
        const FIELDS: &[(Field, &str)] = &[$((Field::$field, $name),)*];
    };
}

fields! {
    Alias = "alias",
    Alternative = "alternative",
    Argument = "argument",
    Arguments = "arguments",
    Attribute = "attribute",
    Body = "body",
    Condition = "condition",
    Consequence = "consequence",
    Constructor = "constructor",
    Declaration = "declaration",
    Decorator = "decorator",
    Finalizer = "finalizer",
    Function = "function",
    Handler = "handler",
    Increment = "increment",
    Index = "index",
    Initializer = "initializer",
    Key = "key",
    Kind = "kind",
    Label = "label",
    Left = "left",
    Name = "name",
    Object = "object",
    Operator = "operator",
    OptionalChain = "optional_chain",
    Parameter = "parameter",
    Parameters = "parameters",
    Pattern = "pattern",
    Property = "property",
    ReturnType = "return_type",
    Right = "right",
    Source = "source",
    Type = "type",
    TypeArguments = "type_arguments",
    TypeParameters = "type_parameters",
    Value = "value",
}

/// A grammar and what its numbers mean.
pub(super) struct Grammar {
    /// What the parser needs.
    pub language: tree_sitter::Language,
    kinds: Vec<(Kind, Option<Word>)>,
    fields: Vec<Field>,
}

impl Grammar {
    /// The grammar of a language, read once.
    pub fn of(language: Language) -> &'static Grammar {
        static GRAMMARS: [OnceLock<Grammar>; 3] = [const { OnceLock::new() }; 3];
        let (idx, grammar) = match language {
            Language::JavaScript => (0, tree_sitter_javascript::LANGUAGE),
            Language::TypeScript => (1, tree_sitter_typescript::LANGUAGE_TYPESCRIPT),
            Language::Tsx => (2, tree_sitter_typescript::LANGUAGE_TSX),
        };
        GRAMMARS[idx].get_or_init(|| Grammar::read(grammar.into()))
    }

    fn read(language: tree_sitter::Language) -> Grammar {
        let kind_ids = 0..u16::try_from(language.node_kind_count()).unwrap_or(u16::MAX);
        let kinds = kind_ids.map(|id| kind_of(&language, id)).collect();
        let field_ids = 0..=u16::try_from(language.field_count()).unwrap_or(u16::MAX);
        let fields = field_ids.map(|id| field_of(&language, id)).collect();
        Grammar { language, kinds, fields }
    }

    /// What kind of node a number means; numbers that no grammar has mean an error.
    pub fn kind(&self, id: u16) -> (Kind, Option<Word>) {
        self.kinds.get(usize::from(id)).copied().unwrap_or((Kind::Error, None))
    }

    /// What field a number means.
    pub fn field(&self, id: Option<std::num::NonZeroU16>) -> Field {
        let Some(id) = id else { return Field::None };
        self.fields.get(usize::from(id.get())).copied().unwrap_or(Field::None)
    }
}

fn kind_of(language: &tree_sitter::Language, id: u16) -> (Kind, Option<Word>) {
    let name = language.node_kind_for_id(id).unwrap_or("");
    if language.node_kind_is_named(id) {
        let known = NAMED.iter().find(|(_, names)| names.contains(&name));
        return (known.map_or(Kind::Other, |(kind, _)| *kind), None);
    }
    let word = WORDS.iter().find(|(_, words)| words.contains(&name));
    (Kind::Dropped, word.map(|(word, _)| *word))
}

fn field_of(language: &tree_sitter::Language, id: u16) -> Field {
    let name = language.field_name_for_id(id).unwrap_or("");
    FIELDS.iter().find(|(_, n)| *n == name).map_or(Field::None, |(field, _)| *field)
}

impl Kind {
    /// Whether nothing of interest lies in it.
    pub fn is_leaf(self) -> bool {
        matches!(
            self,
            Kind::String
                | Kind::Regex
                | Kind::Type
                | Kind::TypeOnly
                | Kind::TypeAnnotation
                | Kind::IndexSignature
                | Kind::Meta
                | Kind::ImportAlias
                | Kind::JsxClosing
                | Kind::JsxNamespaceName
                | Kind::Identifier
                | Kind::PropertyIdentifier
                | Kind::PrivateIdentifier
                | Kind::Shorthand
                | Kind::ShorthandPattern
                | Kind::This
                | Kind::Super
                | Kind::Number
                | Kind::True
                | Kind::False
                | Kind::Null
                | Kind::Empty
                | Kind::Break
                | Kind::Continue
                | Kind::ImportWord
                | Kind::OptionalChain
                | Kind::Accessibility
        )
    }

    /// Whether words and signs in it are told apart by field.
    pub fn has_signs(self) -> bool {
        matches!(
            self,
            Kind::Binary
                | Kind::Unary
                | Kind::Update
                | Kind::AugmentedAssignment
                | Kind::ForIn
                | Kind::LexicalDeclaration
        )
    }

    /// Whether its parts are told apart by kind and place alone.
    pub fn is_list(self) -> bool {
        matches!(
            self,
            Kind::Program
                | Kind::Block
                | Kind::SwitchBody
                | Kind::ExpressionStatement
                | Kind::VariableDeclaration
                | Kind::Return
                | Kind::Parameters
                | Kind::ClassBody
                | Kind::Object
                | Kind::Array
                | Kind::ObjectPattern
                | Kind::ArrayPattern
                | Kind::Arguments
                | Kind::Sequence
                | Kind::Parenthesized
                | Kind::Template
                | Kind::Substitution
                | Kind::Spread
                | Kind::ComputedName
        )
    }

    /// Whether it is never kept.
    pub fn is_dropped(self) -> bool {
        matches!(self, Kind::Dropped | Kind::HtmlComment | Kind::Fragment)
    }

    /// Whether errors in it may hold whole statements or methods.
    pub fn holds_statements(self) -> bool {
        matches!(self, Kind::Program | Kind::Block | Kind::ClassBody | Kind::Error)
    }

    /// Whether it stands in a list of statements.
    pub fn is_statement(self) -> bool {
        matches!(
            self,
            Kind::ExpressionStatement
                | Kind::VariableDeclaration
                | Kind::LexicalDeclaration
                | Kind::Block
                | Kind::If
                | Kind::Switch
                | Kind::For
                | Kind::ForIn
                | Kind::While
                | Kind::Do
                | Kind::Try
                | Kind::With
                | Kind::Break
                | Kind::Continue
                | Kind::Return
                | Kind::Throw
                | Kind::Labeled
                | Kind::FunctionDeclaration
                | Kind::FunctionSignature
                | Kind::ClassDeclaration
                | Kind::Interface
                | Kind::TypeAlias
                | Kind::Enum
                | Kind::Namespace
                | Kind::Ambient
                | Kind::ImportAlias
                | Kind::Import
                | Kind::Export
        )
    }
}
