import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Benchmark, timed } from './support/benchmark.ts';
import { hostnameOf, labelsOf } from './support/hosts.ts';
import { inTurn, type Kit } from './support/kit.ts';

const PAGE = 1_000;
const ROUNDS = 5;
const TARGET = 1.5;
/** Caches and the young generation are full after some ten thousand records. */
const FLAT = 1.3;

interface Args {
  readonly address: string;
  readonly count: number;
}

/** A system that has its pages ready, so that both sides wait for the line and not for it. */
async function server({ count }: { readonly count: number }): Promise<never> {
  const pages = Array.from({ length: count / PAGE + 1 }, (_, page) => {
    const hosts = Array.from({ length: page * PAGE < count ? PAGE : 0 }, (_, index) => {
      const at = page * PAGE + index;
      return { host: hostnameOf(at), ...labelsOf(at) };
    });
    return Buffer.from(JSON.stringify({ total: count, hosts }));
  });
  const listener = createServer((request, response) => {
    const start = Number(new URL(request.url ?? '', 'http://localhost').searchParams.get('start') ?? 0);
    response.writeHead(200, { 'content-type': 'application/json' }).end(pages[start / PAGE]);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  process.send?.(`http://127.0.0.1:${(listener.address() as AddressInfo).port}`);
  return new Promise(() => undefined);
}

/** Every page, one after the other, and nothing done with it. */
async function floor({ address, count }: Args) {
  let seen = 0;
  const figures = await timed(async () => {
    while (seen < count) {
      const answer = await fetch(`${address}/hosts?limit=${PAGE}&start=${seen}`);
      const { hosts } = JSON.parse(await answer.text()) as { hosts: readonly object[] };
      seen += hosts.length;
    }
  });
  return figures;
}

async function product({ address, count }: Args) {
  const { httpClients } = await import('../src/adapters/http-client/client.ts');
  const { readRest } = await import('../src/plugins/rest/read.ts');
  const services = { http: httpClients({ clock: { now: () => new Date() } }), logger: undefined, files: undefined };
  const options = {
    path: 'hosts',
    paging: 'offset',
    page_parameter: 'start',
    page_size: PAGE,
    page_size_parameter: 'limit',
    data_key: 'hosts',
    total_key: 'total',
  };
  const account = { name: 'bench', address, username: '', password: '' };
  let seen = 0;
  const figures = await timed(async () => {
    const context = { signal: new AbortController().signal, progress: () => undefined };
    const request = { options, account, services: services as never, folder: '' };
    for await (const batch of readRest(request, context)) {
      for (const item of batch) if (item.kind === 'record') seen++;
    }
  });
  if (seen !== count) throw new Error(`${seen} of ${count} records`);
  return figures;
}

async function measureCount(kit: Kit, count: number, target?: number): Promise<number> {
  const child = kit.start('server', { count });
  const [address] = (await once(child, 'message')) as [string];
  const runs = await inTurn(ROUNDS, {
    floor: () => kit.run('floor', { address, count }),
    product: () => kit.run('product', { address, count }),
  });
  child.kill();
  const row = (what: string, name: 'ms' | 'cpuMs', most?: number): void =>
    kit.row({
      what: `${count.toLocaleString('en')} records${what}`,
      product: runs.product[name] ?? Number.NaN,
      floor: runs.floor[name] ?? Number.NaN,
      unit: 'ms',
      ...(most === undefined ? {} : { target: most }),
    });
  row('', 'ms', target);
  row(', processor time', 'cpuMs');
  return runs.product.rssMb ?? Number.NaN;
}

export const benchmark: Benchmark = {
  title: 'source rest, pages of 1,000 records with 20 labels; floor: fetch and JSON.parse of each page',
  sides: { server, floor, product },
  async measure(kit) {
    const some = await measureCount(kit, 100_000, TARGET);
    const many = await measureCount(kit, 400_000);
    kit.row({ what: 'memory, 400,000 beside 100,000 records', product: many, floor: some, unit: 'MB', target: FLAT });
  },
};
