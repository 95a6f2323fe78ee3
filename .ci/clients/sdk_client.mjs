// Proves that the TypeScript SDK 1.x, which most hosts of today are built on, lists our tool through its own schemas, gets
// the invented member named, and goes on after an unknown tool; it speaks the older era only. Over HTTP also that without the
// token nobody is let in.
// usage: node sdk_client.mjs WORDS stdio BINARY PROJECT      or      node sdk_client.mjs WORDS http URL TOKEN_FILE
// WORDS must be in the answer; packages are found from the folder CLIENTS
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [words, door, ...where] = process.argv.slice(2);
const installed = createRequire(`${process.env.CLIENTS}/package.json`);
const load = (name) => import(pathToFileURL(installed.resolve(`@modelcontextprotocol/sdk/${name}`)));
const { Client } = await load("client/index.js");
const { StdioClientTransport } = await load("client/stdio.js");
const { StreamableHTTPClientTransport } = await load("client/streamableHttp.js");

async function check(name, body) {
  try {
    await body();
    console.log(`ok sdk 1.x ${door}: ${name}`);
  } catch (trouble) {
    process.exitCode = 1;
    const cause = trouble instanceof assert.AssertionError ? trouble.message : String(trouble?.stack ?? trouble);
    console.log(`FAILED sdk 1.x ${door}: ${name}: ${cause.split("\n").slice(0, 12).join("\n  ")}`);
  }
}

const overHttp = (headers) => new StreamableHTTPClientTransport(new URL(where[0]), { requestInit: { headers } });
const transport = () => {
  if (door === "http") return overHttp({ Authorization: `Bearer ${readFileSync(where[1], "utf8").trim()}` });
  assert.equal(door, "stdio");
  return new StdioClientTransport({ command: where[0], args: ["serve", "--root", where[1]] });
};
const newClient = () => new Client({ name: "groundline-ci", version: "1.0.0" });

const client = newClient();
const textOf = (result) => result.content.map((part) => part.text ?? "").join("\n");
async function callFindsIt() {
  const result = await client.callTool({ name: "check_symbols", arguments: { paths: ["drafts/invoice-draft.js"] } });
  assert.ok(!result.isError && textOf(result).includes(words), `no '${words}' in: ${textOf(result)}`);
}

await check("connects", async () => {
  await client.connect(transport());
  assert.equal(client.getServerVersion().name, "groundline");
});
await check("lists check_symbols with its annotations", async () => {
  const tool = (await client.listTools()).tools.find((tool) => tool.name === "check_symbols");
  assert.equal(tool?.annotations?.readOnlyHint, true);
});
await check("a call names the invented member", callFindsIt);
await check("an unknown tool is an error that names it", async () => {
  const said = await client.callTool({ name: "no_such_tool", arguments: {} }).then((result) => {
    assert.ok(result.isError, `no error: ${textOf(result)}`);
    return textOf(result);
  }, (error) => error.message);
  assert.match(said, /no_such_tool/);
});
await check("the session goes on after it", callFindsIt);
await check("closes", () => client.close());
if (door === "http") {
  for (const [who, headers] of [["another token", { Authorization: "Bearer nobody" }], ["no token", {}]]) {
    await check(`is not let in with ${who}`, () => assert.rejects(newClient().connect(overHttp(headers)), (error) => error.code === 401));
  }
}
