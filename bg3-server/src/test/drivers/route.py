"""One WebSocket address in front of several BG3 servers, which TinkerPop's suites of drivers expect.

The suites ask one server for several graphs, by the name of a traversal source such as 'gmodern'. A BG3 server has one
graph, named 'g'. This passes each request to the server of the source that it names, under the name 'g'.

usage: route.py PORT SOURCE=PORT...
"""

import asyncio
import sys

from aiohttp import ClientSession, WSMsgType, web


def renamed(message, sources):
    """The source that a request names, None if it names none of them, and the request with 'g' in its place."""
    for source in sources:
        name = source.encode()
        in_json = b'"' + name + b'"'
        in_binary = len(name).to_bytes(4, 'big') + name
        if in_json in message or in_binary in message:
            return source, message.replace(in_json, b'"g"').replace(in_binary, b'\0\0\0\1g')
    return None, message


class Route:
    """The servers behind one connection of a client; each is connected when it is first named."""

    def __init__(self, client, session, ports):
        self.client = client
        self.session = session
        self.ports = ports
        self.servers = {}
        self.answers = []

    async def run(self):
        async for message in self.client:
            if message.type == WSMsgType.BINARY:
                source, request = renamed(message.data, self.ports)
                await (await self.server(source)).send_bytes(request)
        for server in self.servers.values():
            await server.close()
        await asyncio.gather(*self.answers)

    async def server(self, source):
        if source is None:
            raise web.HTTPBadRequest(text='the request names no source of ' + ', '.join(self.ports))
        if source not in self.servers:
            url = f'ws://127.0.0.1:{self.ports[source]}/gremlin'
            self.servers[source] = await self.session.ws_connect(url, max_msg_size=0)
            self.answers.append(asyncio.create_task(self.answer(self.servers[source])))
        return self.servers[source]

    async def answer(self, server):
        async for message in server:
            if message.type == WSMsgType.BINARY:
                await self.client.send_bytes(message.data)
            elif message.type == WSMsgType.TEXT:
                await self.client.send_str(message.data)
        if not self.client.closed:
            await self.client.close(code=server.close_code or 1011)


async def start(port, ports):
    session = ClientSession()

    async def connected(request):
        client = web.WebSocketResponse(max_msg_size=0)
        await client.prepare(request)
        await Route(client, session, ports).run()
        return client

    application = web.Application()
    application.router.add_get('/gremlin', connected)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, '127.0.0.1', port).start()
    print('routing', ', '.join(ports), 'at port', port, flush=True)
    await asyncio.Event().wait()


if __name__ == '__main__':
    asyncio.run(start(int(sys.argv[1]), dict(pair.split('=') for pair in sys.argv[2:])))
