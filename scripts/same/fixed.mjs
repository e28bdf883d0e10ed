// Loaded before the program (`--import`), so that two runs give the same bytes: the clock stands at MUSTER_SAME_NOW, and identifiers
// are counted, which is why each process has a time of its own. Keys and salts are counted too: never use it for anything else.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { threadId } from 'node:worker_threads';

const begun = Date.parse(process.env.MUSTER_SAME_NOW);
const RealDate = Date;
const now = () => begun;

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(now());
    else super(...args);
  }

  static now() {
    return now();
  }
};

let count = threadId * 1e9;

function fill(bytes) {
  for (let at = 0; at < bytes.length; at += 32) {
    count += 1;
    const block = crypto.createHash('sha256').update(`${begun} ${count}`).digest();
    block.copy(bytes, at, 0, Math.min(32, bytes.length - at));
  }
  return bytes;
}

crypto.randomBytes = (size, done) => {
  const bytes = fill(Buffer.alloc(size));
  if (done === undefined) return bytes;
  process.nextTick(done, null, bytes);
};
crypto.randomFillSync = (view) => {
  fill(Buffer.from(view.buffer, view.byteOffset, view.byteLength));
  return view;
};
crypto.randomUUID = () => {
  const hex = fill(Buffer.alloc(16)).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
};
crypto.webcrypto.getRandomValues = (view) => crypto.randomFillSync(view);
globalThis.crypto.randomUUID = crypto.randomUUID;
Math.random = () => fill(Buffer.alloc(4)).readUInt32BE() / 2 ** 32;
syncBuiltinESMExports();
