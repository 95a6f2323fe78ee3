//! An api of each format of pages, and code that is checked against it from those pages alone.

use crate::program::Folder;
use serde_json::Value;
use std::fs;

/// A page, and code that uses what it documents and one name that it does not.
struct Case {
    path: &'static str,
    page: &'static str,
    code: &'static str,
    /// The receiver and the name that are found, in the order of the code.
    found: &'static [(&'static str, &'static str)],
}

const CASES: &[Case] = &[
    Case {
        path: "sheet.yml",
        page: "name: Desk.Sheet\nuid: Desk!Desk.Sheet:interface\nfullName: Desk.Sheet\ntype: interface\nsummary: A sheet.\nmethods:\n  - name: fold()\n    \
            uid: Desk!Desk.Sheet#fold:member(1)\n    summary: Folds it.\n    syntax:\n      content: 'fold(times?: number): Sheet;'\n      return:\n        \
            type: <xref uid=\"Desk!Desk.Sheet:interface\" />\n",
        code: "function main(sheet: Desk.Sheet) {\n  sheet.fold(2).fold();\n  sheet.fold().fodl();\n}\n",
        found: &[("Desk.Sheet", "fodl")],
    },
    Case {
        path: "sheet.yaml",
        page: "name: Sheet\ntype: class\ninherits: []\nmethods:\n  - name: Sheet:Fold\n    summary: Folds it.\n    parameters: []\n    returns:\n      - type: boolean\n",
        code: "function main(sheet: Sheet) {\n  sheet.Fold();\n  sheet.Fodl();\n}\n",
        found: &[("Sheet", "Fodl")],
    },
    Case {
        path: "fold.xml",
        page: "<entries>\n<entry type=\"method\" name=\"jQuery\" return=\"jQuery\"><signature><argument name=\"selector\" type=\"Selector\"/></signature></entry>\n\
            <entry type=\"method\" name=\"fold\" return=\"jQuery\"><signature/><desc>Folds it.</desc></entry>\n</entries>\n",
        code: "$('p').fold().fold();\n$('p').fodl();\n",
        found: &[("jQuery", "fodl")],
    },
    Case {
        path: "Sheet.xml",
        page: "<class name=\"Sheet\">\n<brief_description>A sheet.</brief_description>\n<methods>\n<method name=\"fold\"><return type=\"Sheet\"/><description>Folds it.</description></method>\n</methods>\n</class>\n",
        code: "function main(sheet: Sheet) {\n  sheet.fold().fold();\n  sheet.fold().fodl();\n}\n",
        found: &[("Sheet", "fodl")],
    },
    Case {
        path: "api.json",
        page: "{\"format\": \"groundline-pages-1\", \"interfaces\": [\n {\"name\": \"Sheet\", \"global\": \"sheet\", \"members\": [\n  {\"name\": \"fold\", \"signatures\": \"(): Sheet\", \"description\": \"Folds it.\"}]}]}\n",
        code: "sheet.fold().fold();\nsheet.fold().fodl();\n",
        found: &[("Sheet", "fodl")],
    },
    Case {
        path: "typedoc.json",
        page: "{\"id\": 0, \"name\": \"desk\", \"kind\": 1, \"packageName\": \"desk\", \"children\": [\n {\"id\": 1, \"name\": \"Sheet\", \"kind\": 128, \"children\": [\n  \
            {\"id\": 2, \"name\": \"constructor\", \"kind\": 512, \"signatures\": [{\"type\": {\"type\": \"reference\", \"target\": 1, \"name\": \"Sheet\"}}]},\n  \
            {\"id\": 3, \"name\": \"fold\", \"kind\": 2048, \"signatures\": [{\"comment\": {\"summary\": [{\"kind\": \"text\", \"text\": \"Folds it.\"}]}, \"type\": {\"type\": \"reference\", \"target\": 1, \"name\": \"Sheet\"}}]}]}]}\n",
        code: "import { Sheet } from 'desk';\nnew Sheet().fold().fold();\nnew Sheet().fold().fodl();\n",
        found: &[("Sheet", "fodl")],
    },
    Case {
        path: "sheet.fold.md",
        page: "## Sheet class\n\nA sheet.\n\n**Signature:**\n\n```typescript\nexport declare class Sheet\n```\n",
        code: "import { Sheet } from 'desk';\nnew Sheet().fodl();\n",
        found: &[("Sheet", "fodl")],
    },
    Case {
        path: "sheet.md",
        page: "# Sheet object\n\n`sheet`\n\n## Methods\n\n### Sheet.fold()\n\n`sheet.fold()`\n\nFolds it.\n\n#### Returns\n\n[Sheet](sheet.md) object.\n",
        code: "sheet.fold().fold();\nsheet.fold().fodl();\n",
        found: &[("Sheet", "fodl")],
    },
    Case {
        path: "Sheet.md",
        page: "# Class: Sheet\n\n## Constructors\n\n### Constructor\n\n> **new Sheet**(): `Sheet`\n\n## Methods\n\n### fold()\n\n> **fold**(): [`Sheet`](Sheet.md)\n\nFolds it.\n",
        code: "import { Sheet } from 'desk';\nnew Sheet().fold().fold();\nnew Sheet().fold().fodl();\n",
        found: &[("Sheet", "fodl")],
    },
    Case {
        path: "Sheet/index.md",
        page: "---\ntitle: Sheet\nslug: Web/API/Sheet\npage-type: web-api-interface\n---\n\nThe **`Sheet`** interface is a sheet.\n",
        code: "function main(sheet: Sheet) {\n  sheet.fodl();\n}\n",
        found: &[("Sheet", "fodl")],
    },
    Case {
        path: "Sheet.html",
        page: "<div class=\"tsd-page-title\"><h1>Class Sheet</h1></div>\n<section class=\"tsd-panel tsd-member\"><h3 id=\"fold\"><span>fold</span></h3>\n<div class=\"tsd-signature\">fold(): Sheet</div><p>Folds it.</p></section>\n",
        code: "import { Sheet } from 'desk';\nfunction main(sheet: Sheet) {\n  sheet.fold().fold();\n  sheet.fold().fodl();\n}\n",
        found: &[("Sheet", "fodl")],
    },
    Case {
        path: "sphinx.html",
        page: "<dl class=\"js class\"><dt class=\"sig sig-object js\" id=\"Sheet\"><span class=\"descname\">Sheet</span>()</dt><dd><p>A sheet.</p>\n\
            <dl class=\"js method\"><dt class=\"sig sig-object js\" id=\"Sheet.fold\"><span class=\"descname\">fold</span>()</dt><dd><p>Folds it.</p></dd></dl></dd></dl>\n",
        code: "function main(sheet: Sheet) {\n  sheet.fold();\n  sheet.fodl();\n}\n",
        found: &[("Sheet", "fodl")],
    },
    Case {
        path: "jsdoc.html",
        page: "<h1 class=\"page-title\">Class: Sheet</h1>\n<h4 class=\"name\" id=\"Sheet\">new Sheet<span class=\"signature\">()</span></h4>\n\
            <h4 class=\"name\" id=\"fold\">fold<span class=\"signature\">()</span><span class=\"type-signature\"> → {Sheet}</span></h4><p>Folds it.</p>\n",
        code: "new Sheet().fold().fold();\nnew Sheet().fold().fodl();\n",
        found: &[("Sheet", "fodl")],
    },
    Case {
        path: "doxygen.html",
        page: "<div class=\"title\">Sheet Class Reference</div>\n<h2 class=\"memtitle\">fold()</h2>\n<div class=\"memitem\"><table class=\"memname\"><tr><td class=\"memname\">void Sheet::fold</td><td>(</td><td>)</td></tr></table><p>Folds it.</p></div>\n",
        code: "function main(sheet: Sheet) {\n  sheet.fold();\n  sheet.fodl();\n}\n",
        found: &[("Sheet", "fodl")],
    },
];

fn folder_of(case: &Case) -> Folder {
    let folder = Folder::empty();
    let pages = folder.project().join("pages");
    let page = pages.join(case.path);
    fs::create_dir_all(page.parent().unwrap()).unwrap();
    fs::write(page, case.page).unwrap();
    let configuration =
        "builtins = [\"ecmascript\"]\n[[api]]\nname = \"desk\"\npages = [\"pages/**/*\"]\n";
    fs::write(folder.project().join("groundline.toml"), configuration).unwrap();
    fs::write(folder.project().join("main.ts"), case.code).unwrap();
    folder
}

fn called(folder: &Folder, tool: &str, arguments: &str) -> Value {
    let (_, said, errors) = folder.run(&["call", tool, arguments, "--json"], "");
    serde_json::from_str(&said).unwrap_or_else(|_| panic!("{said}\n{errors}"))
}

#[test]
fn code_is_checked_from_pages_of_every_format() {
    let mut wrong = Vec::new();
    for case in CASES {
        let folder = folder_of(case);
        let said = called(&folder, "check_symbols", r#"{"paths": ["main.ts"]}"#);
        let found: Vec<(String, String)> = said["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| {
                let text = |key: &str| one[key].as_str().unwrap_or("").to_owned();
                (text("receiver_type"), text("member"))
            })
            .collect();
        let expected: Vec<(String, String)> =
            case.found.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        if found != expected {
            wrong.push(format!("{}: {found:?}", case.path));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pages_of_every_format_are_quoted_by_what_they_say() {
    let mut wrong = Vec::new();
    for case in CASES.iter().filter(|case| case.page.contains("Folds it.")) {
        let folder = folder_of(case);
        let member = if case.page.contains("Fold\n") { "Fold" } else { "fold" };
        let said = called(&folder, "lookup_docs", &format!(r#"{{"symbol": "{member}"}}"#));
        let first = &said["results"][0];
        let (text, line) =
            (first["text"].as_str().unwrap_or(""), first["line"].as_u64().unwrap_or(0));
        let begins = usize::try_from(line).unwrap().saturating_sub(1);
        let stands =
            case.page.lines().skip(begins).collect::<Vec<_>>().join("\n").contains("Folds it.");
        let path = format!("pages/{}", case.path);
        if !text.contains("Folds it.") || !stands || first["path"].as_str() != Some(&path) {
            wrong.push(format!("{}: {first}", case.path));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_dialect_that_is_said_is_the_one_that_reads() {
    let case = &CASES[0];
    let folder = folder_of(case);
    let say = |dialect: &str| {
        let text = format!(
            "builtins = [\"ecmascript\"]\n[[api]]\nname = \"desk\"\npages = [\"pages/**/*\"]\ndialect = \"{dialect}\"\n"
        );
        fs::write(folder.project().join("groundline.toml"), text).unwrap();
        folder.run(&["build", "--explain"], "").1
    };
    assert!(say("docfx").contains("DocFX"));
    assert!(say("roblox").contains("Roblox YAML · 0 interfaces"));
    let known = say("docfox");
    assert!(
        known.contains("\"docfox\" is no dialect of pages: api-documenter, mkdocs, docfx"),
        "{known}"
    );
}
