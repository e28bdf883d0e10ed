"""A client of the tool server, written with the Python SDK. Prints what it saw as JSON.

    client.py stdio <program> <argument>…     the program gets this environment
    client.py http|sse <url> <user> <password>
"""

import asyncio
import base64
import json
import os
import sys
from contextlib import AsyncExitStack

import httpx2
from mcp import Client, ClientSession, StdioServerParameters
from mcp.client.sse import sse_client
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client


async def transport(kind, arguments, stack):
    if kind == "stdio":
        program, *rest = arguments
        return stdio_client(StdioServerParameters(command=program, args=rest, env=dict(os.environ)))
    url, user, password = arguments
    credentials = base64.b64encode(f"{user}:{password}".encode()).decode()
    headers = {"Authorization": f"Basic {credentials}"}
    if kind == "sse":
        return sse_client(url, headers=headers)
    http = await stack.enter_async_context(httpx2.AsyncClient(headers=headers))
    return streamable_http_client(url, http_client=http)


async def use(client):
    tools = await client.list_tools()
    saved = await client.call_tool("upsert_host", {"hostname": "from python", "account": "crm", "labels": {"a.b": 1}})
    shown = await client.call_tool("get_host", {"hostname": "from python"})
    refused = await client.call_tool("get_host", {"host": "x"})
    resource = await client.read_resource("service://hosts/from%20python")
    return {
        "tools": [tool.name for tool in tools.tools],
        "saved": saved.structured_content,
        "shown": shown.structured_content,
        "text": json.loads(shown.content[0].text),
        "refused": [refused.is_error, json.loads(refused.content[0].text)["code"]],
        "resource": json.loads(resource.contents[0].text),
    }


async def main():
    kind, *arguments = sys.argv[1:]
    async with AsyncExitStack() as stack:
        # With the handshake, as clients of today do it.
        streams = await stack.enter_async_context(await transport(kind, arguments, stack))
        session = await stack.enter_async_context(ClientSession(streams[0], streams[1]))
        await session.initialize()
        with_handshake = await use(session)
    async with AsyncExitStack() as stack:
        # As newer clients do it, which first ask for a later protocol.
        client = await stack.enter_async_context(Client(await transport(kind, arguments, stack)))
        with_probe = await use(client)
    print(json.dumps([with_handshake, with_probe]))


asyncio.run(main())
