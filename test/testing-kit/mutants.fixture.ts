import { describe } from 'vitest';
import * as z from 'zod';
import type {
  ConditionOperator,
  InventoryProvider,
  JobType,
  JsonValue,
  PluginAction,
  RecordProcessor,
  SourceRecord,
  TemplateFilter,
} from '../../src/ports/index.ts';
import {
  describeConditionOperatorContract,
  describeInventoryProviderContract,
  describeJobContract,
  describePluginActionContract,
  describeRecordProcessorContract,
  describeTemplateFilterContract,
} from '../../src/testing.ts';

// Plugins that are wrong in one thing each, and one of each kind that is not. `mutants.test.ts` runs this file and looks at what its suites find.

const RECORDS: readonly SourceRecord[] = [
  { kind: 'record', position: 'line 1', hostname: 'web01', labels: { site: 'codfw' } },
  { kind: 'record', position: 'line 2', hostname: 'web02', labels: { site: 'eqiad' } },
];

const labelled = (record: SourceRecord): SourceRecord => ({ ...record, labels: { ...record.labels, owner: 'ops' } });
const PROCESSORS: Readonly<Record<string, RecordProcessor['process']>> = {
  right: (records) => records.map(labelled),
  'drops a record without a word': (records) => records.slice(1).map(labelled),
  'depends on what came together': (records) =>
    records.map((record) => ({ ...record, labels: { ...record.labels, of: records.length } })),
  'changes the records that it is given': (records) => {
    for (const record of records) (record.labels as Record<string, JsonValue>).owner = 'ops';
    return records;
  },
  'does something else each time': (records) =>
    records.map((record) => ({ ...record, labels: { ...record.labels, at: Math.random() } })),
  'refuses without a reason': (records) => records.map(() => ({ kind: 'skipped', reason: '' })),
};
for (const [mutant, process] of Object.entries(PROCESSORS)) {
  describe(`record processor/${mutant}`, () => {
    describeRecordProcessorContract('mutant', { open: () => ({ process }), records: structuredClone(RECORDS) });
  });
}

const ACTION: PluginAction = {
  id: 'count',
  title: 'Count hosts',
  description: 'How many hosts a query finds.',
  effect: 'read',
  roles: ['objects'],
  at: { rest: true },
  input: z.strictObject({ where: z.string().default('').describe('A query') }),
  output: z.strictObject({ hosts: z.number() }),
  async run(_input, { operation }) {
    const { size } = (await operation('search/count-hosts', {})) as { size: number };
    return { hosts: size };
  },
};
const ACTIONS: Readonly<Record<string, Partial<PluginAction>>> = {
  right: {},
  'is called nowhere': { at: {} },
  'takes members that it does not know': { input: z.object({ where: z.string().default('').describe('A query') }) },
  'says nothing of its members': { input: z.strictObject({ where: z.string().default('') }) },
  'answers something else than it promises': { run: () => ({ many: 3 }) },
  'hides that what it calls failed': {
    run: (_input, { operation }) =>
      operation('search/count-hosts', {}).then(
        () => ({ hosts: 3 }),
        () => ({ hosts: 0 }),
      ),
  },
};
for (const [mutant, wrong] of Object.entries(ACTIONS)) {
  describe(`action/${mutant}`, () => {
    const action = { ...ACTION, ...wrong } as PluginAction;
    const answers = { 'search/count-hosts': { size: 3 } };
    describePluginActionContract('mutant', { action, input: { where: 'site:codfw' }, answers });
  });
}

const JOB: JobType = {
  id: 'Count hosts',
  aliases: [],
  description: 'Says how many hosts there are.',
  account: 'none',
  async run({ operation }) {
    const { num_hosts: hosts } = (await operation('hosts/host-counters', {})) as { num_hosts: number };
    return { message: `${hosts} hosts` };
  },
};
const JOBS: Readonly<Record<string, Partial<JobType>>> = {
  right: {},
  'has a spelling twice': { aliases: ['count HOSTS'] },
  'says what it did in several lines': { run: async () => ({ message: 'one\ntwo' }) },
  'hides that what it calls failed': {
    run: ({ operation }) =>
      operation('hosts/host-counters', {}).then(
        () => ({ message: 'done' }),
        () => ({ message: 'done' }),
      ),
  },
};
for (const [mutant, wrong] of Object.entries(JOBS)) {
  describe(`job/${mutant}`, () => {
    describeJobContract('mutant', { job: { ...JOB, ...wrong }, answers: { 'hosts/host-counters': { num_hosts: 3 } } });
  });
}

const HOSTS = { 'pdu-a1': { rack: 'A1' }, 'pdu-b1': { rack: 'B1' } };
const PROVIDER: InventoryProvider = {
  full: async () => ({ _meta: { hostvars: HOSTS }, all: { hosts: Object.keys(HOSTS) } }),
  host: async (hostname) => HOSTS[hostname as keyof typeof HOSTS] ?? false,
} as InventoryProvider;
let revision = 0;
const PROVIDERS: Readonly<Record<string, Partial<InventoryProvider>>> = {
  right: {},
  'has a host twice': {
    full: async () => ({ _meta: { hostvars: HOSTS }, all: { hosts: ['pdu-a1', 'pdu-b1', 'pdu-a1'] } }) as never,
  },
  'gives for one host something else': { host: async () => ({ rack: 'C1' }) },
  'has hosts that nobody knows': {
    host: async (hostname) => HOSTS[hostname as keyof typeof HOSTS] ?? {},
  },
  'changes its revision for nothing': { revision: async () => String(revision++) as never },
};
for (const [mutant, wrong] of Object.entries(PROVIDERS)) {
  describe(`inventory provider/${mutant}`, () => {
    describeInventoryProviderContract('mutant', { create: async () => ({ ...PROVIDER, ...wrong }) });
  });
}

let calls = 0;
const FILTERS: Readonly<Record<string, TemplateFilter['apply']>> = {
  right: (value) => String(value).length,
  'answers something else each time': (value) => String(value).length + calls++ - calls,
  'answers what is no JSON': (value) => (value === 'web01' ? 5 : (undefined as never)),
  'answers later': (async (value: JsonValue) => String(value).length) as never,
  'changes what it is given': (value) => {
    if (Array.isArray(value)) (value as JsonValue[]).sort();
    return String(value).length;
  },
};
for (const [mutant, apply] of Object.entries(FILTERS)) {
  describe(`template filter/${mutant}`, () => {
    const filter: TemplateFilter = { id: 'size', description: 'The length', apply };
    describeTemplateFilterContract('mutant', { filter, answers: [{ given: ['web01'], answer: 5 }] });
  });
}

const OPERATORS: Readonly<Record<string, ConditionOperator['compile']>> = {
  right: (text) => {
    if (text === '') throw new Error('must not be empty');
    return (value) => typeof value === 'string' && value.startsWith(text);
  },
  'takes a text that means nothing': (text) => (value) => typeof value === 'string' && value.startsWith(text),
  'holds for everything': (text) => {
    if (text === '') throw new Error('must not be empty');
    return () => true;
  },
};
for (const [mutant, compile] of Object.entries(OPERATORS)) {
  describe(`condition operator/${mutant}`, () => {
    const operator: ConditionOperator = {
      id: 'begins',
      words: ['begins with', 'does not begin with'],
      description: 'A text',
      compile,
    };
    const tests = [{ text: 'web', holds: ['web01'], fails: ['db01', 7] }];
    describeConditionOperatorContract('mutant', { operator, tests, refused: [''] });
  });
}
