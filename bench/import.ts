import { readFileSync } from 'node:fs';
import { type Benchmark, timed } from './support/benchmark.ts';
import { writeCsv } from './support/hosts.ts';
import { inTurn, type Kit, MUSTER } from './support/kit.ts';

const ROUNDS = 3;
const FIRST = 3;
const UNCHANGED = 2.5;

interface Files {
  readonly folder: string;
  readonly csv: string;
}

/** The file as a whole, cut at line ends and commas, and one transaction. */
async function floor({ folder, csv }: Files) {
  const { RawStore } = await import('./support/raw-store.ts');
  return timed(() => {
    const [head = '', ...lines] = readFileSync(csv, 'utf8').split('\n');
    const keys = head.split(',');
    const hosts = lines
      .filter((line) => line !== '')
      .map((line) => {
        const cells = line.split(',');
        const labels: Record<string, string> = {};
        for (let index = 1; index < keys.length; index++) labels[keys[index] as string] = cells[index] ?? '';
        return { hostname: cells[0] as string, labels };
      });
    const store = new RawStore(`${folder}/floor.db`);
    store.save(hosts);
    store.database.close();
  });
}

async function prepare({ folder, csv }: Files) {
  const { addBasics, openProduct } = await import('./support/product.ts');
  const app = await openProduct({ folder });
  await addBasics(app, csv);
  await app.stop();
  return {};
}

async function product({ folder }: Files) {
  const { ACCOUNT, CALLER, openProduct } = await import('./support/product.ts');
  const { importAccount } = await import('../src/app/runs/import/operations/import-account.ts');
  const app = await openProduct({ folder });
  const figures = await timed(async () => {
    const { summary } = await app.executor.value(importAccount, { kind: 'value', value: { account: ACCOUNT } }, CALLER);
    if (summary.created + summary.unchanged !== summary.seen) throw new Error(JSON.stringify(summary));
  });
  await app.stop();
  return figures;
}

async function measureSize(kit: Kit, count: number): Promise<number> {
  const csv = `${await kit.folder()}/hosts.csv`;
  await writeCsv(csv, count);
  const folders: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const folder = await kit.folder();
    folders.push(folder);
    await kit.run('prepare', { folder, csv });
  }
  const files = (round: number): Files => ({ folder: folders[round] as string, csv });
  const runs = await inTurn(ROUNDS, {
    floorFirst: (round) => kit.run('floor', files(round)),
    productFirst: (round) => kit.run('product', files(round)),
    floorAgain: (round) => kit.run('floor', files(round)),
    productAgain: (round) => kit.run('product', files(round)),
    command: (round) =>
      kit.program([MUSTER, '--database-url', `sqlite:${files(round).folder}/muster.db`, 'import', 'cmdb'], {
        cwd: files(round).folder,
      }),
  });
  const { floorFirst, productFirst, floorAgain, productAgain, command } = runs;
  const figure = (run: Readonly<Record<string, number>>, name: string): number => run[name] ?? Number.NaN;
  const row = (what: string, name: string, product: object, floor: object, target?: number): void =>
    kit.row({
      what: `${count.toLocaleString('en')} hosts, ${what}`,
      product: figure(product as Record<string, number>, name),
      floor: figure(floor as Record<string, number>, name),
      unit: 'ms',
      ...(target === undefined ? {} : { target }),
    });
  row('first', 'ms', productFirst, floorFirst, FIRST);
  row('first, processor time', 'cpuMs', productFirst, floorFirst);
  row('unchanged', 'ms', productAgain, floorAgain, UNCHANGED);
  row('unchanged, processor time', 'cpuMs', productAgain, floorAgain);
  row('unchanged, as command', 'wallMs', command, floorAgain);
  return figure(productFirst, 'rssMb');
}

/** Caches are full after some ten thousand hosts; what comes behind must not add to them. */
async function memoryOf(kit: Kit, count: number): Promise<number> {
  const folder = await kit.folder();
  const csv = `${folder}/hosts.csv`;
  await writeCsv(csv, count);
  await kit.run('prepare', { folder, csv });
  const { rssMb = Number.NaN } = await kit.run('product', { folder, csv });
  return rssMb;
}

export const benchmark: Benchmark = {
  title: 'import of a CSV file with 20 labels a host; floor: split and one transaction of upserts by hand',
  sides: { floor, prepare, product },
  async measure(kit) {
    const small = await measureSize(kit, 10_000);
    const large = await measureSize(kit, 100_000);
    const huge = await memoryOf(kit, 400_000);
    kit.row({ what: 'memory, 100,000 beside 10,000 hosts', product: large, floor: small, unit: 'MB' });
    kit.row({ what: 'memory, 400,000 beside 100,000 hosts', product: huge, floor: large, unit: 'MB', target: 1.2 });
  },
};
