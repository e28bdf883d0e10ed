import type { App } from '../src/main/compose.ts';
import type { RemoteObject } from '../src/ports/index.ts';
import { type Benchmark, timed } from './support/benchmark.ts';
import type { Kit } from './support/kit.ts';
import { REGISTRY, registeredDevice, registryType } from './support/registry.ts';

/** Each beside the one before. The smallest does not fill the room that tables of plans have in memory. */
const SIZES = [100_000, 400_000, 1_000_000];
const MOST_RATIO = 1.3;
/** Else V8 leaves as much lying about as it likes, and the figure says more of the machine than of the program. */
const HEAP = '--max-old-space-size=256';
const AT_ONCE = 1000;

interface Args {
  readonly folder: string;
  readonly hosts: number;
  /** Whether the system has what the hosts want, or nothing. */
  readonly isThere?: boolean;
}

/** Everything that the hosts want, as the system would give it: made while it is read, so that only the program keeps something. */
async function* remoteOf(app: App): AsyncGenerator<readonly RemoteObject[]> {
  const evaluator = await app.services.evaluators.forProject(null);
  let count = 0;
  for await (const records of app.services.storage.hosts.scan(
    { scope: null, kind: 'hosts', state: 'active' },
    AT_ONCE,
  )) {
    yield records.map((record) => registeredDevice(evaluator.evaluate(record, 'export'), count++));
  }
}

async function* nothing(): AsyncGenerator<readonly RemoteObject[]> {}

async function opened({ folder, isThere = false }: Args): Promise<App> {
  const { openProduct } = await import('./support/product.ts');
  const app = await openProduct({ folder });
  app.services.plugins
    .door('bench', app.services.logger, [])
    .target(registryType(() => (isThere ? remoteOf(app) : nothing())));
  return app;
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
  const again = await opened(args);
  const account = { name: 'out', type: REGISTRY, settings: {} };
  await again.executor.value(addAccount, { kind: 'value', value: account }, CALLER);
  await again.stop();
  return {};
}

async function plan(args: Args) {
  const { CALLER } = await import('./support/product.ts');
  const { makeStoredPlan } = await import('../src/app/exports/plans/operations/make-plan.ts');
  const app = await opened(args);
  const figures = await timed(async () => {
    const { counts } = await app.executor.value(makeStoredPlan, { kind: 'value', value: { account: 'out' } }, CALLER);
    const { create, unchanged } = counts;
    const expected =
      args.isThere === true ? { create: 0, unchanged: args.hosts } : { create: args.hosts, unchanged: 0 };
    if (create !== expected.create || unchanged !== expected.unchanged) throw new Error(JSON.stringify(counts));
  });
  await app.stop();
  return figures;
}

async function measure(kit: Kit): Promise<void> {
  const before = new Map<string, number>();
  for (const hosts of SIZES) {
    const folder = await kit.folder();
    await kit.run('prepare', { folder, hosts });
    for (const [what, isThere] of [
      ['all to be made', false],
      ['nothing to do, remembered for the first time', true],
      ['nothing to do', true],
    ] as const) {
      const { ms = Number.NaN, rssMb = Number.NaN } = await kit.run('plan', { folder, hosts, isThere }, [HEAP]);
      const title = `${hosts.toLocaleString('en')} hosts, ${what}`;
      const fewer = before.get(what);
      kit.row({ what: title, product: ms, unit: 'ms' });
      const compared = fewer === undefined ? {} : { floor: fewer, target: MOST_RATIO };
      kit.row({ what: `${title}, memory`, product: rssMb, unit: 'MB', ...compared });
      before.set(what, rssMb);
    }
  }
}

export const benchmark: Benchmark = {
  title: 'memory of a plan for a million hosts, beside fewer; all with a heap of 256 MB at most',
  sides: { prepare, plan },
  measure,
};
