"""Proves that a real coding agent, Codex, starts our server from the form that mcp.json.example gives for it, connects,
sees the tool with its annotations, and gets a call answered in a thread of a project; no model, key, login or network.

It speaks Codex's app-server protocol, which its editor extensions use: one JSON object a line on standard input and output.
usage: codex.py BINARY PROJECT WORDS EXAMPLE      WORDS must be in the answer, EXAMPLE is mcp.json.example
"""

import json
import os
import queue
import subprocess
import sys
import threading
import time
import tomllib
from pathlib import Path

import checks
from checks import check, must

BINARY, PROJECT, WORDS, EXAMPLE = sys.argv[1:]
# A model that is nowhere: a thread warms up its connection to the model, and must not look for the maker's.
NO_MODEL = 'model_providers.nowhere={name="nowhere", base_url="http://127.0.0.1:9", wire_api="responses", requires_openai_auth=false}'


class AppServer:
    """One `codex app-server`, and questions put to it one after the other."""

    def __init__(self):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(["codex", "app-server", "-c", 'model_provider="nowhere"', "-c", NO_MODEL], stdin=pipe, stdout=pipe, text=True)
        self.lines = queue.Queue()
        self.n_asked = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def say(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, method, params, seconds=45):
        self.n_asked += 1
        self.say({"id": self.n_asked, "method": method, "params": params})
        end, last = time.monotonic() + seconds, "nothing"
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise TimeoutError(f"{method}: no answer in {seconds} s; it said last: {last[:600]}") from None
            must(line is not None, f"{method}: codex ended; it said last: {last[:600]}")
            last, message = line, json.loads(line)
            # Its notifications, and the questions that it puts to its own user, have another id or none.
            if message.get("id") == self.n_asked and "method" not in message:
                must("error" not in message, f"{method}: {message.get('error')}")
                return message["result"]

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(timeout=10)
        finally:
            self.process.kill()


def register():
    """Writes the example's form to Codex's own settings, with the built binary for the installed one."""
    form = json.loads(Path(EXAMPLE).read_text())["codex"]["toml"]
    must(form.count('"groundline"') == 1, f"the command is not one word of its own in: {form}")
    settings = form.replace('"groundline"', json.dumps(BINARY))
    must(tomllib.loads(settings)["mcp_servers"]["groundline"]["command"] == BINARY, f"another command in: {settings}")
    Path(os.environ["CODEX_HOME"], "config.toml").write_text(settings)


with check("codex: takes the form of mcp.json.example"):
    register()
codex = AppServer()
with check("codex: app-server starts"):
    codex.ask("initialize", {"clientInfo": {"name": "groundline-ci", "version": "1.0.0"}})
    codex.say({"method": "initialized"})

with check("codex: connects to the server and lists check_symbols with its annotations"):
    servers = {server["name"]: server for server in codex.ask("mcpServerStatus/list", {})["data"]}
    server = servers.get("groundline")
    must(server, f"only {sorted(servers)}")
    must(not server.get("toolsError"), server.get("toolsError"))
    tool = server["tools"].get("check_symbols")
    must(tool, f"no check_symbols in {json.dumps(server)[:600]}")
    must(tool.get("annotations", {}).get("readOnlyHint") is True, f"it is not marked read-only: {tool.get('annotations')}")

with check("codex: a call in a thread of the project names the invented member"):
    thread = codex.ask("thread/start", {"cwd": PROJECT})["thread"]["id"]
    arguments = {"paths": ["drafts/invoice-draft.js"]}
    result = codex.ask("mcpServer/tool/call", {"threadId": thread, "server": "groundline", "tool": "check_symbols", "arguments": arguments})
    text = "\n".join(part.get("text", "") for part in result["content"])
    must(not result.get("isError") and WORDS in text, f"no {WORDS!r} in: {text}")

with check("codex: ends"):
    codex.close()
sys.exit(checks.n_failed > 0)
