"""Proves that the official Python SDK talks to our server in both protocol eras and by its own choice ("auto"): it lists
the tool, a call names the invented member, bad arguments and unknown tools are answered as errors, and the session goes on
after both. On stdio also that nothing but protocol lines reaches standard output, and that the server ends by itself when its
input is closed; over HTTP that without the token nobody is let in.

usage: python_client.py WORDS stdio BINARY PROJECT      or      python_client.py WORDS http URL TOKEN_FILE
WORDS must be in the answer
"""

import json
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

import checks
from checks import check, must

WORDS, DOOR, *WHERE = sys.argv[1:]
WIRE = Path(__file__).with_name("wire.sh")
MODERN = "2026-07-28"


def text_of(result):
    return "\n".join(part.text for part in result.content if part.type == "text")


def is_message(line):
    try:
        return json.loads(line)["jsonrpc"] == "2.0"
    except (ValueError, TypeError, KeyError):
        return False


def log_of(mode):
    return Path.cwd() / f"wire-{mode}"


@asynccontextmanager
async def connected(mode, **headers):
    """A client at the door that was asked for; on stdio the talk is kept."""
    if DOOR == "stdio":
        binary, project = WHERE
        server = StdioServerParameters(command="bash", args=[str(WIRE), str(log_of(mode)), binary, "serve", "--root", project])
        async with Client(server, mode=mode, read_timeout_seconds=45) as client:
            yield client
    else:
        async with httpx2.AsyncClient(headers=headers, timeout=45) as http:
            async with Client(streamable_http_client(WHERE[0], http_client=http), mode=mode, read_timeout_seconds=45) as client:
                yield client


async def call_finds_it(client):
    result = await client.call_tool("check_symbols", {"paths": ["drafts/invoice-draft.js"]})
    must(not result.is_error and WORDS in text_of(result), f"no {WORDS!r} in: {text_of(result)}")


async def talk(mode, who, **headers):
    with check(f"{who}: connects and closes"):
        async with connected(mode, **headers) as client:
            with check(f"{who}: the era is the one asked for"):
                must((client.protocol_version == MODERN) == (mode != "legacy"), f"it is {client.protocol_version}")

            with check(f"{who}: lists check_symbols with its annotations"):
                tools = {tool.name: tool for tool in (await client.list_tools()).tools}
                must("check_symbols" in tools, f"only {sorted(tools)}")
                must(tools["check_symbols"].annotations.read_only_hint is True, "it is not marked read-only")

            with check(f"{who}: a call names the invented member"):
                await call_finds_it(client)

            with check(f"{who}: bad arguments are an error that says what is accepted"):
                result = await client.call_tool("check_symbols", {"paths": {"not": "a list"}})
                must(result.is_error and "paths" in text_of(result), f"is_error {result.is_error}: {text_of(result)}")

            with check(f"{who}: an unknown tool is an error that names it"):
                try:
                    result = await client.call_tool("no_such_tool", {})
                    must(result.is_error, f"no error: {text_of(result)}")
                    said = text_of(result)
                except MCPError as error:
                    said = error.error.message
                must("no_such_tool" in said, f"it says: {said}")

            with check(f"{who}: the session goes on after both"):
                await call_finds_it(client)


def ended_well(mode, who):
    with check(f"{who}: the server ends by itself, with status 0, when its input is closed"):
        status = log_of(mode).with_suffix(".status")
        must(status.exists(), "it was still running 2 seconds later, and was killed")
        must(status.read_text().strip() == "0", f"status {status.read_text().strip()}")

    with check(f"{who}: protocol lines only on standard output"):
        lines = log_of(mode).with_suffix(".out").read_text().splitlines()
        must(lines, "there is none")
        for line in lines:
            must(is_message(line), f"another line: {line[:300]}")


async def refused(mode, who, **headers):
    with check(f"{who}: is not let in"):
        try:
            async with connected(mode, **headers) as client:
                listed = await client.list_tools()
        except Exception:
            # Why is for the wire to say: the SDK has several ways to put it.
            status = httpx2.post(WHERE[0], json={}, headers=headers).status_code
            must(status == 401, f"but with status {status}")
        else:
            must(False, f"it lists {[tool.name for tool in listed.tools]}")


async def over_http():
    token = Path(WHERE[1]).read_text().strip()
    for mode in ("legacy", "auto", MODERN):
        await talk(mode, f"python http {mode}", authorization=f"Bearer {token}")
    await refused("auto", "python http, with another token", authorization=f"Bearer {token}x")
    await refused("auto", "python http, without a token")


async def on_stdio():
    for mode in ("legacy", "auto", MODERN):
        who = f"python stdio {mode}"
        await talk(mode, who)
        ended_well(mode, who)


anyio.run({"stdio": on_stdio, "http": over_http}[DOOR])
sys.exit(checks.n_failed > 0)
