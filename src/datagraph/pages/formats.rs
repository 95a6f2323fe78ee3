//! A small page of each dialect beside the first two, and what becomes of it.

use super::*;
use crate::datagraph::Side;
use crate::datagraph::names::key_text;
use crate::sources::pages::reading::page;
use crate::types::{MemberKind, Writing};

fn mined(pages: &[(&str, &str)]) -> (Datagraph, Vec<Dialect>) {
    let files = pages.iter().map(|(path, text)| PageFile {
        path: (*path).into(),
        hash: "00".into(),
        page: page(path, text.as_bytes()),
    });
    mine("desk".into(), "1".into(), files.collect())
}

/// Every interface on a line, with its parents, whether it is open, and its members.
fn told(graph: &Datagraph) -> Vec<String> {
    let mut lines = Vec::new();
    for (key, one) in &graph.interfaces {
        let parents: Vec<String> = one.extends.iter().map(|parent| parent.to_string()).collect();
        let parents =
            if parents.is_empty() { String::new() } else { format!(" < {}", parents.join(", ")) };
        let open = if one.open.is_some() { " open" } else { "" };
        let mut parts: Vec<String> =
            one.shape.constructs.iter().map(|call| format!("new {call}")).collect();
        parts.extend(one.shape.calls.iter().map(|call| call.to_string()));
        for (name, member) in &one.shape.members {
            let kind = match member.kind {
                MemberKind::Event => "event ",
                MemberKind::Property | MemberKind::Method => "",
            };
            let fixed = if member.writing == Writing::Refused && key.side == Side::Type {
                "readonly "
            } else {
                ""
            };
            let old = if member.deprecated.is_some() { " deprecated" } else { "" };
            let calls: Vec<String> =
                member.signatures.iter().map(|call| call.to_string()).collect();
            let spelt =
                if calls.is_empty() { format!(": {}", member.declared) } else { calls.join(" & ") };
            parts.push(format!("{kind}{fixed}{name}{spelt}{old}"));
        }
        lines.push(
            format!("{}{parents}{open} {{ {} }}", key_text(key), parts.join("; "))
                .replace("opaque(\"untold type\")", "?"),
        );
    }
    for (name, alias) in &graph.aliases {
        lines.push(format!("type {} = {}", name.path, alias.means));
    }
    lines
}

fn holds(pages: &[(&str, &str)], dialect: Dialect, expected: &[&str]) -> Datagraph {
    let (graph, dialects) = mined(pages);
    assert!(dialects.iter().all(|one| *one == dialect), "{dialects:?}");
    let lines = told(&graph);
    assert_eq!(lines, expected, "\n{}", lines.join("\n"));
    graph
}

#[test]
fn docfx_yaml() {
    let sheet = "### YamlMime:TSType\nname: Desk.Sheet\nuid: Desk!Desk.Sheet:interface\npackage: Desk!\nfullName: Desk.Sheet\n\
        summary: A sheet.\nisDeprecated: false\ntype: interface\nextends: <xref uid=\"Desk!Desk.Item:interface\" />\nmethods:\n\
        \x20 - name: open(mode)\n    uid: Desk!Desk.Sheet#open:member(1)\n    isDeprecated: true\n    syntax:\n\
        \x20     content: 'open(mode?: Mode): Sheet;'\n      parameters:\n        - id: mode\n\
        \x20         type: <xref uid=\"Desk!Desk.Mode:enum\" />\n      return:\n\
        \x20       type: <xref uid=\"Desk!Desk.Sheet:interface\" />\n\
        \x20 - name: open(path)\n    uid: Desk!Desk.Sheet#open:member(2)\n    syntax:\n      content: 'open(path: string): void;'\n\
        properties:\n  - name: title\n    uid: Desk!Desk.Sheet#title:member\n    syntax:\n      content: 'readonly title: string;'\n";
    let item =
        "name: Desk.Item\nuid: Desk!Desk.Item:interface\nfullName: Desk.Item\ntype: interface\n";
    let mode = "name: Desk.Mode\nuid: Desk!Desk.Mode:enum\nfields:\n  - name: wide\n    uid: Desk!Desk.Mode.wide:member\n\
        \x20 - name: tall\n    uid: Desk!Desk.Mode.tall:member\n";
    let graph = holds(
        &[("sheet.yml", sheet), ("item.yml", item), ("mode.yml", mode)],
        Dialect::DocFx,
        &[
            "typeof globalThis { Desk: typeof Desk }",
            "typeof Desk open { Mode: typeof Desk.Mode }",
            "Desk.Item {  }",
            "typeof Desk.Mode { tall: Desk.Mode; wide: Desk.Mode }",
            "Desk.Sheet < Desk.Item { open(mode?: Desk.Mode): Desk.Sheet & (path: string): void deprecated; readonly title: string }",
            "type Desk.Mode = number | string",
        ],
    );
    let sheet = &graph.interfaces
        [&crate::datagraph::Key::of_type(crate::types::TypeName::global("Desk.Sheet"))];
    assert_eq!(sheet.shape.members["title"].at, (0, 26));
}

#[test]
fn jquery_xml() {
    let add = "<?xml version=\"1.0\"?>\n<entries>\n<entry type=\"method\" name=\"addMark\" return=\"jQuery\">\n<title>.addMark()</title>\n\
        <signature><argument name=\"mark\" type=\"String\"/><argument name=\"deep\" type=\"Boolean\" optional=\"true\"/></signature>\n\
        </entry>\n<entry type=\"method\" name=\"jQuery.mark\" return=\"Boolean\" deprecated=\"2.0\"><signature/></entry>\n\
        <entry type=\"selector\" name=\"first-child\"><signature/></entry>\n</entries>\n";
    holds(
        &[("add.xml", add)],
        Dialect::JQuery,
        &[
            "typeof globalThis { $: typeof jQuery; jQuery: typeof jQuery }",
            "jQuery { addMark(mark: ?, deep?: boolean): jQuery }",
            "typeof jQuery open { mark(): boolean deprecated }",
        ],
    );
}

#[test]
fn godot_xml() {
    let sheet = "<?xml version=\"1.0\"?>\n<class name=\"Sheet\" inherits=\"Item\">\n<brief_description>A sheet.</brief_description>\n\
        <methods>\n<method name=\"fold\"><return type=\"bool\"/><param index=\"0\" name=\"times\" type=\"int\" default=\"1\"/></method>\n\
        <method name=\"make\" qualifiers=\"static\"><return type=\"Sheet\"/></method>\n</methods>\n\
        <members>\n<member name=\"width\" type=\"float\" setter=\"\" getter=\"get_width\"/>\n</members>\n\
        <signals>\n<signal name=\"folded\"><param index=\"0\" name=\"n\" type=\"int\"/></signal>\n</signals>\n\
        <constants>\n<constant name=\"MODE_WIDE\" value=\"0\" enum=\"Mode\"/>\n<constant name=\"MAX\" value=\"9\"/>\n</constants>\n</class>\n";
    let item = "<class name=\"Item\"><brief_description/></class>";
    holds(
        &[("Sheet.xml", sheet), ("Item.xml", item)],
        Dialect::Godot,
        &[
            "typeof globalThis { Item: typeof Item; Sheet: typeof Sheet }",
            "Item {  }",
            "typeof Item {  }",
            "Sheet < Item { fold(times?: number): boolean; event folded: (n: number) => void; readonly width: number }",
            "typeof Sheet { MAX: number; MODE_WIDE: Sheet.Mode; Mode: typeof Sheet.Mode; make(): Sheet }",
            "typeof Sheet.Mode { MODE_WIDE: Sheet.Mode }",
            "type Sheet.Mode = number",
        ],
    );
}

#[test]
fn roblox_yaml() {
    let sheet = "name: Sheet\ntype: class\ninherits:\n  - Item\nproperties:\n  - name: Sheet.Width\n    type: float\n    tags:\n      - ReadOnly\n\
        methods:\n  - name: Sheet:Fold\n    parameters:\n      - name: times\n        type: int\n        default: 1\n    returns:\n\
        \x20     - type: boolean\n    deprecation_message: Use Bend.\nevents:\n  - name: Sheet.Folded\n    parameters: []\n";
    let item = "name: Item\ntype: class\ninherits: []\nproperties: []\n";
    let mode = "name: Mode\ntype: enum\nitems:\n  - name: Wide\n    value: 0\n";
    holds(
        &[("Sheet.yaml", sheet), ("Item.yaml", item), ("Mode.yaml", mode)],
        Dialect::Roblox,
        &[
            "typeof globalThis { Enum: typeof Enum; Item: typeof Item; Sheet: typeof Sheet }",
            "typeof Enum open { Mode: typeof Enum.Mode }",
            "typeof Enum.Mode { Wide: Enum.Mode }",
            "Item {  }",
            "typeof Item {  }",
            "Sheet < Item { Fold(times?: number): boolean deprecated; event Folded: () => void; readonly Width: number }",
            "typeof Sheet {  }",
            "type Enum.Mode = number",
        ],
    );
}

#[test]
fn api_documenter_markdown() {
    let sheet = "[Home](./index.md) &gt; [desk](./desk.md) &gt; [Sheet](./desk.sheet.md)\n\n## Sheet class\n\nA sheet.\n\n**Signature:**\n\n\
        ```typescript\nexport declare class Sheet<T extends Item = Item> extends Page<T> implements Other\n```\n\n## Methods\n\n\
        | Method | Description |\n|---|---|\n| [fold(times)](./desk.sheet.fold.md) | Folds. |\n";
    let fold = "## Sheet.fold() method\n\n> Warning: This API is now obsolete. Use bend.\n\n**Signature:**\n\n```typescript\nfold(times?: number): Promise<Sheet>;\n```\n";
    let of = "## Sheet.of() method\n\n**Signature:**\n\n```typescript\nstatic of(path: string): Sheet;\n```\n";
    let title =
        "## Sheet.title property\n\n**Signature:**\n\n```typescript\nget title(): string;\n```\n";
    let made = "## Sheet.(constructor)\n\n**Signature:**\n\n```typescript\nconstructor(path: string);\n```\n";
    let page =
        "## Page interface\n\n**Signature:**\n\n```typescript\nexport interface Page<T>\n```\n";
    let mode = "## Mode enum\n\n**Signature:**\n\n```typescript\nexport declare enum Mode\n```\n\n## Enumeration Members\n\n\
        | Member | Value | Description |\n|---|---|---|\n| Wide | `\"wide\"` | |\n";
    holds(
        &[
            ("a.md", sheet),
            ("b.md", fold),
            ("c.md", of),
            ("d.md", title),
            ("e.md", made),
            ("f.md", page),
            ("g.md", mode),
        ],
        Dialect::Documenter,
        &[
            "typeof import(\"desk\") { Mode: typeof import(\"desk\").Mode; Sheet: typeof import(\"desk\").Sheet }",
            "typeof import(\"desk\").Mode { Wide: import(\"desk\").Mode }",
            "import(\"desk\").Page {  }",
            "import(\"desk\").Sheet < import(\"desk\").Page<T> { fold(times?: number): Promise<import(\"desk\").Sheet> deprecated; readonly title: string }",
            "typeof import(\"desk\").Sheet { new (path: string): import(\"desk\").Sheet; of(path: string): import(\"desk\").Sheet }",
            "type Mode = string",
        ],
    );
}

#[test]
fn object_pages() {
    let sheet = "# Sheet object\n\n`app.sheet(index)`\n\n#### Description\n\nSheet is a subclass of [Item](item.md).\n\n## Attributes\n\n\
        ### Sheet.width\n\n`app.sheet(index).width`\n\n#### Type\n\nInteger; read-only.\n\n### Sheet.next\n\n#### Type\n\n[Sheet](sheet.md) object; read/write.\n\n\
        ## Methods\n\n### Sheet.fold()\n\n`app.sheet(index).fold(times[, deep])`\n\n#### Returns\n\nBoolean.\n";
    let item =
        "# Item object\n\n## Attributes\n\n### Item.name\n\n#### Type\n\nString; read/write.\n";
    holds(
        &[("sheet.md", sheet), ("item.md", item)],
        Dialect::MkDocs,
        &[
            "typeof globalThis { Item: typeof Item; Sheet: typeof Sheet }",
            "Item { name: string }",
            "typeof Item open {  }",
            "Sheet < Item { fold(times: ?, deep?: ?): boolean; next: Sheet; readonly width: number }",
            "typeof Sheet open {  }",
        ],
    );
}

#[test]
fn typedoc_json() {
    let json = r#"{"id":0,"name":"desk","kind":1,"packageName":"desk","children":[
      {"id":1,"name":"Sheet","kind":2,"children":[
        {"id":2,"name":"default","kind":128,"extendedTypes":[{"type":"reference","target":5,"name":"default"}],"children":[
          {"id":3,"name":"constructor","kind":512,"signatures":[{"name":"default","kind":16384,"parameters":[{"name":"path","kind":32768,"flags":{"isOptional":true},"type":{"type":"intrinsic","name":"string"}}],"type":{"type":"reference","target":2,"name":"default"}}]},
          {"id":8,"name":"fold","kind":2048,"flags":{},"signatures":[{"name":"fold","kind":4096,"comment":{"summary":[{"kind":"text","text":"Folds."}],"blockTags":[{"tag":"@deprecated","content":[{"kind":"text","text":"Bend."}]}]},"parameters":[{"name":"options","type":{"type":"reference","target":4,"name":"Options"}}],"type":{"type":"array","elementType":{"type":"intrinsic","name":"number"}}}]},
          {"id":9,"name":"get","kind":2048,"inheritedFrom":{"type":"reference","target":7,"name":"default.get"},"signatures":[{"name":"get","type":{"type":"intrinsic","name":"any"}}]},
          {"id":10,"name":"own","kind":1024,"flags":{"isPrivate":true},"type":{"type":"intrinsic","name":"any"}}]},
        {"id":4,"name":"Options","kind":2097152,"type":{"type":"reflection","declaration":{"id":11,"name":"__type","kind":65536,"children":[{"id":12,"name":"deep","kind":1024,"flags":{"isOptional":true},"type":{"type":"union","types":[{"type":"literal","value":"a"},{"type":"literal","value":false}]}}]}}}]},
      {"id":6,"name":"Item","kind":2,"children":[
        {"id":5,"name":"default","kind":128,"children":[{"id":7,"name":"get","kind":2048,"signatures":[{"name":"get","type":{"type":"intrinsic","name":"any"}}]}]},
        {"id":13,"name":"Options","kind":256,"children":[{"id":14,"name":"wide","kind":1024,"flags":{"isReadonly":true},"type":{"type":"intrinsic","name":"boolean"}}]}]}]}"#;
    let graph = holds(
        &[("api.json", json)],
        Dialect::TypeDoc,
        &[
            "typeof import(\"desk/Item\") { default: typeof import(\"desk/Item\").Item }",
            "import(\"desk/Item\").Item { get(): any }",
            "typeof import(\"desk/Item\").Item {  }",
            "import(\"desk/Item\").Options { readonly wide: boolean }",
            "typeof import(\"desk/Sheet\") { default: typeof import(\"desk/Sheet\").Sheet }",
            "import(\"desk/Sheet\").Options { deep: \"a\" | false }",
            "import(\"desk/Sheet\").Sheet < import(\"desk/Item\").Item { fold(options: import(\"desk/Sheet\").Options): number[] deprecated }",
            "typeof import(\"desk/Sheet\").Sheet < typeof import(\"desk/Item\").Item { new (path?: string): import(\"desk/Sheet\").Sheet }",
        ],
    );
    assert_eq!(
        graph.modules.keys().map(Name::as_str).collect::<Vec<_>>(),
        ["desk/Item", "desk/Item.js", "desk/Sheet", "desk/Sheet.js"]
    );
}

const QML: &str = "<html><body><div class=\"sidebar\"><h3>x</h3></div><h1 class=\"title\">Menu QML Type</h1>\n<div class=\"table\"><table class=\"alignedsummary\">\n\
    <tr><td class=\"memItemLeft\"> Import Statement:</td><td> import Desk.Menus 1.0</td></tr><tr><td> Inherits:</td><td><p><a href=\"qml-desk-item.html\">Item</a></p></td></tr></table></div>\n\
    <h2>Property Documentation</h2>\n<div class=\"qmlitem\"><div class=\"qmlproto\"><table class=\"qmlname\">\n\
    <tr valign=\"top\" class=\"odd\" id=\"left-prop\">\n<td><p><a name=\"left-prop\"></a><span class=\"name\">left</span> : <span class=\"type\">real</span></p></td></tr>\n\
    <tr valign=\"top\" class=\"odd\" id=\"open-prop\"><td><p>[read-only] <span class=\"name\">open</span> : <span class=\"type\">bool</span></p></td></tr></table></div></div>\n\
    <div class=\"qmlitem\"><table><tr id=\"popup-method\"><td><p><span class=\"type\">void</span> <span class=\"name\">popup</span>(<span class=\"type\">int</span> <i>x</i>)</p></td></tr></table></div>\n\
    <div class=\"qmlitem\"><table><tr id=\"popup-method-1\"><td><p><span class=\"name\">popup</span>()</p></td></tr></table></div>\n\
    <div class=\"qmlitem\"><table><tr id=\"closed-signal\"><td><p><span class=\"name\">closed</span>()</p></td></tr></table></div></body></html>";

#[test]
fn qdoc_html() {
    let item = "<h1 class=\"title\">Item QML Type</h1><table class=\"alignedsummary\"><tr><td>Import Statement:</td><td>import Desk 1.0</td></tr></table>";
    // Another module has a type of the same name: they stay two.
    let other = QML
        .replace("Desk.Menus", "Desk.Other")
        .replace("left", "right")
        .replace("qml-desk-item.html", "qml-desk-lost.html");
    holds(
        &[
            ("qml-desk-menus-menu.html", QML),
            ("qml-desk-item.html", item),
            ("qml-desk-other-menu.html", &other),
        ],
        Dialect::Qdoc,
        &[
            "import(\"Desk\").Item {  }",
            "import(\"Desk.Menus\").Menu < import(\"Desk\").Item { event closed: () => ?; left: number; readonly open: boolean; popup(x: number): void & (): ? }",
            "import(\"Desk.Other\").Menu < Item open { event closed: () => ?; readonly open: boolean; popup(x: number): void & (): ?; right: number }",
        ],
    );
}

#[test]
fn typedoc_html() {
    let sheet = "<html><head><title>Sheet | desk</title></head><body><header class=\"tsd-page-toolbar\">x</header><div class=\"col-content\"><div class=\"tsd-page-title\">\
        <ul class=\"tsd-breadcrumb\" aria-label=\"Breadcrumb\"><li><a href=\"\">Sheet</a></li></ul><h1>Class Sheet&lt;T&gt;</h1></div>\
        <section class=\"tsd-panel tsd-hierarchy\"><h4>Hierarchy</h4><ul class=\"tsd-hierarchy\"><li class=\"tsd-hierarchy-item\"><a href=\"Page.html\">Page</a></li><li class=\"tsd-hierarchy-item\"><a href=\"Item.html\">Item</a>\
        <ul class=\"tsd-hierarchy\"><li class=\"tsd-hierarchy-item\"><span class=\"tsd-hierarchy-target\">Sheet</span></li></ul></li></ul></section>\n\
        <section class=\"tsd-panel tsd-member\"><h3 id=\"fold\"><span>fold<wbr/>Twice</span></h3><ul class=\"tsd-signatures\"><li><div class=\"tsd-signature\">\
        <span>foldTwice</span><span>(</span><span>times</span><span>?:</span> <span>number</span><span>)</span><span>:</span> <span>void</span></div></li></ul></section>\n\
        <section class=\"tsd-panel tsd-member\"><h3 id=\"title\"><code class=\"tsd-tag\">Readonly</code><span>title</span></h3><div class=\"tsd-signature\">title: string</div></section>\n\
        <section class=\"tsd-panel tsd-member tsd-is-inherited\"><h3 id=\"get\"><span>get</span></h3><div class=\"tsd-signature\">get(): any</div></section></div></body></html>";
    let item = "<div class=\"tsd-page-title\"><h1>Interface Item</h1></div><section class=\"tsd-panel tsd-member\"><h3><span>get</span></h3><div class=\"tsd-signature\">get(): any</div></section>";
    holds(
        &[("Sheet.html", sheet), ("Item.html", item)],
        Dialect::TypeDocHtml,
        &[
            "typeof import(\"desk\") { Sheet: typeof import(\"desk\").Sheet }",
            "import(\"desk\").Item { get(): any }",
            "import(\"desk\").Sheet < Page, import(\"desk\").Item open { foldTwice(times?: number): void; readonly title: string }",
            "typeof import(\"desk\").Sheet {  }",
        ],
    );
}

#[test]
fn typedoc_markdown() {
    let sheet = "[desk](../README.md)\n\n# Class: Sheet\\<T\\>\n\nA sheet.\n\n## Extends\n\n- [`Item`](Item.md)\n\n## Constructors\n\n### Constructor\n\n\
        > **new Sheet**\\<`T`\\>(`path?`): `Sheet`\\<`T`\\>\n\n## Properties\n\n### title\n\n> `readonly` **title**: `string`\n\n***\n\n## Methods\n\n### fold()\n\n\
        > **fold**(`times`): `void`\n\n#### Parameters\n\n##### times\n\n`number`\n\n### get()\n\n> **get**(): `any`\n\n#### Inherited from\n\n[`Item`](Item.md).`get`\n";
    let item = "# Interface: Item\n\n## Methods\n\n### get()\n\n> **get**(): `any`\n";
    holds(
        &[("Sheet.md", sheet), ("Item.md", item)],
        Dialect::TypeDocMarkdown,
        &[
            "typeof import(\"desk\") { Sheet: typeof import(\"desk\").Sheet }",
            "import(\"desk\").Item { get(): any }",
            "import(\"desk\").Sheet < import(\"desk\").Item { fold(times: number): void; readonly title: string }",
            "typeof import(\"desk\").Sheet { new (path?: any): import(\"desk\").Sheet }",
        ],
    );
}

#[test]
fn sphinx_html() {
    let html = "<div role=\"main\"><h1>API<a class=\"headerlink\" href=\"#api\">¶</a></h1>\n<dl class=\"py class\">\n<dt class=\"sig sig-object py\" id=\"desk.Sheet\">\
        <em class=\"property\">class </em><span class=\"sig-prename descclassname\">desk.</span><span class=\"sig-name descname\">Sheet</span>(<em class=\"sig-param\">path</em>)</dt>\n\
        <dd><p>Bases: <a href=\"#desk.Item\">Item</a></p><p>A sheet.</p>\n<dl class=\"py method\">\n<dt class=\"sig sig-object py\" id=\"desk.Sheet.fold\"><span class=\"sig-name descname\">fold</span>\
        (<em class=\"sig-param\">times: int = 1</em>) <span class=\"sig-return\">→ <span class=\"sig-return-typehint\">bool</span></span></dt><dd><p>Folds.</p></dd></dl>\n\
        <dl class=\"py attribute\"><dt class=\"sig sig-object py\" id=\"desk.Sheet.title\"><span class=\"sig-name descname\">title</span><em class=\"property\">: str</em></dt><dd></dd></dl></dd></dl>\n\
        <dl class=\"py class\"><dt class=\"sig sig-object py\" id=\"desk.Item\"><span class=\"descclassname\">desk.</span><span class=\"descname\">Item</span></dt><dd></dd></dl>\n\
        <dl class=\"py function\"><dt class=\"sig sig-object py\" id=\"desk.open\"><span class=\"descclassname\">desk.</span><span class=\"descname\">open</span>(<em class=\"sig-param\">*paths</em>)</dt><dd></dd></dl></div>";
    holds(
        &[("api.html", html)],
        Dialect::Sphinx,
        &[
            "typeof import(\"desk\") { Item: typeof import(\"desk\").Item; Sheet: typeof import(\"desk\").Sheet; open(...paths: any[]): ? }",
            "import(\"desk\").Item {  }",
            "typeof import(\"desk\").Item { new (): import(\"desk\").Item }",
            "import(\"desk\").Sheet < import(\"desk\").Item { fold(times?: number): boolean; title: string }",
            "typeof import(\"desk\").Sheet { new (path: ?): import(\"desk\").Sheet }",
        ],
    );
}

#[test]
fn jsdoc_html() {
    let sheet = "<div id=\"main\"><h1 class=\"page-title\">Class: Sheet</h1><section><h3 class=\"subsection-title\">Extends</h3><ul><li><a href=\"Item.html\">Item</a></li></ul>\n\
        <h4 class=\"name\" id=\"Sheet\">new Sheet<span class=\"signature\">(path, mode<span class=\"signature-attributes\">opt</span>)</span></h4>\n\
        <h3 class=\"subsection-title\">Members</h3>\n<h4 class=\"name\" id=\"title\"><span class=\"type-signature\">(readonly) </span>title<span class=\"type-signature\"> :string</span></h4>\n\
        <h3 class=\"subsection-title\">Methods</h3>\n<h4 class=\"name\" id=\".of\"><span class=\"type-signature\">(static) </span>of<span class=\"signature\">(path)</span><span class=\"type-signature\"> → {Sheet}</span></h4>\n\
        <h4 class=\"name\" id=\"get\">get<span class=\"signature\">()</span></h4><dl class=\"details\"><dt class=\"inherited-from\">Inherited From:</dt><dd>Item#get</dd></dl>\n\
        <h4 class=\"name\" id=\"event:fold\">fold</h4></section></div>";
    let item = "<h1 class=\"page-title\">Class: Item</h1><h3 class=\"subsection-title\">Methods</h3><h4 class=\"name\" id=\"get\">get<span class=\"signature\">()</span></h4>";
    holds(
        &[("Sheet.html", sheet), ("Item.html", item)],
        Dialect::JsDoc,
        &[
            "typeof globalThis { Item: typeof Item; Sheet: typeof Sheet }",
            "Item { get(): ? }",
            "typeof Item {  }",
            "Sheet < Item { event fold: (...given: any[]) => ?; readonly title: string }",
            "typeof Sheet { new (path: ?, mode?: ?): Sheet; of(path: ?): Sheet }",
        ],
    );
}

#[test]
fn doxygen_html() {
    let sheet = "<html><body><div class=\"header\"><div class=\"headertitle\"><div class=\"title\">desk::Sheet Class Reference</div></div></div>\n<div class=\"contents\"><p>Inherits <a href=\"i.html\">desk::Item</a>.</p>\n\
        <h2 class=\"memtitle\">Sheet()</h2><div class=\"memitem\"><div class=\"memproto\"><table class=\"memname\"><tr><td class=\"memname\">desk::Sheet::Sheet</td><td>(</td><td class=\"paramtype\">int</td><td class=\"paramname\"><em>n</em> = <code>1</code></td><td>)</td></tr></table></div></div>\n\
        <h2 class=\"memtitle\">fold()</h2><div class=\"memitem\"><div class=\"memproto\"><table class=\"mlabels\"><tr><td class=\"mlabels-left\"><table class=\"memname\"><tr><td class=\"memname\">void desk::Sheet::fold</td><td>(</td><td class=\"paramtype\">int</td><td class=\"paramname\"><em>times</em></td><td>)</td></tr></table></td><td class=\"mlabels-right\"><span class=\"mlabel\">static</span></td></tr></table></div></div>\n\
        <h2 class=\"memtitle\">width</h2><div class=\"memitem\"><table class=\"memname\"><tr><td class=\"memname\">int desk::Sheet::width</td></tr></table></div></div></body></html>";
    let item = "<div class=\"title\">desk::Item Struct Reference</div>";
    holds(
        &[("s.html", sheet), ("i.html", item)],
        Dialect::Doxygen,
        &[
            "typeof globalThis { desk: typeof desk }",
            "typeof desk open { Item: typeof desk.Item; Sheet: typeof desk.Sheet }",
            "desk.Item {  }",
            "typeof desk.Item {  }",
            "desk.Sheet < desk.Item { width: ? }",
            "typeof desk.Sheet { new (n?: ?): desk.Sheet; fold(times: ?): ? }",
        ],
    );
}

#[test]
fn mdn_markdown() {
    let sheet = "---\ntitle: Sheet\nslug: Web/API/Sheet\npage-type: web-api-interface\n---\n\nThe **`Sheet`** interface.\n\n## Instance properties\n\n_Inherits properties from its parent, {{DOMxRef(\"Item\")}}._\n";
    let fold = "---\ntitle: \"Sheet: fold() method\"\nshort-title: fold()\nslug: Web/API/Sheet/fold\npage-type: web-api-instance-method\nstatus:\n  - deprecated\n---\n\nFolds.\n\n## Syntax\n\n```js-nolint\nfold()\nfold(times)\n```\n";
    let part = "---\ntitle: \"Other: bend() method\"\nslug: Web/API/Other/bend\npage-type: web-api-static-method\n---\n\nBends.\n";
    holds(
        &[("sheet.md", sheet), ("fold.md", fold), ("bend.md", part)],
        Dialect::Mdn,
        &[
            "typeof globalThis { Sheet: typeof Sheet }",
            "typeof Other open { bend(...given: any[]): ? }",
            "Sheet < Item open { fold(): ? & (times: ?): ? deprecated }",
            "typeof Sheet {  }",
        ],
    );
}

#[test]
fn groundline_json() {
    let json = r#"{"format": "groundline-pages-1", "interfaces": [
      {"name": "Sheet", "extends": ["Item"], "global": "sheet", "constructors": ["(path: string): Sheet"], "description": "A sheet.",
       "members": [{"name": "fold", "signatures": ["(times?: number): Sheet"], "deprecated": "Bend."}, {"name": "title", "type": "string", "readonly": true}]},
      {"name": "Item", "open": "it has what its project gives it", "members": [{"name": "changed", "kind": "event", "type": "(n: number) => void"}]},
      {"name": "not a name"}],
      "globals": [{"name": "log", "signatures": "(text: string): void"}]}"#;
    let graph = holds(
        &[("api.json", json)],
        Dialect::Own,
        &[
            "typeof globalThis { Sheet: typeof Sheet; log(text: string): void; sheet: Sheet }",
            "Item open { event changed: (n: number) => void }",
            "Sheet < Item { fold(times?: number): Sheet deprecated; readonly title: string }",
            "typeof Sheet { new (path: string): Sheet }",
        ],
    );
    assert_eq!(graph.holes.len(), 1);
}

#[test]
fn steps_on_a_site_name_the_owner() {
    let page = "<html><body><nav class=\"breadcrumbs\"><ol><li><a href=\"i.html\">Interfaces</a></li><li><a href=\"l.html\">Layout interface</a></li></ol></nav>\n\
        <h1>makeTable method</h1>\n<p>Syntax: <code>layout.makeTable(width: number)</code></p>\n<p>Returns: <code>Layout</code></p></body></html>";
    holds(
        &[("Layout.makeTable.html", page)],
        Dialect::Titled,
        &["Layout { makeTable(width: number): Layout }"],
    );
}

/// What hurts a reader costs no page beside it, and nothing is made up from it.
#[test]
fn odd_pages_cost_no_other() {
    let deep =
        |open: &str, close: &str| format!("{}x{}", open.repeat(60_000), close.repeat(60_000));
    let pages: Vec<(String, String)> = vec![
        ("a.html".into(), deep("<div>", "</div>")),
        ("b.html".into(), deep("<dl class='py class'><dt class='sig' id='x'><dd>", "")),
        ("c.html".into(), format!("<p {}>x", "a='b' ".repeat(200_000))),
        ("d.html".into(), "<table><tr><td>".repeat(50_000)),
        ("e.xml".into(), deep("<class name='a'>", "</class>")),
        ("f.xml".into(), "<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><class name='A'><brief_description>&b;".into()),
        ("g.yml".into(), deep("[", "]")),
        ("h.yml".into(), format!("name: &a A\nuid: 'x!A:class'\nmethods:\n{}", "  - *a\n".repeat(20_000))),
        ("i.json".into(), deep("[", "]")),
        ("j.json".into(), "{\"format\": \"groundline-pages-1\", \"interfaces\": [{\"name\": \"".into()),
        ("k.md".into(), "---\naliases: [\n---\n## A class\n".into()),
        ("l.mdx".into(), "import A from 'a'\n\n<A>\n\n# x\n".into()),
    ];
    let mut all: Vec<(&str, &str)> =
        pages.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let sound = r#"{"format": "groundline-pages-1", "interfaces": [{"name": "Sheet", "members": [{"name": "fold", "type": "number"}]}]}"#;
    all.push(("z.json", sound));
    let (graph, dialects) = mined(&all);
    assert_eq!(dialects.last(), Some(&Dialect::Own));
    assert!(told(&graph).contains(&"Sheet { fold: number }".to_owned()), "{:?}", told(&graph));
}
