import { createHash, type Hash } from 'node:crypto';
import { type Benchmark, timed } from './support/benchmark.ts';
import { inTurn, type Kit } from './support/kit.ts';

const ROUNDS = 3;

interface Args {
  readonly folder: string;
  readonly hosts: number;
  /** Also hashes the document; the time counts for nothing then. */
  readonly hash?: boolean;
}

function sink(hash: boolean | undefined): {
  write(text: string | Uint8Array): void;
  figures(): { bytes: number; sum: number };
} {
  const digest: Hash | undefined = hash === true ? createHash('sha256') : undefined;
  let bytes = 0;
  return {
    write(text) {
      // As whoever sends it would: text becomes bytes.
      const encoded = Buffer.from(text as string);
      bytes += encoded.length;
      digest?.update(encoded);
    },
    figures: () => ({ bytes, sum: digest === undefined ? 0 : digest.digest().readUIntBE(0, 6) }),
  };
}

async function prepare({ folder, hosts }: Args) {
  const { addBasics, addHosts, addRules, openProduct } = await import('./support/product.ts');
  const { fiftyRules } = await import('./support/fifty-rules.ts');
  const app = await openProduct({ folder });
  await addBasics(app);
  await addHosts(app, hosts);
  await addRules(app, fiftyRules());
  await app.stop();
  return {};
}

async function floor({ folder, hash }: Args) {
  const { inventoryByHand } = await import('./support/inventory-by-hand.ts');
  const { write, figures } = sink(hash);
  const time = await timed(() => inventoryByHand(`${folder}/muster.db`, write));
  return { ...time, ...figures() };
}

async function product({ folder, hash }: Args) {
  const { CALLER, openProduct } = await import('./support/product.ts');
  const { renderInventory } = await import('../src/app/inventory/operations/render-inventory.ts');
  const app = await openProduct({ folder });
  const { write, figures } = sink(hash);
  const time = await timed(async () => {
    const input = { kind: 'value' as const, value: { provider: 'automation' } };
    const answer = await app.executor.stream(renderInventory, input, CALLER);
    for await (const chunk of answer.body) write(chunk);
  });
  const failures = await app.services.evaluators.failures();
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
  await app.stop();
  return { ...time, ...figures() };
}

async function measureSize(kit: Kit, hosts: number): Promise<void> {
  const folder = await kit.folder();
  await kit.run('prepare', { folder, hosts });
  if (hosts === 1000) {
    const [left, right] = [
      await kit.run('floor', { folder, hosts, hash: true }),
      await kit.run('product', { folder, hosts, hash: true }),
    ];
    if (left.sum !== right.sum) throw new Error(`the documents differ: ${left.bytes} and ${right.bytes} bytes`);
    kit.note('both sides make the same document, byte for byte');
  }
  const runs = await inTurn(ROUNDS, {
    floor: () => kit.run('floor', { folder, hosts }),
    product: () => kit.run('product', { folder, hosts }),
  });
  const what = `${hosts.toLocaleString('en')} hosts`;
  const { ms = 0, cpuMs = 0, rssMb = 0 } = runs.product;
  kit.row({ what, product: ms, floor: runs.floor.ms ?? 0, unit: 'ms', ...(hosts < 10_000 ? {} : { target: 2 }) });
  kit.row({ what: `${what}, processor time`, product: cpuMs, floor: runs.floor.cpuMs ?? 0, unit: 'ms' });
  if (hosts === 100_000) kit.row({ what: `${what}, memory`, product: rssMb, unit: 'MB', target: 300 });
}

export const benchmark: Benchmark = {
  title: 'inventory through 50 rules, 5 of them with templates; floor: the same rules by hand as closures',
  sides: { prepare, floor, product },
  async measure(kit) {
    for (const hosts of [1000, 10_000, 100_000]) await measureSize(kit, hosts);
  },
};
