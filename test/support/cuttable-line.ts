import { once } from 'node:events';
import { type AddressInfo, createServer, connect as openSocket, type Socket } from 'node:net';
import { Transform } from 'node:stream';

export interface CuttableLine {
  /** The address of the server by this line. */
  readonly url: string;
  readonly port: number;
  /** Drops every connection and takes no new ones, as a stopped server does. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** From now on what is sent either way arrives so many milliseconds later. */
  delay(milliseconds: number): void;
  /** Connections of now take so many more bytes of a client and then none, and nobody is told: as where a path has died. */
  choke(bytes: number): void;
  /** How many connections clients have. */
  connections(): number;
  close(): Promise<void>;
}

/** A line to the server that can be cut without stopping the server. */
export async function cuttableLine(serverUrl: string): Promise<CuttableLine> {
  const url = new URL(serverUrl);
  const [host, port] = [url.hostname, Number(url.port || 27017)];
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  /** What a choked connection still takes. */
  const room = new WeakMap<Socket, number>();
  let delayMs = 0;
  const line = createServer((client) => {
    const server = openSocket(port, host);
    clients.add(client);
    client.on('close', () => clients.delete(client));
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket);
      pipeLate(socket, other, (bytes) => {
        const left = room.get(socket);
        if (left !== undefined) room.set(socket, left - bytes);
        return left !== undefined && left < bytes ? Number.POSITIVE_INFINITY : delayMs;
      });
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });

  async function listen(on: number): Promise<number> {
    line.listen(on, '127.0.0.1');
    await once(line, 'listening');
    return (line.address() as AddressInfo).port;
  }

  async function cut(): Promise<void> {
    if (!line.listening) return;
    const closed = once(line, 'close');
    line.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  const own = await listen(0);
  url.host = `127.0.0.1:${own}`;
  // Otherwise a replica set would name its own addresses, past the line.
  if (url.protocol === 'mongodb:') url.searchParams.set('directConnection', 'true');
  return {
    url: url.href,
    port: own,
    cut,
    async mend() {
      await listen(own);
    },
    delay(milliseconds) {
      delayMs = milliseconds;
    },
    choke(bytes) {
      for (const client of clients) room.set(client, bytes);
    },
    connections: () => clients.size,
    close: cut,
  };
}

/** As `pipe`, in the order of arrival. What has to wait for ever is not passed on, nor is what follows. */
function pipeLate(from: Socket, to: Socket, delayOf: (bytes: number) => number): void {
  const late = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const delayMs = delayOf(chunk.length);
      if (delayMs === 0) done(null, chunk);
      else if (Number.isFinite(delayMs)) setTimeout(() => done(null, chunk), delayMs);
    },
  });
  late.on('error', () => to.destroy());
  from.pipe(late).pipe(to);
}
