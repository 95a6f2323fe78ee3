"""Stands between a client and a server on HTTP and keeps what was said, as wire.sh does on stdio: LOG.in what clients wrote,
LOG.out what the server wrote, heads and bodies as they went over the wire. Its own port is in LOG.port once it listens; it runs
until it is ended.

usage: wire_http.py LOG PORT      PORT is the server's, on this machine
"""

import asyncio
import os
import sys
from pathlib import Path

LOG, PORT = sys.argv[1], int(sys.argv[2])


async def copy(source, target, kept):
    try:
        while piece := await source.read(1 << 16):
            kept.write(piece)
            kept.flush()
            target.write(piece)
            await target.drain()
    except ConnectionError:
        pass
    finally:
        target.close()


async def pass_on(from_client, to_client):
    from_server, to_server = await asyncio.open_connection("127.0.0.1", PORT)
    with open(f"{LOG}.in", "ab") as said, open(f"{LOG}.out", "ab") as answered:
        await asyncio.gather(copy(from_client, to_server, said), copy(from_server, to_client, answered))


async def main():
    listening = await asyncio.start_server(pass_on, "127.0.0.1", 0)
    # Whoever waits for the port reads it whole.
    Path(f"{LOG}.port.new").write_text(str(listening.sockets[0].getsockname()[1]))
    os.replace(f"{LOG}.port.new", f"{LOG}.port")
    await listening.serve_forever()


asyncio.run(main())
