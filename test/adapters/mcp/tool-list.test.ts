import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toolList } from '../../../src/adapters/mcp/tool-list.ts';
import { TOOLS } from '../../../src/adapters/mcp/tools/all.ts';
import { OPERATIONS } from '../../../src/app/catalogue/operations.ts';
import { ToolService } from './tool-service.ts';

/** The tools of the interface and what they take; what Muster adds is optional and stands in brackets. */
const INTERFACE: Readonly<Record<string, readonly string[]>> = {
  list_hosts: ['start', 'limit', '[fields]'],
  get_host: ['hostname', '[fields]'],
  upsert_host: ['hostname', 'account', 'labels'],
  delete_host: ['hostname'],
  update_host_inventory: ['hostname', 'key', 'inventory'],
  list_accounts: [],
  get_account: ['name'],
  list_rule_types: ['[kept]'],
  export_rules: ['rule_type', '[start]'],
  export_all_rules: ['include_hosts', 'include_accounts', 'include_users'],
  create_rule: ['rule_type', 'rule', 'override'],
  import_rules_bulk: ['payload', 'override', '[skip_broken]', '[fire_existing_matches]'],
  run_autorules: ['debug'],
  get_recent_logs: ['limit', '[start]'],
  get_cron_status: [],
  pause_cron_groups: ['groups', 'until'],
  trigger_cron_group: ['group_name'],
  host_stats: [],
};

/** Tools that the interface does not have. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  explain_host: ['hostname', 'project', 'target', 'attributes'],
  find_attribute_uses: ['attribute'],
  find_hosts_by_key: ['key', 'state'],
  search_hosts: [
    'where',
    'kind',
    'state',
    'account',
    'provider',
    'sort',
    'columns',
    'inventory',
    'after',
    'limit',
    'seconds',
  ],
  conditions_of_search: ['where', 'account', 'kind', 'state', 'hosts'],
  count_rule_hits: ['seconds', 'unmatched'],
  count_hosts: ['where', 'kind', 'state', 'account', 'provider', 'fields', 'labels', 'values', 'states'],
  list_host_comments: ['hostname', 'limit', 'before'],
  correct_host: ['hostname', 'attribute', 'value', 'json_value', 'remove'],
  comment_on_host: ['hostname', 'text'],
  compare_inventory_times: ['provider', 'since', 'text', 'limit'],
  list_changes: ['from', 'until', 'by', 'kind', 'before', 'limit', 'where', 'field'],
  list_saved_searches: [],
  save_search: [
    'name',
    'where',
    'columns',
    'sort',
    'shared',
    'kind',
    'state',
    'account',
    'provider',
    'rows',
    'by',
    'dashboard',
    'show',
    'send_to',
  ],
  list_plans: ['account', 'limit', 'before'],
  list_presets: [],
  show_plan: ['plan', 'action', 'kind', 'outcome', 'text', 'after', 'limit'],
  list_published_files: ['account'],
  show_published_file: ['account', 'file', 'start', 'limit'],
  apply_plan: ['plan'],
};

/** Written by `UPDATE_TOOLS=1 npx vitest run test/adapters/mcp/tool-list.test.ts`, then formatted by `npm run format`. */
const SNAPSHOT = join(import.meta.dirname, 'tools.snapshot.json');

let service: ToolService;
beforeEach(async () => {
  service = await ToolService.start();
});
afterEach(() => service.stop());

describe('the tool list', () => {
  it('is what was agreed on', async () => {
    const { tools } = await (await service.client()).listTools();
    if (process.env.UPDATE_TOOLS === '1') writeFileSync(SNAPSHOT, JSON.stringify(tools));
    expect(tools).toEqual(JSON.parse(readFileSync(SNAPSHOT, 'utf8')));
  });

  it('holds the tools of the interface, with exactly its arguments first', () => {
    const listed = toolList(TOOLS).map(
      ({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})] as const,
    );
    const expected = Object.entries({ ...INTERFACE, ...MORE }).map(
      ([name, names]) => [name, names.map((argument) => argument.replace(/[[\]]/g, ''))] as const,
    );
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(expected));
    for (const { name, inputSchema } of toolList(TOOLS)) {
      const added = INTERFACE[name]?.filter((argument) => argument.startsWith('[')) ?? [];
      for (const argument of added) expect(inputSchema.required ?? []).not.toContain(argument.slice(1, -1));
      expect(inputSchema.additionalProperties, name).toBe(false);
    }
  });

  it('offers the operations that are declared as tools, and no others', () => {
    const declared = OPERATIONS.filter((operation) => operation.at.tool !== undefined).map(({ name }) => name);
    expect(TOOLS.map(({ operation }) => operation.name).sort()).toEqual(declared.sort());
  });

  it('says of every tool whether it reads, and of every other what it may do', () => {
    for (const { name, title, description, annotations, outputSchema } of toolList(TOOLS)) {
      expect(title, name).not.toBe('');
      expect(description, name).toMatch(/\.$/);
      expect(outputSchema?.type, name).toBe('object');
      expect(Object.values(annotations ?? {}).filter((hint) => typeof hint === 'boolean').length, name).toBe(4);
      if (annotations?.readOnlyHint)
        expect(annotations, name).toMatchObject({ destructiveHint: false, idempotentHint: true });
    }
    const hint = (name: string) => toolList(TOOLS).find((tool) => tool.name === name)?.annotations;
    expect(hint('get_host')?.readOnlyHint).toBe(true);
    expect(hint('delete_host')).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(hint('run_autorules')).toMatchObject({ readOnlyHint: false, destructiveHint: false });
  });
});
