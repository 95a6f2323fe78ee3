"""Proves that the official Python SDK talks to our server in both protocol eras and by its own choice ("auto"): it lists
the tool, a call names the invented member, bad arguments and unknown tools are answered as errors, the session goes on
after both, nothing but protocol lines reaches standard output, and the server ends by itself when its input is closed.

usage: python_client.py BINARY PROJECT WORDS      WORDS must be in the answer
"""

import json
import sys
from pathlib import Path

import anyio
from mcp import Client, MCPError, StdioServerParameters

import checks
from checks import check, must

BINARY, PROJECT, WORDS = sys.argv[1:]
WIRE = Path(__file__).with_name("wire.sh")
MODERN = "2026-07-28"


def text_of(result):
    return "\n".join(part.text for part in result.content if part.type == "text")


def is_message(line):
    try:
        return json.loads(line)["jsonrpc"] == "2.0"
    except (ValueError, TypeError, KeyError):
        return False


async def talk(mode):
    log = Path.cwd() / f"wire-{mode}"
    server = StdioServerParameters(command="bash", args=[str(WIRE), str(log), BINARY, "serve", "--root", PROJECT])

    async def call_finds_it(client):
        result = await client.call_tool("check_symbols", {"paths": ["drafts/invoice-draft.js"]})
        must(not result.is_error and WORDS in text_of(result), f"no {WORDS!r} in: {text_of(result)}")

    with check(f"python {mode}: connects and closes"):
        async with Client(server, mode=mode, read_timeout_seconds=45) as client:
            with check(f"python {mode}: the era is the one asked for"):
                must((client.protocol_version == MODERN) == (mode != "legacy"), f"it is {client.protocol_version}")

            with check(f"python {mode}: lists check_symbols with its annotations"):
                tools = {tool.name: tool for tool in (await client.list_tools()).tools}
                must("check_symbols" in tools, f"only {sorted(tools)}")
                must(tools["check_symbols"].annotations.read_only_hint is True, "it is not marked read-only")

            with check(f"python {mode}: a call names the invented member"):
                await call_finds_it(client)

            with check(f"python {mode}: bad arguments are an error that says what is accepted"):
                result = await client.call_tool("check_symbols", {"paths": {"not": "a list"}})
                must(result.is_error and "paths" in text_of(result), f"is_error {result.is_error}: {text_of(result)}")

            with check(f"python {mode}: an unknown tool is an error that names it"):
                try:
                    result = await client.call_tool("no_such_tool", {})
                    must(result.is_error, f"no error: {text_of(result)}")
                    said = text_of(result)
                except MCPError as error:
                    said = error.error.message
                must("no_such_tool" in said, f"it says: {said}")

            with check(f"python {mode}: the session goes on after both"):
                await call_finds_it(client)

    with check(f"python {mode}: the server ends by itself, with status 0, when its input is closed"):
        status = log.with_suffix(".status")
        must(status.exists(), "it was still running 2 seconds later, and was killed")
        must(status.read_text().strip() == "0", f"status {status.read_text().strip()}")

    with check(f"python {mode}: protocol lines only on standard output"):
        lines = log.with_suffix(".out").read_text().splitlines()
        must(lines, "there is none")
        for line in lines:
            must(is_message(line), f"another line: {line[:300]}")


for mode in ("legacy", "auto", MODERN):
    anyio.run(talk, mode)
sys.exit(checks.n_failed > 0)
