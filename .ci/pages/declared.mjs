// What declaration files declare, read by the TypeScript compiler: each interface with its own members and its parents.
// References to other files are followed.
// usage: node declared.mjs FOLDER_WITH_TYPESCRIPT FILE...   prints JSON {name: {members: [..], parents: [..]}}
import { createRequire } from "node:module";
import { basename, dirname, resolve } from "node:path";
import { existsSync, readFileSync } from "node:fs";
const [folder, ...rest] = process.argv.slice(2);
const waiting = rest.map(file => resolve(file));
const ts = createRequire(resolve(folder, "x.js"))("typescript");
const found = {};
const entry = name => (found[name] ??= { members: [], parents: [] });
const add = (name, member) => { const one = entry(name); if (!one.members.includes(member)) one.members.push(member); };
const spelt = node => node && (ts.isIdentifier(node) || ts.isStringLiteral(node) || ts.isNumericLiteral(node)) ? node.text : undefined;
const hidden = node => (ts.getCombinedModifierFlags(node) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0;
// A default export is called as its file, since that is what another file knows of it.
let called = {};
const last = node => { const name = node.getText().split("<")[0].trim(); return called[name] ?? name; };
const stem = path => basename(path).replace(/(\.d\.ts|\.js)$/, "");
function defaults(source) {
  const found = {};
  for (const one of source.statements) {
    if (ts.isExportAssignment(one) && ts.isIdentifier(one.expression)) found[one.expression.text] = stem(source.fileName);
    if (ts.isImportDeclaration(one) && one.importClause?.name) found[one.importClause.name.text] = stem(one.moduleSpecifier.text);
  }
  return found;
}
function members(name, list) {
  for (const one of list) {
    const said = spelt(one.name);
    if (said !== undefined && !hidden(one)) add(name, said);
  }
}
function visit(node, space) {
  const inside = name => (space ? `${space}.${name}` : name);
  if (ts.isModuleDeclaration(node)) {
    // What is added to the types of others is no api of its own.
    if (node.flags & ts.NodeFlags.GlobalAugmentation) return;
    const isSpace = ts.isIdentifier(node.name);
    const inner = isSpace ? inside(node.name.text) : space;
    if (node.body) ts.isModuleBlock(node.body) ? node.body.statements.forEach(s => visit(s, inner)) : visit(node.body, inner);
  } else if (ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)) {
    if (!node.name) return;
    const name = inside(called[node.name.text] ?? node.name.text);
    entry(name);
    members(name, node.members);
    for (const clause of node.heritageClauses ?? [])
      if (clause.token === ts.SyntaxKind.ExtendsKeyword || ts.isInterfaceDeclaration(node))
        clause.types.forEach(t => entry(name).parents.push(last(t.expression)));
  } else if (ts.isEnumDeclaration(node)) {
    entry(inside(node.name.text));
    members(inside(node.name.text), node.members);
  } else if (ts.isTypeAliasDeclaration(node) && ts.isTypeLiteralNode(node.type)) {
    entry(inside(node.name.text));
    members(inside(node.name.text), node.type.members);
  } else if (ts.isVariableStatement(node)) {
    for (const one of node.declarationList.declarations) {
      // `declare const X: { new (): X; create(): X }` is the other side of an interface; what makes nothing is an object.
      const makes = one.type && ts.isTypeLiteralNode(one.type) && one.type.members.some(ts.isConstructSignatureDeclaration);
      if (spelt(one.name) && makes) { entry(inside(one.name.text)); members(inside(one.name.text), one.type.members); }
    }
  }
}
const seen = new Set();
while (waiting.length) {
  const file = waiting.shift();
  if (seen.has(file) || !existsSync(file)) continue;
  seen.add(file);
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  waiting.push(...source.referencedFiles.map(one => resolve(dirname(file), one.fileName)));
  called = defaults(source);
  source.statements.forEach(s => visit(s, ""));
}
process.stdout.write(JSON.stringify(found));
