import { type Benchmark, timed } from './support/benchmark.ts';
import { writeCsv } from './support/hosts.ts';
import type { Kit } from './support/kit.ts';
import { firstByte, Server, serveProduct } from './support/service.ts';

/** All that is done with hosts, with a million of them: `MILLION_HOSTS=100000 npm run bench -- million` for a first look. */
const HOSTS = Number(process.env.MILLION_HOSTS ?? 1_000_000);
const PAGE = 10_000;

interface Args {
  readonly folder: string;
  readonly csv: string;
}

async function prepare({ folder, csv }: Args) {
  const { addBasics, openProduct } = await import('./support/product.ts');
  const app = await openProduct({ folder });
  await addBasics(app, csv);
  await app.stop();
  return {};
}

async function importAll({ folder }: Args) {
  const { ACCOUNT, CALLER, openProduct } = await import('./support/product.ts');
  const { importAccount } = await import('../src/app/runs/import/operations/import-account.ts');
  const app = await openProduct({ folder });
  const figures = await timed(async () => {
    const { summary } = await app.executor.value(importAccount, { kind: 'value', value: { account: ACCOUNT } }, CALLER);
    if (summary.created + summary.unchanged !== HOSTS) throw new Error(JSON.stringify(summary));
  });
  await app.stop();
  return figures;
}

/** Page after page, as a client follows the links. */
async function listAll({ folder }: Args) {
  const { CALLER, openProduct } = await import('./support/product.ts');
  const { listHosts } = await import('../src/app/hosts/operations/list-hosts.ts');
  const app = await openProduct({ folder });
  const figures = await timed(async () => {
    for (let start = 0; start < HOSTS; start += PAGE) {
      const answer = await app.executor.stream(listHosts, { kind: 'value', value: { start, limit: PAGE } }, CALLER);
      let length = 0;
      for await (const chunk of answer.body) length += chunk.length;
      if (length < PAGE) throw new Error(`a page of ${length} characters`);
    }
  });
  await app.stop();
  return figures;
}

async function searchOne({ folder }: Args) {
  const { CALLER, openProduct } = await import('./support/product.ts');
  const { searchHosts } = await import('../src/app/search/operations/search-hosts.ts');
  const app = await openProduct({ folder });
  const query = { where: `serial:SN${(HOSTS - 5) * 7919}`, limit: 50, inventory: false };
  const figures = await timed(async () => {
    let found = 0;
    let next: string | null = null;
    do {
      const value: object = next === null ? query : { ...query, after: next };
      const page: { readonly hosts: readonly unknown[]; readonly next: string | null } = await app.executor.value(
        searchHosts,
        { kind: 'value', value },
        CALLER,
      );
      found += page.hosts.length;
      next = page.next;
    } while (next !== null);
    if (found !== 1) throw new Error(`${found} hosts were found`);
  });
  await app.stop();
  return figures;
}

async function serveInventory({ folder }: Args) {
  const { CALLER, openProduct } = await import('./support/product.ts');
  const { renderInventory } = await import('../src/app/inventory/operations/render-inventory.ts');
  const app = await openProduct({ folder });
  const figures = await timed(async () => {
    const input = { kind: 'value' as const, value: { provider: 'automation' } };
    const answer = await app.executor.stream(renderInventory, input, CALLER);
    let length = 0;
    for await (const chunk of answer.body) length += chunk.length;
    if (length < HOSTS * 100) throw new Error(`an inventory of ${length} characters`);
  });
  await app.stop();
  return figures;
}

function serve({ folder }: Args) {
  return serveProduct(folder);
}

/** Of a service that has rendered nothing yet, milliseconds; the first of it needs its thread, and what rules say. */
async function firstBytes(kit: Kit, folder: string): Promise<readonly number[]> {
  const { AUTHORIZATION } = await import('./support/product.ts');
  const server = await Server.start(kit, 'serve', { folder });
  const ms: number[] = [];
  for (let index = 0; index < 3; index++) {
    ms.push(await firstByte(`${server.address}/api/v1/inventory/automation/automation`, AUTHORIZATION));
  }
  await server.stop();
  return ms;
}

async function backUpAll({ folder }: Args) {
  const { CALLER, openProduct } = await import('./support/product.ts');
  const { backUp } = await import('../src/app/backups/operations/back-up.ts');
  const app = await openProduct({ folder });
  const value = { file: `${folder}/backup.gz` };
  const figures = await timed(() => app.executor.value(backUp, { kind: 'value', value }, CALLER));
  await app.stop();
  return figures;
}

async function lookForDamage({ folder }: Args) {
  const { openProduct } = await import('./support/product.ts');
  const app = await openProduct({ folder });
  const figures = await timed(() => app.services.damageWatch.look());
  if (app.services.damageWatch.isDamaged) throw new Error('there is damage');
  await app.stop();
  return figures;
}

/** In the order in which they run, each in a process of its own. */
const STEPS = [
  ['import from CSV, first', 'importAll'],
  ['import from CSV, unchanged', 'importAll'],
  [`list, in pages of ${PAGE.toLocaleString('en')}`, 'listAll'],
  ['search for one by a label', 'searchOne'],
  ['inventory of all', 'serveInventory'],
  ['backup', 'backUpAll'],
  ['look for damage', 'lookForDamage'],
] as const;

export const benchmark: Benchmark = {
  title: `${HOSTS.toLocaleString('en')} hosts of 20 labels in SQLite: time and memory of each thing that is done with all of them`,
  sides: { prepare, importAll, listAll, searchOne, serveInventory, serve, backUpAll, lookForDamage },
  async measure(kit: Kit) {
    const folder = await kit.folder();
    const csv = `${folder}/hosts.csv`;
    await writeCsv(csv, HOSTS);
    await kit.run('prepare', { folder, csv });
    for (const [what, side] of STEPS) {
      const { ms = Number.NaN, rssMb = Number.NaN } = await kit.run(side, { folder, csv });
      kit.row({ what, product: ms, unit: 'ms' });
      kit.row({ what: `${what}, memory at most`, product: rssMb, unit: 'MB' });
    }
    const [first = Number.NaN, ...next] = await firstBytes(kit, folder);
    kit.row({ what: 'inventory over HTTP, first byte', product: Math.min(...next), unit: 'ms', target: 200 });
    kit.row({ what: 'inventory over HTTP, first byte after the start', product: first, unit: 'ms' });
  },
};
