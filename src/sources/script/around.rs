//! What is around a scope: whose `this` holds in it, and which function it is part of.

use super::{ClassId, FunctionId, Language, ObjectId, ScopeId, ScopeKind, Script, ThisOf};

/// What `this` means somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum This {
    /// An instance of this class.
    Instance(ClassId),
    /// The class itself.
    Statics(ClassId),
    /// This object literal.
    Object(ObjectId),
    /// Whatever this plain function is called on.
    Function(FunctionId),
    /// What it is outside of all functions: nothing, the module or the global object, as the host likes.
    File,
}

impl Script {
    /// What `this` means in a scope.
    ///
    /// Scopes are walked outwards; arrow functions and blocks change nothing. A class body itself stands for an
    /// instance, since only the initialisers of fields lie directly in it; those of static fields and static blocks lie
    /// in a function of their own, whose `this` is the class.
    pub fn this_of(&self, scope: ScopeId) -> This {
        for scope in self.outwards(scope) {
            match self.scopes[scope.idx()].kind {
                ScopeKind::Class(class) => return This::Instance(class),
                ScopeKind::Function(function) => match self.functions[function.idx()].this {
                    ThisOf::Around => {}
                    ThisOf::Instance(class) => return This::Instance(class),
                    ThisOf::Statics(class) => return This::Statics(class),
                    ThisOf::Object(object) => return This::Object(object),
                    ThisOf::Own => return This::Function(function),
                },
                ScopeKind::File | ScopeKind::Block | ScopeKind::With | ScopeKind::Namespace => {}
            }
        }
        This::File
    }

    /// The innermost function of any kind that a scope is part of; a class body between them is passed over.
    pub fn function_around(&self, scope: ScopeId) -> Option<FunctionId> {
        self.outwards(scope).find_map(|scope| match self.scopes[scope.idx()].kind {
            ScopeKind::Function(function) => Some(function),
            ScopeKind::File
            | ScopeKind::Class(_)
            | ScopeKind::Block
            | ScopeKind::With
            | ScopeKind::Namespace => None,
        })
    }

    /// A scope and all that are around it, from the inside out.
    pub fn outwards(&self, scope: ScopeId) -> impl Iterator<Item = ScopeId> + '_ {
        std::iter::successors(Some(scope), |scope| self.scopes[scope.idx()].parent)
    }
}

impl Language {
    /// The language of a file, by its name's ending; declarations (`.d.ts`) have none.
    pub fn of_path(path: &str) -> Option<Language> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase();
        let (stem, ending) = name.rsplit_once('.')?;
        match ending {
            "js" | "mjs" | "cjs" | "jsx" | "es6" | "gs" | "jsxinc" => Some(Language::JavaScript),
            // `.d.ts`, and `.d.css.ts` for declarations of other files.
            "ts" | "mts" | "cts" if stem.ends_with(".d") || stem.contains(".d.") => None,
            "ts" | "mts" | "cts" => Some(Language::TypeScript),
            "tsx" => Some(Language::Tsx),
            _ => None,
        }
    }
}
