import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach } from 'vitest';

/** What a batch is answered with: rows of texts and whole numbers, an error, nothing more, or the end of the connection. */
export interface Answered {
  readonly columns?: readonly string[];
  readonly rows?: Iterable<readonly (string | bigint | null)[]>;
  readonly error?: { readonly number: number; readonly message: string };
  readonly end?: 'cut' | 'silent';
}

export interface FakeSqlServer {
  readonly port: number;
  /** The batches, and what was done with transactions. */
  readonly asked: readonly string[];
}

const servers = new Set<Server>();
const sockets = new Set<Socket>();

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await Promise.all([...servers].map((server) => new Promise((resolve) => server.close(resolve))));
  servers.clear();
});

const PACKET = { batch: 0x01, answer: 0x04, attention: 0x06, transaction: 0x0e, login: 0x10, prelogin: 0x12 };
const LAST = 0x01;

/** As much of SQL Server's protocol (TDS 7.4) as an import needs; it offers no encryption. */
export async function fakeSqlServer(
  answer: (batch: string) => Answered,
  loginError?: Answered['error'],
): Promise<FakeSqlServer> {
  const asked: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let collected = Buffer.alloc(0);
    let message: Buffer[] = [];
    socket.on('data', (piece: Buffer) => {
      collected = Buffer.concat([collected, piece]);
      while (collected.length >= 8 && collected.length >= collected.readUInt16BE(2)) {
        const length = collected.readUInt16BE(2);
        const [type = 0, status = 0] = collected;
        message.push(collected.subarray(8, length));
        collected = collected.subarray(length);
        if ((status & LAST) === 0) continue;
        const whole = Buffer.concat(message);
        message = [];
        handle(socket, type, whole);
      }
    });
  }).listen(0, '127.0.0.1');

  function handle(socket: Socket, type: number, message: Buffer): void {
    if (type === PACKET.prelogin) send(socket, prelogin());
    else if (type === PACKET.login)
      send(socket, loginError === undefined ? Buffer.concat([loginAck(), done()]) : failed(loginError));
    else if (type === PACKET.transaction) {
      const kind = message.readUInt16LE(22);
      asked.push(kind === 5 ? 'BEGIN' : kind === 8 ? 'ROLLBACK' : `transaction ${kind}`);
      send(socket, Buffer.concat([transactionChange(kind === 5), done()]));
    } else if (type === PACKET.batch) {
      const batch = message.subarray(message.readUInt32LE(0)).toString('utf16le');
      // What the driver sets at the beginning.
      if (/^set /i.test(batch)) send(socket, done());
      else {
        asked.push(batch);
        void give(socket, answer(batch));
      }
    } else if (type === PACKET.attention) {
      asked.push('ATTENTION');
      send(socket, done(0x20));
    }
  }

  servers.add(server);
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, asked };
}

async function give(socket: Socket, { columns = [], rows = [], error, end }: Answered): Promise<void> {
  if (end === 'silent') return;
  const names = [...columns];
  let started = false;
  for (const row of rows) {
    const isFirst = !started;
    started = true;
    const head = isFirst ? metadata(names, row) : Buffer.alloc(0);
    if (!write(socket, Buffer.concat([head, cells(row)]), false)) await once(socket, 'drain').catch(() => undefined);
  }
  if (!started && names.length > 0) write(socket, metadata(names, names.map(String)), false);
  if (end === 'cut') socket.end();
  else send(socket, error === undefined ? done(0x10) : failed(error));
}

function send(socket: Socket, data: Buffer): void {
  write(socket, data, true);
}

function write(socket: Socket, data: Buffer, isLast: boolean): boolean {
  let goesOn = true;
  for (let at = 0; at === 0 || at < data.length; at += 4000) {
    const part = data.subarray(at, at + 4000);
    const head = Buffer.alloc(8);
    head[0] = PACKET.answer;
    head[1] = isLast && at + 4000 >= data.length ? LAST : 0;
    head.writeUInt16BE(8 + part.length, 2);
    goesOn = socket.write(Buffer.concat([head, part]));
  }
  return goesOn;
}

/** Version 15, and no encryption. */
function prelogin(): Buffer {
  const options = Buffer.from([0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff]);
  return Buffer.concat([options, Buffer.from([15, 0, 0, 0, 0, 0]), Buffer.from([2])]);
}

function loginAck(): Buffer {
  const body = Buffer.concat([Buffer.from([1, 0x74, 0, 0, 4]), short('fake'), Buffer.from([15, 0, 0, 0])]);
  return Buffer.concat([Buffer.from([0xad]), u16(body.length), body]);
}

function transactionChange(begins: boolean): Buffer {
  const id = Buffer.from([8, 1, 0, 0, 0, 0, 0, 0, 0]);
  const body = begins
    ? Buffer.concat([Buffer.from([8]), id, Buffer.from([0])])
    : Buffer.concat([Buffer.from([10, 0]), id]);
  return Buffer.concat([Buffer.from([0xe3]), u16(body.length), body]);
}

function done(status = 0): Buffer {
  return Buffer.concat([Buffer.from([0xfd]), u16(status), u16(0), Buffer.alloc(8)]);
}

function failed({ number, message }: NonNullable<Answered['error']>): Buffer {
  const head = Buffer.alloc(6);
  head.writeInt32LE(number, 0);
  head[4] = 1;
  head[5] = 16;
  const text = Buffer.concat([u16(message.length), Buffer.from(message, 'utf16le')]);
  const body = Buffer.concat([head, text, short('fake'), short(''), Buffer.from([1, 0, 0, 0])]);
  return Buffer.concat([Buffer.from([0xaa]), u16(body.length), body, done(0x02)]);
}

function metadata(names: readonly string[], row: readonly (string | bigint | null)[]): Buffer {
  const columns = names.map((name, index) => {
    const type =
      typeof row[index] === 'bigint' ? Buffer.from([0x26, 8]) : Buffer.from([0xe7, 0x40, 0x1f, 9, 4, 0xd0, 0, 52]);
    return Buffer.concat([Buffer.alloc(4), u16(1), type, short(name)]);
  });
  return Buffer.concat([Buffer.from([0x81]), u16(names.length), ...columns]);
}

function cells(row: readonly (string | bigint | null)[]): Buffer {
  const values = row.map((value) => {
    if (value === null) return u16(0xffff);
    if (typeof value === 'string') return Buffer.concat([u16(value.length * 2), Buffer.from(value, 'utf16le')]);
    const number = Buffer.alloc(9);
    number[0] = 8;
    number.writeBigInt64LE(value, 1);
    return number;
  });
  return Buffer.concat([Buffer.from([0xd1]), ...values]);
}

function short(text: string): Buffer {
  return Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'utf16le')]);
}

function u16(number: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(number);
  return bytes;
}
