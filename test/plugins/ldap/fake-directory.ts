import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { BerReader, BerWriter, PagedResultsControl, PresenceFilter, SearchRequest } from 'ldapts';
import { afterEach } from 'vitest';
import { Framer } from '../../../src/plugins/ldap/framer.ts';

/** What a client asks: to log in, to encrypt, or to search. */
export interface Asked {
  readonly kind: 'bind' | 'extended' | 'search';
  readonly search?: SearchRequest;
  /** Of the page that is asked for. */
  readonly cookie?: string;
}

export interface EntryToGive {
  readonly dn: string;
  readonly attributes: Readonly<Record<string, readonly (string | Buffer)[]>>;
}

/** What is answered. */
export interface Given {
  readonly entries?: readonly EntryToGive[];
  readonly references?: readonly string[];
  readonly status?: number;
  readonly message?: string;
  readonly matched?: string;
  /** There are further pages. */
  readonly cookie?: string;
  /** Ends the connection instead of ending the answer. */
  readonly cut?: boolean;
  /** Says nothing more. */
  readonly silent?: boolean;
}

const servers = new Set<Server>();
const sockets = new Set<Socket>();

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await Promise.all([...servers].map((server) => new Promise((resolve) => server.close(resolve))));
  servers.clear();
});

export async function listenOn(serve: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    serve(socket);
  }).listen(0, '127.0.0.1');
  servers.add(server);
  await once(server, 'listening');
  return `ldap://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A directory on this machine that answers as a test says; a login succeeds, and there is no encryption, unless it says otherwise. */
export function fakeDirectory(answer: (asked: Asked) => Given | undefined): Promise<string> {
  return listenOn((socket) => {
    const framer = new Framer();
    socket.on('data', (piece: Buffer) => {
      for (const message of framer.push(piece)) {
        const { id, asked } = readMessage(message);
        if (asked !== undefined)
          give(socket, id, asked, answer(asked) ?? { status: asked.kind === 'extended' ? 2 : 0 });
      }
    });
  });
}

function readMessage(message: Buffer): { id: number; asked: Asked | undefined } {
  const reader = new BerReader(message);
  reader.readSequence();
  const id = reader.readInt() ?? 0;
  const kind = reader.readSequence();
  if (kind === 0x60) return { id, asked: { kind: 'bind' } };
  if (kind === 0x77) return { id, asked: { kind: 'extended' } };
  if (kind !== 0x63) return { id, asked: undefined };
  const search = new SearchRequest({ messageId: id, filter: new PresenceFilter({ attribute: 'x' }) });
  search.parse(reader, []);
  const page = search.controls?.find((control) => control instanceof PagedResultsControl);
  return { id, asked: { kind: 'search', search, cookie: page?.value?.cookie?.toString() ?? '' } };
}

const DONE = { bind: 0x61, extended: 0x78, search: 0x65 } as const;

function give(socket: Socket, id: number, { kind }: Asked, given: Given): void {
  for (const { dn, attributes } of given.entries ?? []) {
    send(socket, id, 0x64, (writer) => {
      writer.writeString(dn);
      writer.startSequence();
      for (const [name, values] of Object.entries(attributes)) {
        writer.startSequence();
        writer.writeString(name);
        writer.startSequence(0x31);
        for (const value of values) writer.writeBuffer(Buffer.from(value as string), 4);
        writer.endSequence();
        writer.endSequence();
      }
      writer.endSequence();
    });
  }
  for (const uri of given.references ?? []) send(socket, id, 0x73, (writer) => writer.writeString(uri));
  if (given.cut === true) socket.end();
  if (given.cut === true || given.silent === true) return;
  send(
    socket,
    id,
    DONE[kind],
    (writer) => {
      writer.writeEnumeration(given.status ?? 0);
      writer.writeString(given.matched ?? '');
      writer.writeString(given.message ?? '');
    },
    given.cookie,
  );
}

function send(socket: Socket, id: number, kind: number, write: (writer: BerWriter) => void, cookie?: string): void {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeInt(id);
  writer.startSequence(kind);
  write(writer);
  writer.endSequence();
  if (cookie !== undefined) {
    writer.startSequence(0xa0);
    new PagedResultsControl({ value: { size: 0, cookie: Buffer.from(cookie) } }).write(writer);
    writer.endSequence();
  }
  writer.endSequence();
  socket.write(writer.buffer);
}
