import { readFileSync, writeFileSync } from 'node:fs';
import type { JsonObject } from '../src/ports/json.ts';
import { type Benchmark, timed } from './support/benchmark.ts';
import { hostnameOf } from './support/hosts.ts';
import { inTurn, type Kit } from './support/kit.ts';

const ROUNDS = 3;
const RULES = 10_000;
const HOSTS = 100_000;

interface Args {
  readonly folder: string;
  readonly file?: string;
  readonly hosts?: number;
}

function rulesFile(): string {
  const rules = Array.from({ length: RULES }, (_, index) => ({
    _id: { $oid: index.toString(16).padStart(24, '0') },
    name: `rule ${index}`,
    enabled: true,
    sort_field: index,
    condition_typ: 'all',
    conditions: [
      condition('role', 'equal', `role${index % 17}`),
      condition('cluster', 'regex', `cluster-${index % 1000}[0-9]{1,3}$`),
    ],
    outcomes: [
      {
        attribute_name: `attr_${index % 100}`,
        attribute_value: index % 10 === 0 ? `{{ site }}-${index}` : `value ${index}`,
      },
    ],
  }));
  return JSON.stringify({ rules: { custom_attributes: rules } });
}

function condition(tag: string, value_match: string, value: string): JsonObject {
  return { match_type: 'tag', tag, tag_match: 'equal', value, value_match };
}

/** Parses, looks at what must be there, compiles patterns and templates, and inserts rules with their first versions. */
async function importByHand({ folder, file = '' }: Args) {
  const { default: Database } = await import('better-sqlite3');
  const { RE2JS } = await import('re2js');
  const { Template } = await import('@huggingface/jinja');
  const database = new Database(`${folder}/floor.db`);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(`CREATE TABLE rules (type TEXT, id TEXT, name TEXT, version INTEGER, changed_at INTEGER, document TEXT,
      PRIMARY KEY (type, id));
    CREATE UNIQUE INDEX rules_name ON rules (type, name);
    CREATE TABLE rule_versions (seq INTEGER PRIMARY KEY, type TEXT, id TEXT, name TEXT, version INTEGER, at INTEGER,
      actor TEXT, change TEXT, document TEXT);
    CREATE INDEX rule_versions_rule ON rule_versions (type, id)`);
  const insert = database.prepare('INSERT INTO rules VALUES (?, ?, ?, 1, ?, ?) ON CONFLICT DO NOTHING');
  const keep = database.prepare(
    "INSERT INTO rule_versions (type, id, name, version, at, actor, change, document) VALUES (?, ?, ?, 1, ?, 'bench', 'created', ?)",
  );
  const operators = new Set(['equal', 'regex']);
  const bytes = readFileSync(file);
  return timed(() => {
    const { rules } = JSON.parse(bytes.toString()) as { rules: Record<string, HandRule[]> };
    const now = Date.now();
    database.transaction(() => {
      for (const [type, documents] of Object.entries(rules)) {
        for (const document of documents) {
          if (typeof document.name !== 'string' || document.name === '') throw new Error('name');
          if (!['all', 'any', 'anyway'].includes(document.condition_typ)) throw new Error('condition_typ');
          for (const { tag, value_match, value } of document.conditions) {
            if (typeof tag !== 'string' || !operators.has(value_match)) throw new Error('conditions');
            if (value_match === 'regex') RE2JS.compile(value);
          }
          for (const { attribute_name, attribute_value } of document.outcomes) {
            if (typeof attribute_name !== 'string') throw new Error('outcomes');
            if (attribute_value.includes('{{')) new Template(attribute_value);
          }
          const text = JSON.stringify(document);
          const inserted = insert.run(type, document._id.$oid, document.name, now, text).changes;
          if (inserted === 1) keep.run(type, document._id.$oid, document.name, now, text);
        }
      }
    })();
  });
}

interface HandRule {
  readonly _id: { readonly $oid: string };
  readonly name: string;
  readonly condition_typ: string;
  readonly conditions: readonly { readonly tag: string; readonly value_match: string; readonly value: string }[];
  readonly outcomes: readonly { readonly attribute_name: string; readonly attribute_value: string }[];
}

async function prepare({ folder, hosts = 0 }: Args) {
  const { addBasics, addHosts, addRules, openProduct } = await import('./support/product.ts');
  const { fiftyRules } = await import('./support/fifty-rules.ts');
  const app = await openProduct({ folder });
  await addBasics(app);
  await addHosts(app, hosts);
  if (hosts > 0) await addRules(app, fiftyRules());
  await app.stop();
  return {};
}

async function importRulesFile({ folder, file = '' }: Args) {
  const { CALLER, openProduct } = await import('./support/product.ts');
  const { importRules } = await import('../src/app/rules/operations/import-rules.ts');
  const app = await openProduct({ folder });
  const body = readFileSync(file);
  const figures = await timed(async () => {
    const answer = await app.executor.value(importRules, { kind: 'json', body, members: {} }, CALLER);
    if (answer.total !== RULES) throw new Error(JSON.stringify(answer.details.slice(0, 3)));
  });
  await app.stop();
  return figures;
}

/** A whole export with hosts, dropped as it comes. */
async function exportAll({ folder }: Args) {
  const { CALLER, openProduct } = await import('./support/product.ts');
  const { exportRules } = await import('../src/app/rules/operations/export-rules.ts');
  const app = await openProduct({ folder });
  let bytes = 0;
  const figures = await timed(async () => {
    const value = { include_hosts: true, include_accounts: true, include_users: true, include_passwords: true };
    const answer = await app.executor.stream(exportRules, { kind: 'value', value }, CALLER);
    for await (const chunk of answer.body) bytes += Buffer.byteLength(chunk as string);
  });
  await app.stop();
  return { ...figures, bytes };
}

/** Renders, changes one rule, renders again. */
async function renderTwice({ folder }: Args) {
  const { addRules, CALLER, openProduct } = await import('./support/product.ts');
  const { renderInventory } = await import('../src/app/inventory/operations/render-inventory.ts');
  const { fiftyRules } = await import('./support/fifty-rules.ts');
  const app = await openProduct({ folder });
  const render = (): Promise<{ ms: number; cpuMs: number }> =>
    timed(async () => {
      const input = { kind: 'value' as const, value: { provider: 'automation' } };
      const answer = await app.executor.stream(renderInventory, input, CALLER);
      for await (const chunk of answer.body) Buffer.byteLength(chunk as string);
    });
  const first = await render();
  const [rule = {}] = fiftyRules().custom_attributes ?? [];
  const outcomes = [{ attribute_name: 'attr_0', attribute_value: `changed ${Date.now()}` }];
  await addRules(app, { custom_attributes: [{ ...rule, outcomes }] });
  const second = await render();
  await app.stop();
  return { first: first.ms, second: second.ms };
}

async function measureImport(kit: Kit): Promise<void> {
  const file = `${await kit.folder()}/rules.json`;
  writeFileSync(file, rulesFile());
  const folders = new Map<string, string>();
  const fresh = async (side: string, round: number): Promise<string> => {
    const folder = await kit.folder();
    folders.set(`${side}${round}`, folder);
    return folder;
  };
  const runs = await inTurn(ROUNDS, {
    floor: async (round) => kit.run('importByHand', { folder: await fresh('floor', round), file }),
    product: async (round) => {
      const folder = await fresh('product', round);
      await kit.run('prepare', { folder });
      return kit.run('importRulesFile', { folder, file });
    },
  });
  const { ms = 0, cpuMs = 0 } = runs.product;
  kit.row({ what: 'import of 10,000 rules', product: ms, floor: runs.floor.ms ?? 0, unit: 'ms', target: 2 });
  kit.row({ what: 'import of 10,000 rules, processor time', product: cpuMs, floor: runs.floor.cpuMs ?? 0, unit: 'ms' });
  const folder = folders.get('product0') ?? '';
  const { explain = 0, first = 0 } = await kit.run('explain', { folder });
  kit.row({
    what: 'explain of one host, 10,000 rules',
    product: explain,
    unit: 'ms',
    note: `first: ${first.toFixed(0)} ms`,
  });
}

async function explain({ folder }: Args) {
  const { addHosts, CALLER, openProduct } = await import('./support/product.ts');
  const { explainHost } = await import('../src/app/explain/operations/explain-host.ts');
  const app = await openProduct({ folder });
  await addHosts(app, 1);
  const once = async (): Promise<number> => {
    const input = { kind: 'value' as const, value: { hostname: hostnameOf(0) } };
    return (await timed(() => app.executor.value(explainHost, input, CALLER))).ms;
  };
  const first = await once();
  const later: number[] = [];
  for (let repeat = 0; repeat < 10; repeat++) later.push(await once());
  await app.stop();
  return { first, explain: Math.min(...later) };
}

async function measure(kit: Kit): Promise<void> {
  await measureImport(kit);
  const [large, huge] = [await kit.folder(), await kit.folder()];
  await kit.run('prepare', { folder: large, hosts: HOSTS });
  await kit.run('prepare', { folder: huge, hosts: HOSTS * 3 });
  const less = await kit.run('exportAll', { folder: large });
  const more = await kit.run('exportAll', { folder: huge });
  kit.row({ what: 'full export of 100,000 hosts', product: less.ms ?? 0, unit: 'ms' });
  kit.row({
    what: 'memory of it, 300,000 beside 100,000 hosts',
    product: more.rssMb ?? 0,
    floor: less.rssMb ?? 0,
    unit: 'MB',
    target: 1.2,
  });
  const { renderings } = await inTurn(ROUNDS, { renderings: () => kit.run('renderTwice', { folder: large }) });
  const { first = 0, second = 0 } = renderings;
  kit.row({
    what: 'rendering of 100,000 hosts after one rule changed, beside the first',
    product: second,
    floor: first,
    unit: 'ms',
    target: 1.05,
  });
}

export const benchmark: Benchmark = {
  title: 'rules: import, export, change; floor: parse, validate and insert by hand',
  sides: { importByHand, importRulesFile, prepare, exportAll, renderTwice, explain },
  measure,
};
