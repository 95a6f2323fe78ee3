//! Global names that environments, test runners, bundlers and pages are known to bring along.
//!
//! Where code reads one of them that no api which holds here declares, something else may well bring it: that is no
//! invention. Nothing is said of what these names have.

use crate::base::Name;
use crate::corpus::{Corpus, embedded};
use crate::datagraph::Key;
use std::collections::BTreeSet;

/// Names by who brings them, each list sorted.
#[rustfmt::skip]
const BROUGHT: [&[&str]; 7] = [
    // Test runners and what is loaded with them.
    &[
        "after", "afterAll", "afterEach", "assert", "before", "beforeAll", "beforeEach", "chai",
        "context", "cy", "describe", "expect", "expectTypeOf", "fail", "fdescribe", "fit", "it",
        "jasmine", "jest", "pending", "protractor", "setup", "should", "sinon", "specify", "spyOn",
        "suite", "suiteSetup", "suiteTeardown", "teardown", "test", "vi", "vitest", "xdescribe",
        "xit", "xtest",
    ],
    // Module loaders, bundlers and runtimes.
    &[
        "clearImmediate", "define", "exports", "global", "importScripts", "module", "process",
        "require", "requirejs", "setImmediate", "steal", "system",
    ],
    // Shells and engines that run scripts.
    &[
        "alert", "app", "console", "context", "db", "document", "emit", "gc", "getApp",
        "getCurrentPages", "host", "importClass", "importPackage", "java", "javax", "load", "my",
        "nw", "phantom", "print", "printErr", "quit", "readline", "rs", "sh", "swan", "tt", "uni",
        "window", "wx",
    ],
    // Workers and worklets.
    &[
        "caches", "clients", "currentFrame", "currentTime", "fetch", "onmessage", "postMessage",
        "registerAnimator", "registerLayout", "registerPaint", "registerProcessor", "registration",
        "sampleRate", "self", "skipWaiting",
    ],
    // Libraries that pages load, in small letters.
    &[
        "ace", "angular", "axios", "browser", "chrome", "dataLayer", "dojo", "dojoConfig", "fbq",
        "firebase", "ga", "gapi", "glMatrix", "goog", "google", "grecaptcha", "gsap", "gtag",
        "hljs", "htmx", "io", "jQuery", "katex", "ko", "lodash", "lunr", "mapboxgl", "marked",
        "mat2", "mat3", "mat4", "mermaid", "mixpanel", "moment", "monaco", "nacl", "opera",
        "paypal", "pdfjsLib", "performance", "plausible", "quat", "quat2", "safari", "tinymce",
        "twttr", "unsafeWindow", "vec2", "vec3", "vec4", "videojs", "webix",
    ],
    // Libraries that pages load, and what browsers have beyond every list.
    &[
        "ActiveXObject", "AudioWorkletProcessor", "BABYLON", "Backbone", "Bun", "Cesium", "Chart",
        "ClipboardJS", "CodeMirror", "Cypress", "DOMPurify", "Deno", "Drupal", "EditContext",
        "Ember", "Ext", "FB", "Foundation", "GPUBufferUsage", "GPUColorWrite", "GPUMapMode",
        "GPUShaderStage", "GPUTextureUsage", "Go", "HTMLRewriter", "Hammer", "Handlebars",
        "Highcharts", "Hls", "InstallTrigger", "JavaImporter", "MathJax", "Meteor", "Modernizr",
        "Mongo", "MooTools", "Mustache", "NativeModule", "Office", "Packages", "Paddle", "Phaser",
        "Plotly", "Polymer", "Prism", "QUnit", "React", "ReactDOM", "Reveal", "Shopify",
        "SpeechGrammarList", "SpeechRecognition", "SpeechRecognitionPhrase", "Stripe", "Swiper",
        "System", "Titanium", "TweenLite", "TweenMax", "Vue", "WScript", "WebXRPolyfill", "WinJS",
        "Windows", "XRRigidTransform", "XRWebGLBinding", "XRWebGLLayer", "YUI", "Zepto", "Zone",
    ],
    // Code that a compiler puts away.
    &[
        "acquireVsCodeApi", "defineEmits", "defineExpose", "defineModel", "defineOptions",
        "defineProps", "defineSlots", "defineTheme", "withDefaults",
    ],
];

/// What mini-programs call, with everything in one object: as plain names they say little.
const CALLED: [&str; 4] = ["App", "Behavior", "Component", "Page"];

/// Whether something that is not loaded here is known to bring this name.
pub fn is_brought_elsewhere(name: &str) -> bool {
    BROUGHT.iter().any(|names| names.contains(&name))
}

/// Whether something that is not loaded here is known to bring a function of this name.
pub fn is_called_elsewhere(name: &str) -> bool {
    CALLED.contains(&name)
}

/// Whether an environment that is built in brings this name, whether it holds here or not.
pub fn is_built_in_elsewhere(name: &Name) -> bool {
    let graphs =
        embedded::BUILTINS.iter().filter_map(|built_in| embedded::datagraph(built_in).ok());
    graphs.into_iter().any(|graph| {
        graph.interfaces.get(&Key::globals()).is_some_and(|g| g.shape.members.contains_key(name))
    })
}

/// At most two other types that have exactly this member.
pub fn elsewhere(corpus: &Corpus, member: &str) -> Vec<String> {
    let all = corpus.graphs.iter().flat_map(|g| &g.interfaces);
    all.filter(|(_, interface)| interface.shape.members.contains_key(member))
        .filter(|(key, _)| !key.name.path.is_empty())
        .map(|(key, _)| format!("{key}.{member}"))
        .take(16)
        .collect::<BTreeSet<String>>()
        .into_iter()
        .take(2)
        .collect()
}
