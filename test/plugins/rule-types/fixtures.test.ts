import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PluginRegistry } from '../../../src/app/kernel/plugin-host/registry.ts';
import { documentProblems } from '../../../src/app/rules/engine/document-problems.ts';
import { KEPT_TYPES } from '../../../src/plugins/kept-types/table.ts';
import type { JsonObject } from '../../../src/ports/json.ts';
import { RULE_TYPES, ruleType } from './types.ts';

const EXPECTED = [
  'accounts',
  'automation_customvars',
  'automation_filter',
  'automation_groups',
  'automation_playbook_fire',
  'automation_projects',
  'automation_rewrite',
  'cmdb_templates',
  'cmk_folder_pool',
  'cmk_passwords',
  'cmk_site_settings',
  'cmk_sites',
  'cron_groups',
  'custom_attributes',
  'host_objects',
  'netbox_cluster',
  'netbox_contacts',
  'netbox_dcim_interfaces',
  'netbox_devices',
  'netbox_ips',
  'netbox_prefixes',
  'netbox_rewrites',
  'netbox_virtual_interfaces',
  'netbox_vms',
  'notification_policies',
  'rest_target_filter',
  'rest_target_values',
  'sign_in_groups',
  'syncer_rule_automation',
  'users',
];

function fixture(id: string, suffix = ''): unknown {
  const folder = RULE_TYPES.get(id)?.folder;
  const url = new URL(`../../../src/plugins/${folder}/fixtures/${id}${suffix}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8'));
}

const valid = EXPECTED.flatMap((id) =>
  (fixture(id) as { rules: JsonObject[] }).rules.map((document) => ({ id, document })),
);
const invalid = EXPECTED.flatMap((id) =>
  (fixture(id, '.invalid') as { path: string; document: JsonObject }[]).map((entry) => ({ id, ...entry })),
);

describe('rule types', () => {
  it('are those of the rules page', () => {
    expect([...RULE_TYPES.keys()].sort()).toEqual(EXPECTED);
    for (const { folder } of RULE_TYPES.values()) expect(existsSync(`src/plugins/${folder}/README.md`)).toBe(true);
  });

  it('have no name of a type of existing installations whose documents are kept as they are', () => {
    const kept = new Set(KEPT_TYPES.map(({ ident }) => ident));
    expect(EXPECTED.filter((id) => kept.has(id))).toEqual([]);
  });

  it.each(valid)('$id takes $document.name$document.hostname', ({ id, document }) => {
    expect(documentProblems(document, ruleType(id), new PluginRegistry())).toEqual([]);
  });

  it.each(invalid)('$id refuses a document because of $path', ({ id, path, document }) => {
    const problems = documentProblems(document, ruleType(id), new PluginRegistry());
    expect(problems.map((problem) => problem.path)).toEqual([path]);
    expect(problems[0]?.message).not.toBe('');
  });

  it.each(EXPECTED)('%s describes itself', (id) => {
    const type = ruleType(id);
    expect(type.title).not.toBe('');
    expect(type.description).toMatch(/\.$/);
    expect(type.schema).toMatchObject({ type: 'object', additionalProperties: true });
    expect(JSON.parse(JSON.stringify(type.schema))).toEqual(type.schema);
  });

  it.each(EXPECTED)('%s checks any document without throwing', (id) => {
    const type = ruleType(id);
    const junk: JsonObject[] = [{}, { name: [], outcomes: 1, conditions: {} }, { hostname: {}, jobs: [null] }];
    for (const value of [null, 1, 'x', [], [null], [1], {}]) {
      junk.push({
        outcomes: value,
        conditions: value,
        custom_fields: value,
        jobs: value,
        api_roles: value,
        labels: value,
      });
      junk.push({
        webhook_policy: value,
        inventory: value,
        parent: value,
        _id: value,
        sort_field: value,
        project: value,
      });
    }
    for (const document of junk) {
      expect(documentProblems(document, type, new PluginRegistry()).length).toBeGreaterThan(0);
      type.references?.(document);
      type.uniqueValue?.(document);
    }
  });
});
