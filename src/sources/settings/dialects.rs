//! The dialects that pages are written in, by the names that settings give them.

use std::fmt;

/// How a page documents members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dialect {
    /// Members are headings spelt as code: `win.setTitle(title)`, `Event: 'closed'`.
    Electron,
    /// Members are sections titled `Interface-member`, described in fixed sentences.
    Titled,
    /// A page a member, titled `Layout.makeTable() method`, with its signature in code.
    Documenter,
    /// A page an object, members under `Attributes`, `Properties` and `Methods`.
    MkDocs,
    /// DocFX's YAML.
    DocFx,
    /// Roblox's YAML.
    Roblox,
    /// jQuery's XML.
    JQuery,
    /// Godot's XML.
    Godot,
    /// TypeDoc's JSON.
    TypeDoc,
    /// qdoc's HTML.
    Qdoc,
    /// TypeDoc's HTML.
    TypeDocHtml,
    /// TypeDoc's Markdown.
    TypeDocMarkdown,
    /// Sphinx' HTML.
    Sphinx,
    /// JSDoc's HTML.
    JsDoc,
    /// Doxygen's HTML.
    Doxygen,
    /// MDN's Markdown.
    Mdn,
    /// Groundline's own JSON.
    Own,
    /// Members are what the configuration's own patterns find.
    Patterned,
    /// It documents none.
    Prose,
}

impl Dialect {
    /// All that can be asked for.
    pub const ALL: [Dialect; 19] = [
        Dialect::Documenter,
        Dialect::MkDocs,
        Dialect::DocFx,
        Dialect::Roblox,
        Dialect::JQuery,
        Dialect::Godot,
        Dialect::TypeDoc,
        Dialect::Qdoc,
        Dialect::TypeDocHtml,
        Dialect::TypeDocMarkdown,
        Dialect::Sphinx,
        Dialect::JsDoc,
        Dialect::Doxygen,
        Dialect::Mdn,
        Dialect::Own,
        Dialect::Titled,
        Dialect::Electron,
        Dialect::Patterned,
        Dialect::Prose,
    ];

    /// How settings name it.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Electron => "electron",
            Dialect::Titled => "titles",
            Dialect::Documenter => "api-documenter",
            Dialect::MkDocs => "mkdocs",
            Dialect::DocFx => "docfx",
            Dialect::Roblox => "roblox",
            Dialect::JQuery => "jquery",
            Dialect::Godot => "godot",
            Dialect::TypeDoc => "typedoc-json",
            Dialect::Qdoc => "qdoc",
            Dialect::TypeDocHtml => "typedoc-html",
            Dialect::TypeDocMarkdown => "typedoc-markdown",
            Dialect::Sphinx => "sphinx",
            Dialect::JsDoc => "jsdoc",
            Dialect::Doxygen => "doxygen",
            Dialect::Mdn => "mdn",
            Dialect::Own => "groundline-json",
            Dialect::Patterned => "patterns",
            Dialect::Prose => "none",
        }
    }

    /// The dialect of that name.
    pub fn of_name(name: &str) -> Option<Dialect> {
        Dialect::ALL.into_iter().find(|dialect| dialect.name() == name)
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Dialect::Electron => "code headings",
            Dialect::Titled => "Interface-member titles",
            Dialect::Documenter => "API Documenter",
            Dialect::MkDocs => "object pages",
            Dialect::DocFx => "DocFX",
            Dialect::Roblox => "Roblox YAML",
            Dialect::JQuery => "jQuery XML",
            Dialect::Godot => "Godot XML",
            Dialect::TypeDoc => "TypeDoc JSON",
            Dialect::Qdoc => "qdoc",
            Dialect::TypeDocHtml => "TypeDoc HTML",
            Dialect::TypeDocMarkdown => "TypeDoc Markdown",
            Dialect::Sphinx => "Sphinx",
            Dialect::JsDoc => "JSDoc",
            Dialect::Doxygen => "Doxygen",
            Dialect::Mdn => "MDN",
            Dialect::Own => "Groundline JSON",
            Dialect::Patterned => "your patterns",
            Dialect::Prose => "no members",
        })
    }
}
