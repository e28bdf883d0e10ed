import { once } from 'node:events';
import { type AddressInfo, createServer, connect as openSocket, type Socket } from 'node:net';
import { Transform } from 'node:stream';

export interface CuttableLine {
  readonly url: string;
  /** Drops every connection and takes no new ones, as a stopped server does. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** From now on what is sent either way arrives so many milliseconds later. */
  delay(milliseconds: number): void;
  close(): Promise<void>;
}

/** A line to the server that can be cut without stopping the server. */
export async function cuttableLine(serverUrl: string): Promise<CuttableLine> {
  const address = /\/\/(?:[^@/]+@)?([^/:?]+):(\d+)/.exec(serverUrl);
  const [host, port] = [address?.[1] ?? '127.0.0.1', Number(address?.[2] ?? 27017)];
  const sockets = new Set<Socket>();
  let delayMs = 0;
  const line = createServer((client) => {
    const server = openSocket(port, host);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket);
      pipeLate(socket, other, () => delayMs);
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
  return {
    url: `mongodb://127.0.0.1:${own}/?directConnection=true`,
    cut,
    async mend() {
      await listen(own);
    },
    delay(milliseconds) {
      delayMs = milliseconds;
    },
    close: cut,
  };
}

/** As `pipe`, in the order of arrival. */
function pipeLate(from: Socket, to: Socket, delayMs: () => number): void {
  const late = new Transform({
    transform(chunk, _encoding, done) {
      if (delayMs() === 0) done(null, chunk);
      else setTimeout(() => done(null, chunk), delayMs());
    },
  });
  late.on('error', () => to.destroy());
  from.pipe(late).pipe(to);
}
