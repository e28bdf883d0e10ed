import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addUser } from '../../src/app/users/operations/add-user.ts';
import type { JsonObject, JsonValue } from '../../src/ports/json.ts';
import { PASSWORD } from '../app/operations/operations-app.ts';
import { exportedDocuments, fixtureText } from '../oracle/fixtures.ts';
import { Entrances } from '../security/support/entrances.ts';
import { PluginWorld } from '../security/support/plugin-world.ts';
import { THOROUGH_STORES } from '../security/support/two-stores.ts';

const EXPORT = 'everything/export.jsonl';
const INCLUDE = { include_hosts: true, include_accounts: true, include_users: true, include_passwords: true };
const USER = 'mover';

type Rules = Record<string, JsonObject[]>;
interface Answer {
  readonly imported: Record<string, number>;
  readonly duplicate: Record<string, number>;
  readonly invalid: Record<string, number>;
  readonly details: readonly unknown[];
  readonly warnings: readonly { readonly message: string }[];
}

/** One way to check, to import and to export. */
interface Entrance {
  /** Absent where there is none: the tool server offers the import alone. */
  check?(text: string): Promise<JsonObject>;
  /** `skips`: names lines that are no JSON, and goes on. */
  import(text: string, skips?: boolean): Promise<Answer>;
  export(): Promise<Rules>;
}

type MakeEntrance = (world: PluginWorld, at: Entrances) => Entrance;

const COMMAND: MakeEntrance = (world) => {
  const json = async (args: string[], text?: string, exits = 0) => {
    const { exitCode, stdout, stderr } = await world.command(args, {}, text);
    if (stdout === '') throw new Error(stderr);
    expect([exitCode, exitCode === exits ? '' : stderr]).toEqual([exits, '']);
    return JSON.parse(stdout);
  };
  const include = Object.keys(INCLUDE).map((name) => `--${name.replaceAll('_', '-')}`);
  return {
    check: (text) => json(['migrate', 'check', '-', '--json'], text),
    // A document or a line that is not stored is an exit code of 1.
    import: (text, skips) =>
      json(['rules', 'import', '-', '--json', ...(skips ? ['--skip-broken'] : [])], text, skips ? 1 : 0),
    export: async () => (await json(['rules', 'export', ...include])).rules,
  };
};

const REST: MakeEntrance = (_world, at) => {
  const ask = async (path: string, text?: string) => {
    const url = `/api/v1${path}`;
    const headers = { 'content-type': 'text/plain' };
    const request = text === undefined ? { url } : { method: 'POST' as const, url, headers, payload: text };
    const { ok, body, text: answer } = await at.rest(USER, request);
    if (!ok) throw new Error(answer);
    return body;
  };
  const query = Object.keys(INCLUDE).map((name) => `${name}=1`);
  return {
    check: (text) => ask('/migration/check', text),
    import: (text, skips) => ask(`/rules/import${skips ? '?skip_broken=1' : ''}`, text),
    export: async () => (await ask(`/rules/export?${query.join('&')}`)).rules,
  };
};

/** Only pages get the parts of messages. */
function withoutWording(name: string, value: unknown): unknown {
  return name === 'wording' ? undefined : value;
}

const PAGE: MakeEntrance = (_world, at) => {
  const call = async (operation: string, input: object) => {
    const { ok, text } = await at.page(await at.cookieOf(USER), operation, input);
    if (!ok) throw new Error(text);
    return JSON.parse(text, withoutWording);
  };
  return {
    check: (text) => call('system/check-export', { text }),
    import: (text, skips) => call('rules/import-rules', { text, skip_broken: skips === true }),
    export: async () => (await call('rules/export-rules', INCLUDE)).rules,
  };
};

/** Answers of tools are cut to what a model reads, so that types are read one by one, page by page. */
const TOOL: MakeEntrance = (_world, at) => {
  const call = async (name: string, input: Record<string, unknown>) => {
    const { ok, body, text } = await at.tool(USER, name, input);
    if (!ok) throw new Error(text);
    return body;
  };
  return {
    import: (text, skips) => call('import_rules_bulk', { payload: text, skip_broken: skips === true }),
    async export() {
      const rules: Rules = {};
      const { rule_types } = await call('list_rule_types', {});
      for (const type of rule_types as string[]) {
        const list: JsonObject[] = [];
        for (let start: number | undefined = 0; start !== undefined; ) {
          const answer = await call('export_rules', { rule_type: type, start });
          list.push(...answer.rules);
          start = answer.truncated?.next_start;
        }
        if (list.length > 0) rules[type] = list;
      }
      return rules;
    },
  };
};

const ENTRANCES = { command: COMMAND, REST, tool: TOOL, page: PAGE } as const;

/** Secrets are sealed anew by each import, and a host without a time of its own is made at that moment. */
function comparable(rules: Rules): JsonValue {
  const types = Object.entries(rules).map(([type, documents]): [string, JsonValue] => [
    type,
    documents.filter(({ name }) => name !== USER).map((document) => timeless(type, document)),
  ]);
  return Object.fromEntries(types.filter(([, documents]) => (documents as JsonValue[]).length > 0));
}

function timeless(type: string, document: JsonObject): JsonObject {
  const text = JSON.stringify(document, (name, value) => (name.endsWith('_crypted') && value ? 'sealed' : value));
  const { create_time: _, ...rest } = JSON.parse(text) as JsonObject;
  return type === 'host_objects' ? rest : (JSON.parse(text) as JsonObject);
}

describe.each(THOROUGH_STORES)('%s: an export of an existing installation, at every entrance', (_store, create) => {
  const worlds: PluginWorld[] = [];
  const doors: Entrances[] = [];

  async function enter(make: MakeEntrance): Promise<Entrance> {
    const world = await PluginWorld.create(create);
    worlds.push(world);
    const muster = await world.program();
    await muster.run(addUser, { name: USER, password: PASSWORD, roles: ['all'], admin: true });
    const at = Entrances.beside(muster);
    doors.push(at);
    return make(world, at);
  }

  beforeEach(() => {
    worlds.length = 0;
    doors.length = 0;
  });
  afterEach(async () => {
    for (const door of doors) await door.close();
    for (const world of worlds) await world.close();
  });

  it('is checked, imported and exported alike', async () => {
    const text = fixtureText(EXPORT);
    const checks: [string, JsonObject][] = [];
    const answers: [string, Answer][] = [];
    const exports: [string, JsonValue][] = [];
    for (const [name, make] of Object.entries(ENTRANCES)) {
      const entrance = await enter(make);
      const checked = await entrance.check?.(text);
      if (checked !== undefined) checks.push([name, checked]);
      answers.push([name, await entrance.import(text)]);
      exports.push([name, comparable(await entrance.export())]);
      if (name !== 'page') continue;
      // Again: everything is there already, and nothing changes.
      const again = await entrance.import(text);
      expect([name, again.imported.host_objects, again.details]).toEqual([name, 0, []]);
      expect([name, comparable(await entrance.export())]).toEqual(exports.at(-1));
    }
    const [, report] = checks[0] as [string, JsonObject];
    expect(checks.map(([name]) => name)).toEqual(['command', 'REST', 'page']);
    for (const [name, other] of checks) expect([name, other]).toEqual([name, report]);
    const [, answer] = answers[0] as [string, Answer];
    // What rules that fire matched there is a difference of its own in a check.
    const warnings = answer.warnings.filter(({ message }) => !message.includes('counts as fired'));
    expect(warnings.length).toBeLessThan(answer.warnings.length);
    expect(report.import).toEqual({ ...answer, warnings });
    for (const [name, other] of answers) expect([name, other]).toEqual([name, answer]);
    expect(answer.details).toEqual([]);
    for (const [ident, documents] of exportedDocuments(EXPORT)) {
      const type = ident.replace(/^ansible_/, 'automation_');
      expect([type, (report.documents as Record<string, number>)[type]]).toEqual([type, documents.length]);
      const told = [answer.imported[type], answer.duplicate[type], answer.invalid[type]];
      expect([type, ...told]).toEqual([type, documents.length, 0, 0]);
    }
    for (const [name, other] of exports) expect([name, other]).toEqual([name, exports[0]?.[1]]);
  }, 120_000);

  it('with documents that nobody knows, that cannot work and that are none loses nothing of the rest', async () => {
    const rule = (name: string, members: object) => ({ name, enabled: false, condition_typ: 'anyway', ...members });
    const unknown = { _id: { $oid: 'e'.repeat(24) }, name: 'later', secret_of_it: 'x' };
    const documents = [
      { rule_type: 'made_up_type' },
      unknown,
      { rule_type: 'ansible_customvars' },
      rule('good', { outcomes: [{ attribute_name: 'a', attribute_value: '{{ site }}' }] }),
      rule('odd text', {
        _id: { $oid: 'f'.repeat(24) },
        outcomes: [{ attribute_name: 'a', attribute_value: '{{ site' }],
      }),
      rule('odd form', { condition_typ: 'sometimes' }),
    ];
    const text = documents.map((document) => JSON.stringify(document)).join('\n');
    const broken = `${text}\n{"name": "cut o\n${JSON.stringify(rule('last', {}))}\n`;
    const answers: [string, Answer][] = [];
    for (const [name, make] of Object.entries(ENTRANCES)) {
      const entrance = await enter(make);
      await expect(entrance.import(broken), name).rejects.toThrow(/line 7 is not valid JSON/);
      expect([name, (await entrance.export()).automation_customvars ?? []]).toEqual([name, []]);
      answers.push([name, await entrance.import(broken, true)]);
      const { automation_customvars: rules, made_up_type: kept } = await entrance.export();
      expect([name, rules?.map((each) => each.name).sort()]).toEqual([name, ['good', 'last', 'odd text']]);
      if (name !== 'tool') expect([name, kept]).toEqual([name, [expect.objectContaining({ name: 'later' })]]);
    }
    const [, answer] = answers[0] as [string, Answer];
    for (const [name, other] of answers) expect([name, other]).toEqual([name, answer]);
    expect(answer).toMatchObject({
      imported: { automation_customvars: 3 },
      invalid: { automation_customvars: 2 },
      kept: { made_up_type: 1 },
      details: [{ name: 'odd form', line: 6, path: 'condition_typ' }, { line: 7 }],
      cannot_work: [{ name: 'odd text', line: 5, path: 'outcomes.0.attribute_value' }],
    });
  });
});
