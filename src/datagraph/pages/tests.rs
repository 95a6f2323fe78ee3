//! Pages, and what becomes of them.

use super::*;
use crate::datagraph::format::symbols;
use crate::sources::pages::markdown::page;
use crate::sources::settings::patterns::Where;

fn mined(pages: &[(&str, &str)]) -> (Datagraph, Vec<Dialect>) {
    let files = pages.iter().map(|(path, text)| PageFile {
        path: (*path).into(),
        hash: "00".into(),
        page: page(text.as_bytes()),
    });
    mine("desk".into(), "1".into(), files.collect())
}

/// The lines of the JSON that hold `word`, trimmed.
fn lines(graph: &Datagraph, word: &str) -> Vec<String> {
    symbols(graph)
        .lines()
        .map(|l| l.trim().trim_end_matches(',').to_string())
        .filter(|l| l.contains(word))
        .collect()
}

const TRAY: &str = "# Tray\n\n## Class: Tray extends `Thing`\n\n### `new Tray(image, [guid])`\n\n* `image` string\n\
    * `guid` string (optional)\n\n### Instance Events\n\n#### Event: 'click'\n\nReturns:\n\n* `bounds` [Box](structures/box.md) - it\n\n\
    ### Instance Methods\n\n#### `tray.click()`\n\n#### `tray.setImage(image[, ...more])` _macOS_\n\n* `image` string | null\n\n\
    Returns `Promise<Object>`:\n\n* `ok` boolean - whether\n\n### Instance Properties\n\n#### `tray.box` _Readonly_ _Deprecated_\n\n\
    A `Box | null` property.\n\n#### `tray.odd`\n\nProse only.\n\n```js\nconst { Tray } = require('desk/main')\n```\n";

const BOX: &str = "# Box Object\n\n* `x` Integer (optional) - The edge.\n* `mode` string - One of:\n  * `a`\n* `in` Object\n  * `deep` number\n";

#[test]
fn code_headings_become_members_of_their_class() {
    let (graph, dialects) = mined(&[("tray.md", TRAY), ("structures/box.md", BOX)]);
    assert_eq!(dialects, [Dialect::Electron, Dialect::Electron]);
    let said = symbols(&graph);
    let holds = |text: &str| assert!(said.contains(text), "{text}\n{said}");
    holds(r#""(image: string | null, ...more: "#);
    holds(r#"Promise<{ ok: boolean }>"#);
    holds(r#""box": {"type": "import(\"desk\").Box | null", "readonly": true, "deprecated": "","#);
    holds(r#""x": {"type": "number", "optional": true,"#);
    holds(r#""in": {"type": "{ deep: number }","#);
    holds(r#""constructs": ["(image: string, guid?: string): "#);
    holds(r#"(event: \"click\", listener: (bounds: import(\"desk\").Box) => void): this"#);
    assert_eq!(graph.modules.keys().collect::<Vec<_>>(), ["desk", "desk/main"]);
    let holes: Vec<&str> = graph.holes.iter().map(|h| h.what.as_str()).collect();
    assert_eq!(
        holes,
        ["Tray inherits from Thing, which no page describes", "tray.odd: its type is not told"]
    );
}

const LAYOUT: &str = "# Layout\n\nThe layout, accessed using the global property \"layout\".\n\nParent interface: Item.\n\n\
    ## Layout-unit\n\nThe unit.\n\nType: `LengthUnit`\n\n## Layout-pages\n\nType: `number`. Read-only.\n\n## Layout-makeBlock\n\n\
    Syntax: `layout.makeBlock(name: string, wide?: boolean)`\n\nReturns: `Block`\n\n## Layout-box\n\nSyntax: `layout.box()`\n\n\
    Returns: `Block`\n\nDeprecated: use `Layout-makeBlock` instead\n";

const UNIT: &str = "# LengthUnit\n\nType: `\"mm\" | \"pt\"`\n\n# Severity enumeration\n\n\
    One of: `Severity.Remark`, `Severity.Severe`.\n\n- `Severity.Remark` (`0`): worth knowing.\n\n# Side\n\nOne of: `\"a\"`, `\"b\"`.\n";

#[test]
fn hyphened_titles_become_members_and_sentences_what_holds_of_them() {
    let guide = "# How to start\n\n## Half-open\n\nwell-known words\n";
    let pages = [
        ("g.md", guide),
        ("layout.md", LAYOUT),
        ("item.md", "# Item\n\n## Item-id\n\nType: `string`\n"),
        ("unit.md", UNIT),
    ];
    let (graph, dialects) = mined(&pages);
    assert_eq!(dialects, [Dialect::Prose, Dialect::Titled, Dialect::Titled, Dialect::Titled]);
    assert_eq!(
        lines(&graph, "\"at\": [1, "),
        [
            r#""at": [1, 1]"#,
            r#""layout": {"type": "Layout", "readonly": true, "at": [1, 1]}"#,
            r#""at": [1, 1]"#,
            r#""box": {"calls": ["(): Block"], "deprecated": "use Layout-makeBlock instead", "at": [1, 23]}"#,
            r#""makeBlock": {"calls": ["(name: string, wide?: boolean): Block"], "at": [1, 17]}"#,
            r#""pages": {"type": "number", "readonly": true, "at": [1, 13]}"#,
            r#""unit": {"type": "LengthUnit", "at": [1, 7]}"#,
        ]
    );
    assert_eq!(graph.holes, []);
    let remark = lines(&graph, "Remark");
    assert_eq!(remark, [r#""Remark": {"type": "Severity", "readonly": true, "at": [3, 9]}"#]);
}

#[test]
fn what_is_only_mentioned_is_open_and_a_hole() {
    let page = "# Block\n\nParent interface: Ghost.\n\n## Block-x\n\nNo sentence.\n";
    let (graph, _) = mined(&[("b.md", page)]);
    assert!(graph.interfaces.values().all(|one| one.open.is_some()));
    let holes: Vec<(u32, &str)> = graph.holes.iter().map(|h| (h.line, h.what.as_str())).collect();
    assert_eq!(
        holes,
        [
            (1, "Block inherits from Ghost, which no page describes"),
            (5, "Block.x: its type is not known")
        ]
    );
}

#[test]
fn a_page_without_member_titles_is_open_and_a_hole() {
    let pages = [
        ("dock.md", "## Class: Dock\n\nIt docks.\n"),
        ("tray.md", "# Tray\n\nParent interface: none.\n"),
    ];
    let (graph, _) = mined(&pages);
    let is_open = |name: &str| {
        graph.interfaces.iter().any(|(k, one)| k.name.path == name && one.open.is_some())
    };
    assert!(is_open("Dock") && is_open("Tray"));
    let holes: Vec<&str> = graph.holes.iter().map(|h| h.what.as_str()).collect();
    assert_eq!(holes, ["Dock: its page has no member title", "Tray: its page has no member title"]);
}

#[test]
fn a_bad_page_costs_no_neighbour() {
    let many = format!("# A\n\n{}", "## A-b\n\nType: `x`\n\n".repeat(20_000));
    let deep = format!("# X Object\n\n* `a` {}string\n", "Array<".repeat(5_000));
    let (graph, _) =
        mined(&[("1.md", &many), ("2.md", &deep), ("3.md", "```\n# A-c"), ("4.md", BOX)]);
    assert!(graph.interfaces.keys().any(|k| k.name.path == "Box"));
    assert!(graph.holes.iter().any(|h| h.what == "a fence without end"));
}

#[test]
fn pages_add_to_declarations_only_what_those_lack() {
    let (mut graph, _) = mined(&[("a.md", "# Item\n\n## Item-id\n\nType: `number`\n")]);
    let item = "# Item\n\n## Item-id\n\nType: `string`\n\n## Item-name\n\nType: `string`\n";
    let (pages, _) = mined(&[("b.md", item)]);
    add(&mut graph, pages);
    assert_eq!(lines(&graph, "\"id\""), [r#""id": {"type": "number", "at": [0, 3]}"#]);
    assert_eq!(lines(&graph, "\"name\""), [r#""name": {"type": "string", "at": [1, 7]}"#]);
    assert_eq!(graph.holes[0].what, "Item.name is in the pages only");
}

/// The members of each interface that is closed, as `Interface: a, b`.
fn listed(graph: &Datagraph) -> Vec<String> {
    let closed = graph.interfaces.iter().filter(|(_, one)| one.open.is_none());
    let spelt = closed.map(|(key, one)| {
        let names: Vec<&str> = one.shape.members.keys().map(Name::as_str).collect();
        format!("{}: {}", key.name.path, names.join(", "))
    });
    spelt.filter(|line| !line.starts_with(':')).collect()
}

#[test]
fn each_member_may_be_its_own_page() {
    let (graph, dialects) = mined(&[
        ("make.md", "# Layout-makeTable\n\nSyntax: `layout.makeTable(): Table`\n"),
        ("unit.md", "# Layout-unit\n\nType: `string`\n"),
        ("guide.md", "# Half-open\n\nProse.\n\n## Node-gyp\n\nProse.\n"),
        (
            "layout.md",
            "# Layout\n\nParent interface: none.\n\nAccessed using the global property \"layout\".\n",
        ),
        ("a.md", "# Table-a\n\nType: `string`\n"),
        ("b.md", "# Table-b\n\nType: `string`\n"),
        ("c.md", "# Table-c\n\nType: `string`\n"),
    ]);
    assert_eq!(listed(&graph), ["Layout: makeTable, unit", "Table: a, b, c"]);
    assert_eq!(dialects[2], Dialect::Prose);
    assert_eq!(graph.holes, []);
}

#[test]
fn titles_that_say_their_whole_path_name_members() {
    let (graph, _) = mined(&[
        (
            "layout.md",
            "# Interfaces > Layout interface\n\nAn extension to the W3C DOM Node interface.\n",
        ),
        (
            "make.md",
            "# Interfaces > Layout interface > makeTable method\n\nSyntax: makeTable(name: string)\nReturns: Table\n",
        ),
        (
            "unit.md",
            "# Interfaces > Layout interface > unit attribute\n\nType: string. Access: read-only.\n",
        ),
        (
            "node.md",
            "# Node interface\n\nParent interface: none\n\n## depth attribute\n\nType: number\n\n## The right method\n\nProse.\n",
        ),
    ]);
    assert_eq!(listed(&graph), ["Layout: makeTable, unit", "Node: depth"]);
    let make = lines(&graph, "makeTable");
    assert!(make[0].contains(r#""calls": ["(name: string): Table"]"#), "{make:?}");
    assert!(lines(&graph, "\"unit\"")[0].contains(r#""type": "string", "readonly": true"#));
    assert!(lines(&graph, "extends")[0].contains("Node"));
    assert_eq!(graph.holes, []);
}

fn patterned(pages: &[(&str, &str)], patterns: &[(Where, &str)]) -> (Datagraph, Vec<usize>) {
    let files = pages.iter().map(|(path, text)| PageFile {
        path: (*path).into(),
        hash: "00".into(),
        page: page(text.as_bytes()),
    });
    let patterns: Vec<Pattern> =
        patterns.iter().map(|(place, text)| Pattern::of(*place, text).unwrap()).collect();
    let (graph, _, counts) = mine_by(
        "desk".into(),
        "1".into(),
        files.collect(),
        Reading { patterns: &patterns, dialect: None },
    );
    (graph, counts)
}

#[test]
fn patterns_read_pages_that_no_dialect_covers() {
    let kiln = "# Reference\n\n## The Kiln type (singleton kiln)\n\nInherits: Oven\n\n### Operation fire\n\n\
        Takes (minutes: number, hard?: boolean)\n\nGives Kiln\n\n### Value heat\n\nIs a number\n\nObsolete since 2\n\n### Remarks\n\nIs a thing\n";
    let oven = "# Reference\n\n## The Oven type\n\n- door: string\n- light: boolean\n";
    let patterns = [
        (Where::Heading, r"> The (?<interface>\w+) type(?: \(singleton (?<global>\w+)\))?$"),
        (Where::Heading, r"(?<kind>Operation|Value) (?<member>\w+)$"),
        (Where::Line, r"^Inherits: (?<parent>.+)$"),
        (Where::Line, r"^Takes (?<parameters>.+)$"),
        (Where::Line, r"^Gives (?<returns>.+)$"),
        (Where::Line, r"^Is an? (?<type>.+)$"),
        (Where::Line, r"^Obsolete (?<deprecated>.+)$"),
        (Where::Line, r"^(?<member>[a-z]\w*): (?<type>\w+)$"),
    ];
    let (graph, counts) = patterned(&[("kiln.md", kiln), ("oven.md", oven)], &patterns);
    assert_eq!(listed(&graph), ["Kiln: fire, heat", "Oven: door, light"]);
    assert_eq!(counts, [2, 2, 1, 1, 1, 1, 1, 1]);
    assert!(
        lines(&graph, "\"fire\"")[0].contains(r#"["(minutes: number, hard?: boolean): Kiln"]"#)
    );
    assert!(lines(&graph, "\"heat\"")[0].contains(r#""type": "number", "deprecated": "since 2""#));
    assert!(lines(&graph, "\"kiln\"")[0].contains(r#""type": "Kiln", "readonly": true"#));
    assert_eq!(graph.holes, []);
}

#[test]
fn what_patterns_cannot_name_is_a_hole() {
    let patterns = [(Where::Heading, r"^(?<member>.+)$")];
    let (graph, _) = patterned(&[("a.md", "# lost\n\nText.\n")], &patterns);
    assert_eq!(graph.holes[0].what, "a member before any interface was named");
    let patterns = [(Where::Heading, r"^(?<interface>.+)$")];
    let (graph, _) = patterned(&[("a.md", "# two words\n")], &patterns);
    assert_eq!(graph.holes[0].what, "\"two words\" can be no interface's name");
    let (graph, _) = patterned(&[("a.md", "# Bare\n")], &patterns);
    assert!(graph.interfaces.values().all(|one| one.open.is_some()), "{graph:?}");
}

#[test]
fn pages_that_hurt_cost_no_neighbour_and_no_more_than_their_length() {
    let each = |n: usize, line: fn(usize) -> String| (0..n).map(line).collect::<String>();
    let front = format!("---\n{}\n# A-b\n", "odd: [".repeat(10_000));
    let hurting: [(&str, String); 10] = [
        ("many titles", each(100_000, |n| format!("## A{n}-b\n\nType: `x`\n\n"))),
        ("many classes", each(100_000, |n| format!("## Class: A{n}\n\n"))),
        ("many modules", each(100_000, |n| format!("# a{n}\n\n"))),
        ("many rows", format!("# T Object\n\n| a |\n|---|\n{}", "| `x` |\n".repeat(50_000))),
        (
            "many bullets",
            format!("# B Object\n\n{}", each(50_000, |n| format!("* `a{n}` string\n"))),
        ),
        (
            "many choices",
            format!(
                "# C enumeration\n\nOne of: {}.\n\n{}",
                each(20_000, |n| format!("`C.v{n}`, ")),
                each(20_000, |n| format!("- `C.v{n}`: x\n"))
            ),
        ),
        ("many overloads", each(20_000, |n| format!("## A-b\n\nSyntax: `a.b(c{n}: string)`\n\n"))),
        ("unclosed", "# D-e\n\n<div><p>\n\n```js\n# D-f\n".to_owned() + &"<b>".repeat(50_000)),
        ("front matter", front),
        ("brackets", "[".repeat(100_000) + &"(".repeat(100_000) + &"*_".repeat(50_000)),
    ];
    let bytes = b"# E-f\n\n\xff\xfe Type: `x`\n".to_vec();
    for (name, text) in
        hurting.map(|(name, text)| (name, text.into_bytes())).into_iter().chain([("bytes", bytes)])
    {
        let neighbours = [("box.md", BOX), ("layout.md", LAYOUT)];
        let mut files: Vec<PageFile> =
            vec![PageFile { path: "bad.md".into(), hash: "00".into(), page: page(&text) }];
        files.extend(neighbours.map(|(path, text)| PageFile {
            path: path.into(),
            hash: "00".into(),
            page: page(text.as_bytes()),
        }));
        let (graph, _) = mine("desk".into(), "1".into(), files);
        let members = |of: &str| {
            let found = graph.interfaces.iter().find(|(key, _)| key.name.path == of);
            found
                .map_or(Vec::new(), |(_, one)| one.shape.members.keys().map(Name::as_str).collect())
        };
        assert_eq!(members("Box"), ["in", "mode", "x"], "{name}");
        assert_eq!(members("Layout"), ["box", "makeBlock", "pages", "unit"], "{name}");
    }
}

#[test]
fn a_bullet_of_three_dots_is_all_further_arguments() {
    let page = "# Bell\n\n## Class: Bell\n\n### Instance Methods\n\n#### `bell.on(channel, listener)`\n\n\
                * `channel` string\n* `listener` Function\n  * `event` string\n  * `...args` any[]\n\n\
                #### `bell.ring(...times)`\n\n* `...times` number\n";
    let (graph, _) = mined(&[("bell.md", page)]);
    let said = symbols(&graph);
    assert!(said.contains("listener: (event: string, ...args: any[]) => void"), "{said}");
    assert!(said.contains("(...times: number[]): void"), "{said}");
}

#[test]
fn a_small_word_before_a_hyphen_is_an_interface_only_where_a_title_says_so() {
    let (graph, _) = mined(&[
        ("app.md", "# app\n\nIt is accessed using the global property \"app\".\n"),
        ("quit.md", "# app-quit\n\nSyntax: `app.quit(): void`\n"),
        ("a.md", "# command-line\n\nProse.\n"),
        ("b.md", "# command-bar\n\nProse.\n"),
        ("c.md", "# command-palette\n\nProse.\n"),
        ("d.md", "# Sheets.Range-clear\n\nSyntax: `range.clear(): void`\n"),
        ("e.md", "# Sheets.Range\n\nA range.\n"),
    ]);
    let names: Vec<String> = graph.interfaces.keys().map(|key| key.name.to_string()).collect();
    assert_eq!(names, ["", "Sheets.Range", "app"]);
    assert_eq!(lines(&graph, "\"quit\"").len(), 1);
}
