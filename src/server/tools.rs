//! The tools as hosts see them: names, words, arguments, and what each does to the world.
//!
//! A tool is a row of [`TOOLS`]. Schemas are plain objects (no references, no unions, no type lists, no integer
//! formats), since each of those makes some host drop a tool or all of them; limits are said in words, since some
//! hosts show nothing else. Nothing is refused for carrying more arguments than these.

use crate::envelope::visible;
use serde_json::{Map, Value, json};

/// What a host tells its model about the server. The first 240 characters carry the routing rule, since some hosts
/// show no more.
pub const INSTRUCTIONS: &str = "\
Before you write, or hand over, code that calls a documented API, run check_symbols: naming a member you already \
know is a fact check, not research, and it is free. It decides from the API's own declarations whether each \
exists.

It says \"invented\" only where the receiver's type is known and all of its members are; then it names the real ones. \
Write one of those names, change nothing else, and say nothing of the check in code or in reply. What it cannot decide \
it leaves alone. If a check finds nothing, go on: do not check the same code again.

find_in_files says where something is in the project, by content and by file name; a hit on a variable brings its \
declaration and every line that configures it.

delete_construct removes a variable or an opened and closed construct whole: it shows the exact lines, and deletes \
them when called again with the hash.

verify_fingerprint proves whether the tree held still while it was verified: begin, run the check, compare.

A goal without a name for it: resolve_topic first; it leads to the symbols that serve it. lookup_docs quotes what the \
documentation says, for a name or for several queries at once; its code is checked, and what it invents is told.";

/// One tool.
pub struct Tool {
    /// What it is called by.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it is for, in words that a user would say, and when to stop asking.
    pub description: &'static str,
    /// What it takes.
    pub inputs: &'static [Input],
    /// The argument names without which it cannot answer.
    pub required: &'static [&'static str],
    /// What it does to the world.
    pub effect: Effect,
    /// A call that works, as its arguments.
    pub example: &'static str,
}

/// One argument.
pub struct Input {
    /// Its name.
    pub name: &'static str,
    /// What may stand there.
    pub form: Form,
    /// What it means, with its limits in words.
    pub about: &'static str,
}

/// What may stand in an argument.
pub enum Form {
    /// A text.
    Text,
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// Several texts.
    Texts,
    /// Several queries, each with what it is after.
    Queries,
    /// A whole number.
    Number,
    /// Yes or no.
    Flag,
}

/// What a tool does to the world, as the four hints of the protocol say it.
pub enum Effect {
    /// It reads, and the same question may be asked again.
    Reads,
    /// It changes files when told to.
    Changes,
}

/// All tools, in the order in which hosts list them.
pub const TOOLS: &[Tool] = &[
    CHECK_SYMBOLS,
    FIND_IN_FILES,
    LOOKUP_DOCS,
    RESOLVE_TOPIC,
    FIND_CONSTRUCT,
    VERIFY_FINGERPRINT,
    DELETE_CONSTRUCT,
];

const CHECK_SYMBOLS: Tool = Tool {
    name: "check_symbols",
    title: "Check that symbols exist",
    description: "\
Does this method, property, function or class really exist? Fact-checks every API member, global and import that \
JavaScript or TypeScript code uses against the API's own declarations (the installed npm packages, the language, the \
browser or Node, and the APIs named in groundline.toml), and names the real member for each one that is invented, \
misspelt or deprecated.

Use it before you hand over code that calls a library, an SDK or a scripting engine, and whenever you are about to use \
a member from memory. Give `code` (with `path` or `language` for its context), or `paths`, or nothing: the files \
changed since HEAD.

An answer without findings is final: go on, and do not ask again with other words. Where there are findings, write the \
names that are given, change only those lines, and check once more.",
    inputs: &[
        Input {
            name: "code",
            form: Form::Text,
            about: "The code to check, whole or a piece of it. Leave out to check files.",
        },
        Input {
            name: "path",
            form: Form::Text,
            about: "Where `code` is or will be in the project, for its imports and its language; e.g. src/report.ts.",
        },
        Input {
            name: "language",
            form: Form::OneOf(&[
                "javascript",
                "jsx",
                "typescript",
                "tsx",
                "html",
                "vue",
                "svelte",
                "markdown",
            ]),
            about: "The language of `code`, where no `path` says it.",
        },
        Input {
            name: "paths",
            form: Form::Texts,
            about: "Files, folders or globs to check, relative to the root; e.g. [\"src\", \"scripts/*.js\"].",
        },
        Input {
            name: "api",
            form: Form::Text,
            about: "Only judge what belongs to this API, by its name; e.g. rxjs.",
        },
        ROOT,
        MAX_CHARS,
        CURSOR,
    ],
    required: &[],
    effect: Effect::Reads,
    example: r#"{"code": "layout.tableEnd()", "path": "invoice.js"}"#,
};

const FIND_IN_FILES: Tool = Tool {
    name: "find_in_files",
    title: "Find in files",
    description: "\
Where is this in the project? Searches the files as they are now, and their names: a word, code as it stands, a \
regular expression, several words on one line, or a kind of file (\"json\", \"the xml\"). Use it in place of grep, rg \
or find, above all before you change or delete code: a hit on a line of JavaScript or TypeScript brings the footprint \
of each variable there, its declaration and every line that configures it, so that nothing of it is left behind.

A pattern is tried as a regular expression, then literally, then as all its words on one line; the answer says which. \
Ignore files hold, and what they hide is named; a `path` that is given is searched all the same.

If one phrasing finds nothing, take a word that the answer names as existing, not a guess; stop as soon as the hits \
answer. Whether an API has a member is not found out by searching: ask check_symbols.",
    inputs: &[
        Input {
            name: "pattern",
            form: Form::Text,
            about: "What to look for: text, code, or a regular expression without look-around; e.g. box\\.width.",
        },
        Input {
            name: "literal",
            form: Form::Flag,
            about: "true: the pattern is text and no regular expression.",
        },
        Input {
            name: "glob",
            form: Form::Texts,
            about: "Only files like these; a slash inside anchors at the root, ! leaves out; e.g. [\"*.js\", \"!test/**\"].",
        },
        Input {
            name: "path",
            form: Form::Text,
            about: "Only this file or folder, relative to the root; searched even if it is ignored.",
        },
        Input {
            name: "context",
            form: Form::Number,
            about: "How many lines to show around each hit: up to 20; none if left out.",
        },
        Input {
            name: "case",
            form: Form::OneOf(&["smart", "sensitive", "ignore"]),
            about: "smart, the default: capitals count only if the pattern has one.",
        },
        Input {
            name: "multiline",
            form: Form::Flag,
            about: "true: one match may reach over several lines.",
        },
        Input {
            name: "footprints",
            form: Form::Flag,
            about: "false: leave out the other lines of the variables that were hit.",
        },
        ROOT,
        MAX_CHARS,
        CURSOR,
    ],
    required: &["pattern"],
    effect: Effect::Reads,
    example: r#"{"pattern": "box.width", "glob": "*.js"}"#,
};

const VERIFY_FINGERPRINT: Tool = Tool {
    name: "verify_fingerprint",
    title: "Verify that the tree held still",
    description: "\
Did anything in the project change while it was being checked? Who wrote the code does not declare it correct: take a \
baseline before an independent check (tests, review, verification), compare after it, and the check counts only if the \
tree held still.

Call it with `action` \"begin\" before the check; it gives a baseline id. Run the check. Then call it with `action` \
\"compare\" and that `baseline`. The answer is HELD (same content, the check counts), MOVED (with the paths; the check is \
void) or UNKNOWN (it cannot be told; the check is void). `action` \"status\" lists the baselines of this project.

Content decides, not time stamps and not git: edits that are staged, committed, ignored later or put back with their \
old times are seen. It changes nothing in the project. One begin and one compare are enough for a check.",
    inputs: &[
        Input {
            name: "action",
            form: Form::OneOf(&["begin", "compare", "status"]),
            about: "begin before the check, compare after it, status to list baselines.",
        },
        Input {
            name: "baseline",
            form: Form::Text,
            about: "The id that begin gave, whole; for compare.",
        },
        Input {
            name: "include",
            form: Form::Texts,
            about: "For begin: ignored paths that count all the same, as in a .gitignore; e.g. [\"node_modules/**\"].",
        },
        Input {
            name: "allow",
            form: Form::Texts,
            about: "For begin: paths that the check may change, as in a .gitignore; e.g. [\"out/**\"].",
        },
        Input {
            name: "watch",
            form: Form::Flag,
            about: "For begin: true to watch until compare, so that what was edited and put back is named; default false.",
        },
        ROOT,
        MAX_CHARS,
    ],
    required: &["action"],
    // A baseline is written to the state folder only, never to the project, and a second one replaces none: for the
    // world that these hints speak of it reads.
    effect: Effect::Reads,
    example: r#"{"action": "begin"}"#,
};

const LOOKUP_DOCS: Tool = Tool {
    name: "lookup_docs",
    title: "Look up documentation",
    description: "\
What does the documentation say? Quotes the pieces of the documentation of the APIs that hold in this project (the \
installed npm packages, the language, the browser or Node, and the APIs named in groundline.toml), verbatim, each with \
API, version, file and line. Nothing is retold, and code in a piece is checked: a line that uses what does not exist is \
named beside it.

Give `symbol` for a name you have (`Layout.makeTable`, `layout.makeTable()`, `makeTable`): an interface comes with all \
of its members. Give `queries` for a question: two to four short ones from different angles (the goal, the thing, the \
name it might have), each with `about`; they are merged. Without either it lists the APIs.

Ask from different angles in one call, then stop as soon as the pieces answer: rewording a query that was answered \
brings the same pieces. Whether one member exists is a fact check: ask check_symbols.",
    inputs: &[
        Input {
            name: "queries",
            form: Form::Queries,
            about: "One to six queries from different angles; e.g. [{\"query\": \"rows that repeat on each page\", \"about\": \"table heads\"}].",
        },
        Input {
            name: "symbol",
            form: Form::Text,
            about: "A name instead of queries; e.g. Layout.makeTable or Layout.",
        },
        API,
        ROOT,
        MAX_CHARS,
        CURSOR,
    ],
    required: &[],
    effect: Effect::Reads,
    example: r#"{"queries": [{"query": "draw a table", "about": "the call that makes one"}]}"#,
};

const RESOLVE_TOPIC: Tool = Tool {
    name: "resolve_topic",
    title: "Find the symbols for a goal",
    description: "\
Which symbols of the API serve this goal? Use it first when you know what you want to reach but not what the API calls \
it: it maps the goal's words to real interfaces and members, from the documentation's own sentences, headings and \
examples, and names the lookup to make next. It never names what does not exist.

The answer says how far to trust it. STRONG: use these symbols. WEAK: a hint, not a law; these interfaces share words \
with the goal, so look one up. NONE: nothing here is known to serve the goal, which forbids nothing.

One call for a goal is enough; if the answer is WEAK or NONE, one more with other words for the same thing, then go on \
with what you have.",
    inputs: &[
        Input {
            name: "goal",
            form: Form::Text,
            about: "What you want to reach, in a short sentence; e.g. repeat the head of a table on each page.",
        },
        API,
        ROOT,
        MAX_CHARS,
        CURSOR,
    ],
    required: &["goal"],
    effect: Effect::Reads,
    example: r#"{"goal": "repeat the head of a table on each page"}"#,
};

const API: Input =
    Input { name: "api", form: Form::Text, about: "Only ask this API, by its name; e.g. rxjs." };

const DELETE_CONSTRUCT: Tool = Tool {
    name: "delete_construct",
    title: "Delete a construct",
    description: "\
Remove this, all of it: a variable with its declaration and every line that configures it, and where it is opened and \
closed (a block, a table, a section) everything in between. Use it whenever something is to be deleted from JavaScript \
or TypeScript, in place of editing lines away by hand: the server works out the exact lines, and nothing is rewritten.

First call it with `path` and `line` (any line that names the thing) or `variable`. It changes nothing: the answer is \
the patch, what stays behind and why, and the next call. If that is what is wanted, make that call: the same with \
`apply` true and the `hash`. It is done only if the file is still what was shown.

Then deal with the lines that were kept, and only with those. One preview and one call with `apply` are enough.",
    inputs: &[
        Input {
            name: "path",
            form: Form::Text,
            about: "The file, relative to the root. May be left out if only one file declares `variable`.",
        },
        Input {
            name: "line",
            form: Form::Number,
            about: "A line of the thing, from 1: its declaration, a line that sets it up, its opener or closer.",
        },
        Input {
            name: "variable",
            form: Form::Text,
            about: "The variable, by its name; with `line` where the name stands for several.",
        },
        Input {
            name: "apply",
            form: Form::Flag,
            about: "true: delete what a preview showed; needs `hash`.",
        },
        Input {
            name: "hash",
            form: Form::Text,
            about: "The hash that the preview gave, whole.",
        },
        Input {
            name: "api",
            form: Form::Text,
            about: "Only constructs of this API, by its name.",
        },
        ROOT,
        MAX_CHARS,
        CURSOR,
    ],
    required: &[],
    effect: Effect::Changes,
    example: r#"{"path": "invoice.js", "line": 13}"#,
};

const FIND_CONSTRUCT: Tool = Tool {
    name: "find_construct",
    title: "Find how something is built",
    description: "\
How is this built? For an object of a documented API that takes several calls (a table, a section, a recording, a \
subscription): what declares it, which call opens it, what may stand inside, which call closes it, in which order, and a \
whole example from the documentation. Mined from the API's own pages and declarations: every call that it names exists.

Use it before you write code that opens, begins, starts, pushes, locks or registers anything, or when you do not know \
where rows, cells or parts belong. Give `name`: a word for the thing (\"table\"), or one of its calls \
(\"layout.tableStart\").

One answer is enough: write its calls in its order and go on. If it says that only the names suggest a pair, or that two \
actions are only opposite, do not add a closing call for that reason alone. If nothing is found, take a name that the \
answer gives, once; a thing that one call makes is no construct.",
    inputs: &[
        Input {
            name: "name",
            form: Form::Text,
            about: "What to build, or one of its calls; e.g. table, table row, layout.tableStart.",
        },
        Input {
            name: "api",
            form: Form::Text,
            about: "Only this API, by its name; e.g. electron.",
        },
        ROOT,
        MAX_CHARS,
        CURSOR,
    ],
    required: &["name"],
    effect: Effect::Reads,
    example: r#"{"name": "table"}"#,
};

const ROOT: Input = Input {
    name: "root",
    form: Form::Text,
    about: "The project's folder, if it is not the one this session works in.",
};

const MAX_CHARS: Input = Input {
    name: "max_chars",
    form: Form::Number,
    about: "The most characters the answer may have: up to 38000; 20000 if left out.",
};

const CURSOR: Input = Input {
    name: "cursor",
    form: Form::Text,
    about: "Where to go on, as an answer that was cut says it.",
};

/// The tool of this name.
pub fn tool(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

/// What is said where a tool is asked for that does not exist.
pub fn no_such_tool(name: &str) -> String {
    let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
    let shown: String = name.chars().take(60).collect();
    let shown = visible(&shown.replace(['\n', '\t'], " "));
    format!("there is no tool `{shown}`; the tools are: {}", names.join(", "))
}

impl Tool {
    /// The schema of its arguments.
    pub fn schema(&self) -> Map<String, Value> {
        let properties: Map<String, Value> =
            self.inputs.iter().map(|input| (input.name.to_owned(), input.schema())).collect();
        let mut schema = Map::new();
        schema.insert("type".to_owned(), json!("object"));
        schema.insert("properties".to_owned(), Value::Object(properties));
        if !self.required.is_empty() {
            schema.insert("required".to_owned(), json!(self.required));
        }
        schema
    }
}

impl Tool {
    /// The arguments by the tool's own names where one came in the singular for the plural, or the other way round.
    pub fn by_own_names(&self, arguments: Map<String, Value>) -> Map<String, Value> {
        let is_own = |name: &str| self.inputs.iter().any(|input| input.name == name);
        let is_given = |name: &str| arguments.contains_key(name);
        let meant = |name: &str| {
            let alike = |input: &&Input| singular(input.name) == singular(name);
            self.inputs.iter().filter(|input| !is_given(input.name)).find(alike)
        };
        let renamed: Vec<(String, &str)> = arguments
            .keys()
            .filter(|name| !is_own(name))
            .filter_map(|name| Some((name.clone(), meant(name)?.name)))
            .collect();
        let mut arguments = arguments;
        for (given, own) in renamed {
            if let Some(value) = arguments.remove(&given) {
                arguments.entry(own).or_insert(value);
            }
        }
        arguments
    }
}

/// A name of an argument without what makes it a plural.
fn singular(name: &str) -> String {
    let name = name.to_ascii_lowercase().replace(['-', '_'], "");
    let one = name.strip_suffix("ies").map(|stem| format!("{stem}y"));
    one.unwrap_or_else(|| name.strip_suffix('s').unwrap_or(&name).to_owned())
}

impl Input {
    fn schema(&self) -> Value {
        match self.form {
            Form::Text => json!({"type": "string", "description": self.about}),
            Form::OneOf(words) => {
                json!({"type": "string", "enum": words, "description": self.about})
            }
            Form::Texts => {
                json!({"type": "array", "items": {"type": "string"}, "description": self.about})
            }
            Form::Queries => json!({
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "query": {"type": "string", "description": "Words, a goal, or a name."},
                        "about": {"type": "string", "description": "What it is after, in a few words."}
                    },
                    "required": ["query"]
                },
                "description": self.about
            }),
            Form::Number => json!({"type": "integer", "description": self.about}),
            Form::Flag => json!({"type": "boolean", "description": self.about}),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_routing_rule_stands_in_the_first_240_characters() {
        let shown: String = INSTRUCTIONS.chars().take(240).collect();
        assert!(shown.contains("run check_symbols"), "{shown}");
        assert!(shown.contains("a fact check, not research"), "{shown}");
        assert!(INSTRUCTIONS.len() <= 2_000);
    }

    #[test]
    fn an_argument_in_the_plural_is_the_one_in_the_singular_unless_both_are_the_tools_own() {
        let by_own_names = |name: &str, given: Value| {
            let Value::Object(given) = given else { panic!("an object") };
            Value::Object(tool(name).unwrap().by_own_names(given))
        };
        assert_eq!(
            by_own_names("find_in_files", json!({"patterns": "a", "paths": ["src"]}))["path"],
            json!(["src"])
        );
        assert_eq!(by_own_names("lookup_docs", json!({"query": "a"})), json!({"queries": "a"}));
        for own in [json!({"path": "a.js", "paths": ["b.js"]}), json!({"paths": ["b.js"]})] {
            assert_eq!(by_own_names("check_symbols", own.clone()), own);
        }
        let other = json!({"_vendor": 1, "pathss": 2});
        assert_eq!(by_own_names("find_in_files", other.clone()), other);
    }

    #[test]
    fn instructions_name_only_tools_that_exist() {
        let planned = [
            "find_in_files",
            "lookup_docs",
            "resolve_topic",
            "find_construct",
            "check_symbols",
            "verify_fingerprint",
            "delete_construct",
        ];
        for name in planned.into_iter().filter(|name| tool(name).is_none()) {
            assert!(!INSTRUCTIONS.contains(name), "{name} is not there yet");
        }
    }

    #[test]
    fn every_tool_is_taken_by_every_host() {
        let is_plain = |name: &str| name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        for tool in TOOLS {
            assert!(tool.name.len() <= 40 && is_plain(tool.name), "{}", tool.name);
            assert!(tool.description.len() <= 2_000, "{}", tool.name);
            assert!(tool.inputs.iter().all(|input| is_plain(input.name)), "{}", tool.name);
            let named = |name: &str| tool.inputs.iter().any(|input| input.name == name);
            assert!(tool.required.iter().all(|name| named(name)), "{}", tool.name);
            let example: Map<String, Value> = serde_json::from_str(tool.example).unwrap();
            assert!(example.keys().all(|name| named(name)), "{}", tool.name);
            assert_portable(&Value::Object(tool.schema()));
        }
    }

    /// The rules that section 5 of facts/mcp-and-rmcp.md draws from what hosts refuse.
    fn assert_portable(schema: &Value) {
        let object = schema.as_object().expect("no boolean subschemas");
        assert!(object["type"].is_string(), "one type, no list: {schema}");
        let known = ["type", "description", "enum", "items", "properties", "required"];
        assert!(object.keys().all(|key| known.contains(&key.as_str())), "{schema}");
        if object["type"] == "object" {
            object["properties"].as_object().unwrap().values().for_each(assert_portable);
        }
        if let Some(items) = object.get("items") {
            assert_portable(items);
        }
    }
}
