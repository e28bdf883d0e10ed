import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

export interface BalancingProxy {
  readonly url: string;
  close(): Promise<void>;
}

interface Node {
  readonly url: string;
  readonly agent: Agent;
  isReady: boolean;
}

const LOOK_EVERY_MS = 100;

/** Sends requests to nodes that are ready, one after the other, over kept connections. It tries nothing twice: what a node loses is lost. */
export async function balancingProxy(urls: readonly string[]): Promise<BalancingProxy> {
  const nodes: Node[] = urls.map((url) => ({ url, agent: new Agent({ keepAlive: true }), isReady: false }));
  let turn = 0;

  async function look(node: Node): Promise<void> {
    try {
      const answer = await fetch(`${node.url}/readyz`, { headers: { connection: 'close' } });
      await answer.arrayBuffer();
      node.isReady = answer.ok;
    } catch {
      node.isReady = false;
    }
  }

  function passOn(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const ready = nodes.filter(({ isReady }) => isReady);
    const node = ready[turn++ % ready.length];
    if (node === undefined) return void outgoing.writeHead(502).end('no node is ready');
    const passed = request(`${node.url}${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers: incoming.headers,
      agent: node.agent,
    });
    passed.once('error', (error) => {
      // Until it says that it is ready again.
      node.isReady = false;
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end(`${node.url}: ${error.message}`);
    });
    passed.once('response', (answer) => {
      const { connection: _own, ...headers } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, headers);
      pipeline(answer, outgoing, () => undefined);
    });
    outgoing.once('close', () => passed.destroy());
    incoming.pipe(passed);
  }

  const server = createServer(passOn).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await Promise.all(nodes.map(look));
  const timer = setInterval(() => nodes.map(look), LOOK_EVERY_MS);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      clearInterval(timer);
      server.close();
      server.closeAllConnections();
      for (const { agent } of nodes) agent.destroy();
    },
  };
}
