import { createHash } from 'node:crypto';
import type { App } from '../src/main/compose.ts';
import type { JsonObject, RemoteObject } from '../src/ports/index.ts';
import { type Benchmark, timed } from './support/benchmark.ts';
import { inTurn, type Kit } from './support/kit.ts';
import { REGISTRY, registeredDevice, registryType, wantedDevice } from './support/registry.ts';

const ROUNDS = 3;

interface Args {
  readonly folder: string;
  readonly hosts: number;
}

/** Everything that the hosts want, as the system would give it. */
async function remoteOf(app: App): Promise<readonly RemoteObject[]> {
  const evaluator = await app.services.evaluators.forProject(null);
  const objects: RemoteObject[] = [];
  for await (const records of app.services.storage.hosts.scan({ scope: null, kind: 'hosts', state: 'active' }, 250)) {
    for (const record of records) {
      objects.push(registeredDevice(evaluator.evaluate(record, 'export'), objects.length));
    }
  }
  return objects;
}

async function* inPages(objects: readonly RemoteObject[]): AsyncGenerator<readonly RemoteObject[]> {
  for (let from = 0; from < objects.length; from += 1000) yield objects.slice(from, from + 1000);
}

async function opened({ folder }: Args): Promise<{ readonly app: App; readonly objects: readonly RemoteObject[] }> {
  const { openProduct } = await import('./support/product.ts');
  const app = await openProduct({ folder });
  const objects = await remoteOf(app);
  app.services.plugins.door('bench', app.services.logger, []).target(registryType(() => inPages(objects)));
  return { app, objects };
}

async function plan(app: App): Promise<void> {
  const { CALLER } = await import('./support/product.ts');
  const { makeStoredPlan } = await import('../src/app/exports/plans/operations/make-plan.ts');
  const { counts } = await app.executor.value(makeStoredPlan, { kind: 'value', value: { account: 'out' } }, CALLER);
  if (counts.create + counts.update + counts.conflict + counts.delete > 0) throw new Error(JSON.stringify(counts));
}

async function prepare(args: Args) {
  const { addBasics, addHosts, addRules, CALLER, openProduct } = await import('./support/product.ts');
  const { fiftyRules } = await import('./support/fifty-rules.ts');
  const { addAccount } = await import('../src/app/accounts/operations/add-account.ts');
  const app = await openProduct(args);
  await addBasics(app);
  await addHosts(app, args.hosts);
  await addRules(app, fiftyRules());
  await app.stop();
  const { app: again } = await opened(args);
  const account = { name: 'out', type: REGISTRY, settings: {} };
  await again.executor.value(addAccount, { kind: 'value', value: account }, CALLER);
  // The first one remembers what is ours.
  await plan(again);
  await again.stop();
  return {};
}

/** The hosts through the same rules, and a digest of each beside one that is remembered. */
async function floor(args: Args) {
  const { app, objects } = await opened(args);
  const digestOf = (fields: JsonObject): string =>
    createHash('sha256').update(JSON.stringify(fields)).digest('base64url');
  const remembered = new Map(objects.map(({ key, fields }) => [key, digestOf(fields)]));
  const figures = await timed(async () => {
    const evaluator = await app.services.evaluators.forProject(null);
    let different = 0;
    for await (const records of app.services.storage.hosts.scan({ scope: null, kind: 'hosts', state: 'active' }, 250)) {
      for (const record of records) {
        const { key, fields } = wantedDevice(evaluator.evaluate(record, 'export'));
        if (remembered.get(key) !== digestOf(fields)) different++;
      }
    }
    if (different > 0) throw new Error(`${different} differ`);
  });
  await app.stop();
  return figures;
}

async function product(args: Args) {
  const { app } = await opened(args);
  const figures = await timed(() => plan(app));
  await app.stop();
  return figures;
}

async function measureSize(kit: Kit, hosts: number): Promise<void> {
  const folder = await kit.folder();
  await kit.run('prepare', { folder, hosts });
  const runs = await inTurn(ROUNDS, {
    floor: () => kit.run('floor', { folder, hosts }),
    product: () => kit.run('product', { folder, hosts }),
  });
  const what = `${hosts.toLocaleString('en')} hosts, nothing to do`;
  const { ms = Number.NaN, cpuMs = Number.NaN, rssMb = Number.NaN } = runs.product;
  kit.row({ what, product: ms, floor: runs.floor.ms ?? Number.NaN, unit: 'ms', target: 2 });
  kit.row({ what: `${what}, processor time`, product: cpuMs, floor: runs.floor.cpuMs ?? Number.NaN, unit: 'ms' });
  kit.row({ what: `${what}, memory`, product: rssMb, floor: runs.floor.rssMb ?? Number.NaN, unit: 'MB' });
}

export const benchmark: Benchmark = {
  title: 'plan for a system that has all that hosts want; floor: the same rules, and a digest of each host compared',
  sides: { prepare, floor, product },
  async measure(kit) {
    await measureSize(kit, 10_000);
    await measureSize(kit, 100_000);
  },
};
