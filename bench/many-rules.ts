import type { JsonObject, JsonValue } from '../src/ports/json.ts';
import { type Benchmark, timed } from './support/benchmark.ts';
import { hostnameOf, labelsOf } from './support/hosts.ts';
import { inTurn } from './support/kit.ts';
import { percentile } from './support/service.ts';

const ROUNDS = 3;
const RULES = 1000;
const HOSTS = 10_000;
const EXPLAINED = 100;

interface Args {
  readonly folder: string;
}

interface PlainRule {
  readonly tag: string;
  readonly operator: 'equal' | 'in' | 'swith' | 'in_list' | 'regex';
  readonly value: string;
  readonly attribute: string;
  readonly text: string;
}

const OPERATORS = ['equal', 'in', 'swith', 'in_list', 'regex'] as const;
const TAGS = ['site', 'role', 'cluster', 'owner', 'rack'];

function plainRule(index: number): PlainRule {
  const operator = OPERATORS[index % OPERATORS.length] ?? 'equal';
  const tag = TAGS[Math.floor(index / OPERATORS.length) % TAGS.length] ?? 'site';
  const sample = String(labelsOf(index)[tag]);
  const value =
    operator === 'in_list' ? `${sample}, x, y` : operator === 'regex' ? `${sample.slice(0, 3)}.*\\d$` : sample;
  return { tag, operator, value, attribute: `attr_${index % 50}`, text: `value ${index}` };
}

function documentOf(index: number): JsonObject {
  const { tag, operator, value, attribute, text } = plainRule(index);
  return {
    name: `r${index}`,
    enabled: true,
    sort_field: index,
    condition_typ: 'all',
    conditions: [{ match_type: 'tag', tag, tag_match: 'equal', value, value_match: operator }],
    outcomes: [{ attribute_name: attribute, attribute_value: text }],
  };
}

function closureOf(index: number): (attributes: Map<string, JsonValue>) => void {
  const { tag, operator, value, attribute, text } = plainRule(index);
  const test = testOf(operator, value);
  return (attributes) => {
    const found = attributes.get(tag);
    if (found !== undefined && test(String(found))) attributes.set(attribute, text);
  };
}

function testOf(operator: PlainRule['operator'], value: string): (text: string) => boolean {
  const needle = value.toLowerCase();
  if (operator === 'equal') return (text) => text.toLowerCase() === needle;
  if (operator === 'in') return (text) => text.toLowerCase().includes(needle);
  if (operator === 'swith') return (text) => text.toLowerCase().startsWith(needle);
  if (operator === 'in_list') {
    const parts = new Set(value.split(',').map((part) => part.trim()));
    return (text) => parts.has(text);
  }
  const pattern = new RegExp(`^(?:${value})`);
  return (text) => pattern.test(text);
}

async function prepare({ folder }: Args) {
  const { addBasics, addHosts, addRules, openProduct } = await import('./support/product.ts');
  const app = await openProduct({ folder });
  await addBasics(app);
  await addHosts(app, HOSTS);
  await addRules(app, { custom_attributes: Array.from({ length: RULES }, (_, index) => documentOf(index)) });
  await app.stop();
  return {};
}

async function floor({ folder }: Args) {
  const { default: Database } = await import('better-sqlite3');
  let bytes = 0;
  const figures = await timed(() => {
    const rules = Array.from({ length: RULES }, (_, index) => closureOf(index));
    const database = new Database(`${folder}/muster.db`, { readonly: true });
    const page = database
      .prepare('SELECT hostname, labels FROM hosts WHERE hostname > ? ORDER BY hostname LIMIT 1000')
      .raw();
    let after = '';
    for (;;) {
      const rows = page.all(after) as [string, string][];
      for (const [hostname, labels] of rows) {
        const attributes = new Map<string, JsonValue>([['SOURCE_ACCOUNT', 'cmdb']]);
        const parsed = JSON.parse(labels) as JsonObject;
        for (const key in parsed) attributes.set(key, parsed[key] as JsonValue);
        for (const rule of rules) rule(attributes);
        attributes.set('HOSTNAME', hostname);
        bytes += Buffer.byteLength(`,"${hostname}":${JSON.stringify(Object.fromEntries(attributes))}`);
      }
      if (rows.length < 1000) break;
      after = rows.at(-1)?.[0] ?? '';
    }
    database.close();
  });
  return { ...figures, bytes };
}

async function product({ folder }: Args) {
  const { CALLER, openProduct } = await import('./support/product.ts');
  const { renderInventory } = await import('../src/app/inventory/operations/render-inventory.ts');
  const app = await openProduct({ folder });
  let bytes = 0;
  const figures = await timed(async () => {
    const input = { kind: 'value' as const, value: { provider: 'automation' } };
    const answer = await app.executor.stream(renderInventory, input, CALLER);
    for await (const chunk of answer.body) bytes += Buffer.byteLength(chunk as string);
  });
  await app.stop();
  return { ...figures, bytes };
}

async function explain({ folder }: Args) {
  const { CALLER, openProduct } = await import('./support/product.ts');
  const { explainHost } = await import('../src/app/explain/operations/explain-host.ts');
  const app = await openProduct({ folder });
  const explained = (index: number) => {
    const input = { kind: 'value' as const, value: { hostname: hostnameOf(index) } };
    return timed(() => app.executor.value(explainHost, input, CALLER));
  };
  const first = await explained(0);
  const times: { readonly ms: number; readonly cpuMs: number }[] = [];
  for (let index = 1; index <= EXPLAINED; index++) times.push(await explained(index));
  await app.stop();
  return {
    first: first.ms,
    explain: percentile(
      times.map(({ ms }) => ms),
      0,
    ),
    explainCpu: percentile(
      times.map(({ cpuMs }) => cpuMs),
      0.5,
    ),
  };
}

export const benchmark: Benchmark = {
  title: '1,000 rules over 10,000 hosts; floor: as many closures by hand',
  sides: { prepare, floor, product, explain },
  async measure(kit) {
    const folder = await kit.folder();
    await kit.run('prepare', { folder });
    const runs = await inTurn(ROUNDS, {
      floor: () => kit.run('floor', { folder }),
      product: () => kit.run('product', { folder }),
      explain: () => kit.run('explain', { folder }),
    });
    const { ms = 0, cpuMs = 0 } = runs.product;
    kit.row({ what: 'inventory', product: ms, floor: runs.floor.ms ?? 0, unit: 'ms', target: 3 });
    kit.row({ what: 'inventory, processor time', product: cpuMs, floor: runs.floor.cpuMs ?? 0, unit: 'ms' });
    const { explain: again = 0, explainCpu = 0, first = 0 } = runs.explain;
    kit.row({
      what: 'explain of one host',
      product: again,
      unit: 'ms',
      target: 10,
      note: `first, with compiling: ${first.toFixed(0)} ms`,
    });
    kit.row({ what: 'explain of one host, processor time', product: explainCpu, unit: 'ms' });
  },
};
