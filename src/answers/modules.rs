//! What the modules of a project export, as a datagraph of their own: code that imports them is judged as if an api gave it.
//!
//! Only what is proved of a module leaves it. Everything that it makes itself is open, so nothing is called invented on
//! it, but for one case: the instances of a class that inherits from an api's class have what both of them have.

use super::heirs::is_exports;
use super::infer::{Inference, Meanings};
use crate::base::{Name, Span};
use crate::corpus::{Corpus, Lookup};
use crate::datagraph::{Datagraph, Interface, InterfaceKind, Key};
use crate::sources::script::{
    Argument, ClassId, ExprId, ExpressionKind, FunctionId, ObjectId, Script,
};
use crate::types::{Arity, Member, Named, Own, Parameter, Signature, Type, TypeName};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How many steps of modules that import others are followed before the rest is taken together.
const MAX_WAVES: usize = 8;

/// How many classes, functions and objects of a module are described.
const MAX_THINGS: usize = 300;

/// How deep the types of what a module exports may nest.
const MAX_DEPTH: u32 = 6;

/// A module of the project.
pub struct Module<'a> {
    /// The name that it has in the datagraph, which no code can write as a specifier.
    pub name: Name,
    /// What it says.
    pub script: &'a Script,
    /// What its own imports mean.
    pub meanings: &'a Meanings,
}

/// A corpus that has these modules beside its apis.
pub fn with_modules(corpus: &Corpus, modules: &[Module<'_>]) -> Corpus {
    let mut graph = Datagraph { api: "this project".into(), ..Datagraph::default() };
    let mut left: Vec<&Module<'_>> = modules.iter().collect();
    let mut among = Corpus::new(corpus.graphs.clone());
    for wave in 1..=MAX_WAVES {
        let undone: BTreeSet<Name> = left.iter().map(|m| m.name.clone()).collect();
        let waits = |m: &&Module<'_>| {
            m.meanings.values().any(|other| *other != m.name && undone.contains(other))
        };
        let (mut later, mut ready): (Vec<_>, Vec<_>) = left.into_iter().partition(waits);
        // What is left imports itself in a circle, or is too far away.
        if ready.is_empty() || wave == MAX_WAVES {
            ready.append(&mut later);
        }
        for module in ready {
            Exporting::new(&among, module, &mut graph).all();
        }
        let graphs = corpus.graphs.iter().cloned().chain([Arc::new(graph.clone())]);
        among = Corpus::new(graphs.collect());
        left = later;
        if left.is_empty() {
            break;
        }
    }
    among
}

/// One module on its way into the datagraph.
struct Exporting<'a, 'g> {
    inference: Inference<'a>,
    script: &'a Script,
    name: Name,
    graph: &'g mut Datagraph,
    begun: BTreeSet<Own>,
    open: Vec<Own>,
    /// What the script sets on its own things, wherever it does.
    set: BTreeMap<Own, BTreeSet<Name>>,
    dynamic: Vec<Span>,
}

impl<'a, 'g> Exporting<'a, 'g> {
    fn new(corpus: &'a Corpus, module: &Module<'a>, graph: &'g mut Datagraph) -> Self {
        Exporting {
            inference: Inference::among(corpus, module.script, module.meanings),
            script: module.script,
            name: module.name.clone(),
            graph,
            begun: BTreeSet::new(),
            open: Vec::new(),
            set: BTreeMap::new(),
            dynamic: dynamic(module.script),
        }
    }

    /// Puts in what the module exports, and everything of its own that this leads to.
    fn all(mut self) {
        let mut exports = own(InterfaceKind::Module);
        self.declared(&mut exports);
        self.assigned(&mut exports);
        self.keep(Key::of_value(self.within("")), exports);
        if !self.open.is_empty() {
            self.set = self.set();
        }
        while let Some(next) = self.open.pop() {
            match next {
                Own::Class(class) | Own::Instance(class) => self.class(ClassId(class)),
                Own::Function(function) => self.function(FunctionId(function)),
                Own::Object(object) => self.object(ObjectId(object)),
            }
        }
    }

    fn set(&mut self) -> BTreeMap<Own, BTreeSet<Name>> {
        let script = self.script;
        let mut set: BTreeMap<Own, BTreeSet<Name>> = BTreeMap::new();
        for write in &script.writes {
            if let ExpressionKind::Member { object, name, .. } =
                &script.expressions[write.target.idx()].kind
                && let Type::Own(own) = self.inference.expression(*object)
            {
                set.entry(own).or_default().insert(name.clone());
            }
        }
        set
    }

    fn within(&self, path: &str) -> TypeName {
        TypeName::within(self.name.clone(), path)
    }

    fn keep(&mut self, key: Key, interface: Interface) {
        self.graph.interfaces.insert(key, interface);
    }

    /// What `export` declares.
    fn declared(&mut self, exports: &mut Interface) {
        let script = self.script;
        for export in &script.exports {
            let gives = match (&export.module, &export.local, export.expression) {
                (Some(module), local, _) => {
                    let module = self.inference.module_of(module);
                    match local.as_deref() {
                        None if export.name == "*" => {
                            exports.extends.push(module);
                            continue;
                        }
                        None | Some("*") => module,
                        Some(local) => self.inference.member(&module, local),
                    }
                }
                (None, _, Some(expression)) => self.inference.expression(expression),
                (None, Some(local), None) => self.top(local),
                (None, None, None) => Type::Unknown,
            };
            let gives = self.portable(&gives, 0);
            // A class is a type, too.
            if let Type::Typeof(class) = &gives
                && class.path != export.name
            {
                let name = self.within(&export.name);
                self.graph.names.insert(name, (**class).clone());
            }
            match export.name == "export=" {
                true => exports.exports = Some(gives),
                false => {
                    _ = exports.shape.members.insert(export.name.clone(), Member::property(gives))
                }
            }
        }
    }

    /// What a name at the top of the module holds.
    fn top(&mut self, name: &str) -> Type {
        let names = self.script.scopes.first().map_or(&[][..], |s| &s.names);
        match names.binary_search_by(|(n, _)| n.as_str().cmp(name)) {
            Ok(at) => self.inference.binding(names[at].1),
            Err(_) => Type::Unknown,
        }
    }

    /// What is assigned to `module.exports` and to its members.
    fn assigned(&mut self, exports: &mut Interface) {
        let script = self.script;
        let mut whole: Vec<ExprId> = Vec::new();
        for write in &script.writes {
            if is_exports(script, write.target) {
                whole.extend(write.value);
                continue;
            }
            let ExpressionKind::Member { object, name, .. } =
                &script.expressions[write.target.idx()].kind
            else {
                continue;
            };
            if !is_exports(script, *object) {
                continue;
            }
            let gives = match (write.value, exports.shape.members.contains_key(name)) {
                (Some(value), false) => {
                    let gives = self.inference.expression(value);
                    self.portable(&gives, 0)
                }
                _ => Type::Unknown,
            };
            exports.shape.members.insert(name.clone(), Member::property(gives));
        }
        if let [one] = whole.as_slice() {
            let gives = self.inference.expression(*one);
            exports.exports = Some(self.portable(&gives, 0));
        } else if !whole.is_empty() {
            exports.exports = Some(Type::Unknown);
        }
    }

    /// A type as others may see it: the module's own things by name, and what cannot be named unknown.
    fn portable(&mut self, ty: &Type, depth: u32) -> Type {
        if depth > MAX_DEPTH {
            return Type::Unknown;
        }
        let mut each = |parts: &[Type]| -> Vec<Type> {
            parts.iter().map(|part| self.portable(part, depth + 1)).collect()
        };
        match ty {
            Type::Own(own) => self.own(*own),
            Type::Union(parts) => Type::union(each(parts)),
            Type::Intersection(parts) => Type::Intersection(each(parts).into()),
            Type::Tuple(parts) => Type::Tuple(each(parts).into()),
            Type::Array(element) => Type::Array(Arc::new(self.portable(element, depth + 1))),
            Type::Named(named) if !named.arguments.is_empty() => {
                let Named { name, arguments } = &**named;
                Type::generic(name.clone(), each(arguments))
            }
            other if other.holds_own() => Type::Unknown,
            other => other.clone(),
        }
    }

    fn own(&mut self, own: Own) -> Type {
        if self.begun.len() >= MAX_THINGS && !self.begun.contains(&own) {
            return Type::Unknown;
        }
        let thing = match own {
            Own::Instance(class) => Own::Class(class),
            other => other,
        };
        if self.begun.insert(thing) {
            self.open.push(thing);
        }
        match own {
            Own::Class(class) => Type::Typeof(Arc::new(self.class_name(ClassId(class)))),
            Own::Instance(class) => Type::named(self.class_name(ClassId(class))),
            Own::Function(function) => {
                Type::Typeof(Arc::new(self.within(&format!("function~{function}"))))
            }
            Own::Object(object) => Type::named(self.within(&format!("object~{object}"))),
        }
    }

    /// A class's own name; where another class before it has the name, or it has none, one that no code can write.
    fn class_name(&self, class: ClassId) -> TypeName {
        let classes = &self.script.classes;
        match &classes[class.idx()].name {
            Some(name) if !classes[..class.idx()].iter().any(|c| c.name.as_ref() == Some(name)) => {
                self.within(name)
            }
            _ => self.within(&format!("class~{}", class.0)),
        }
    }

    fn class(&mut self, class: ClassId) {
        let script = self.script;
        let declared = &script.classes[class.idx()];
        let name = self.class_name(class);
        let mut instance = own(InterfaceKind::Class);
        let mut statics = own(InterfaceKind::Statics);
        let base = self.inference.base_instance(class);
        if is_named(&base) && !declared.may_have_more {
            instance.open = None;
        }
        if is_named(&base) || matches!(base, Type::Own(_)) {
            instance.extends.push(self.portable(&base, 0));
        }
        if let Some(base) = declared.extends {
            let base = self.inference.expression(base);
            if matches!(base, Type::Typeof(_) | Type::Own(_)) {
                statics.extends.push(self.portable(&base, 0));
            }
        }
        let is_dynamic = self.dynamic.iter().any(|span| declared.span.holds(*span));
        if let [Type::Named(base)] = instance.extends.as_slice()
            && base.name.module == self.name
        {
            // Whether it is closed, its base says.
            instance.open = None;
        }
        if is_dynamic || declared.may_have_more {
            instance.open = own(InterfaceKind::Class).open;
        }
        let names: BTreeSet<Name> = declared
            .members
            .iter()
            .filter(|m| !m.is_static)
            .map(|m| m.name.clone())
            .chain(self.set.get(&Own::Instance(class.0)).into_iter().flatten().cloned())
            .filter(|name| !name.starts_with('#'))
            .collect();
        self.members(Own::Instance(class.0), names, &mut instance);
        let names = declared.members.iter().filter(|m| m.is_static).map(|m| m.name.clone());
        self.members(Own::Class(class.0), names.collect(), &mut statics);
        self.keep(Key::of_type(name.clone()), instance);
        self.keep(Key::of_value(name), statics);
    }

    fn members(&mut self, of: Own, names: BTreeSet<Name>, into: &mut Interface) {
        for name in names {
            let gives = match self.inference.lookup(&Type::Own(of), &name) {
                Lookup::Known(found) => self.portable(&found.gives, 0),
                Lookup::Missing(_) | Lookup::Doubt(_) => Type::Unknown,
            };
            into.shape.members.insert(name, Member::property(gives));
        }
    }

    fn function(&mut self, function: FunctionId) {
        let script = self.script;
        let declared = &script.functions[function.idx()];
        let mut parameters = Vec::new();
        for (i, parameter) in declared.parameters.iter().enumerate() {
            let given = match &parameter.annotation {
                Some(annotation) => self.inference.annotated(annotation),
                None => Type::Unknown,
            };
            parameters.push(Parameter {
                name: format!("parameter{i}").into(),
                declared: self.portable(&given, 0),
                arity: if parameter.rest { Arity::Rest } else { Arity::Optional },
            });
        }
        let result = self.inference.result(function);
        let returns = self.portable(&result, 0);
        let signature = Signature { parameters, returns, ..Signature::default() };
        let mut interface = own(InterfaceKind::Function);
        interface.shape.calls.push(signature);
        self.keep(Key::of_value(self.within(&format!("function~{}", function.0))), interface);
    }

    fn object(&mut self, object: ObjectId) {
        let literal = &self.script.objects[object.idx()];
        let names = literal.properties.iter().map(|p| p.name.clone()).collect();
        let mut interface = own(InterfaceKind::Interface);
        self.members(Own::Object(object.0), names, &mut interface);
        self.keep(Key::of_type(self.within(&format!("object~{}", object.0))), interface);
    }
}

/// An interface of something that the project makes itself.
fn own(kind: InterfaceKind) -> Interface {
    Interface { open: Some("the project makes it itself".into()), ..Interface::new(kind) }
}

/// Whether a base is known by its name.
fn is_named(base: &Type) -> bool {
    matches!(base, Type::Named(_))
}

/// Where members with computed names are set or defined on `this`.
fn dynamic(script: &Script) -> Vec<Span> {
    let is_this = |id: ExprId| matches!(script.expressions[id.idx()].kind, ExpressionKind::This);
    let is_text = |id: ExprId| matches!(script.expressions[id.idx()].kind, ExpressionKind::Text(_));
    let set = script.writes.iter().filter_map(|write| {
        let target = &script.expressions[write.target.idx()];
        match target.kind {
            ExpressionKind::Element { object, index, .. } => {
                (is_this(object) && !is_text(index)).then_some(target.span)
            }
            _ => None,
        }
    });
    let defined = script.expressions.iter().filter_map(|expression| {
        let ExpressionKind::Call(call) = &expression.kind else { return None };
        let [Argument::One(of), ..] = call.arguments.as_slice() else { return None };
        let callee = &script.expressions[call.callee.idx()].kind;
        let defines = ["assign", "defineProperty", "defineProperties", "extend", "mixin"];
        let is_definition = matches!(
            callee,
            ExpressionKind::Member { name, .. } if defines.contains(&name.as_str())
        );
        (is_definition && is_this(*of)).then_some(expression.span)
    });
    set.chain(defined).collect()
}
