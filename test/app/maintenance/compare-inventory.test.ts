import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { systemClock } from '../../../src/adapters/system-clock.ts';
import { differencesBetween, hostsOfInventory } from '../../../src/app/migration/decisions/compared-inventories.ts';
import { compareInventory } from '../../../src/app/migration/operations/compare-inventory.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import type { JsonObject } from '../../../src/ports/json.ts';
import { OperationsApp } from '../operations/operations-app.ts';

const host = (hostname: string, labels: JsonObject, members: JsonObject = {}) => ({
  hostname,
  labels,
  object_type: 'host',
  account: 'lab',
  ...members,
});
const rule = (id: number, name: string, members: JsonObject) => ({
  _id: { $oid: id.toString(16).padStart(24, '0') },
  name,
  enabled: true,
  condition_typ: 'anyway',
  conditions: [],
  ...members,
});
const siteIs = (value: string) => [{ match_type: 'tag', tag_match: 'equal', tag: 'site', value_match: 'equal', value }];

const RULES = {
  accounts: [
    {
      _id: { $oid: 'aa'.repeat(12) },
      name: 'lab',
      type: 'api',
      enabled: true,
      custom_fields: [{ name: 'token', value: 'geheim', secret: true }],
    },
  ],
  host_objects: [
    host('web01', { site: 'berlin', hidden: 'x', port: 80, motd: '{{ site }}' }),
    host('web02', { site: 'berlin', port: 80 }),
    host('db01', { site: 'oslo' }),
    host('printer', { site: 'berlin' }, { is_object: true }),
  ],
  automation_filter: [
    rule(1, 'Visible', {
      outcomes: ['site', 'port', 'motd', 'extra', 'passed'].map((attribute_name) => ({
        action: 'whitelist_attribute',
        attribute_name,
      })),
    }),
    rule(2, 'Not Oslo', { condition_typ: 'all', conditions: siteIs('oslo'), outcomes: [{ action: 'ignore_hosts' }] }),
  ],
  custom_attributes: [
    rule(3, 'Extra', {
      outcomes: [
        { attribute_name: 'extra', attribute_value: 'more' },
        { attribute_name: 'passed', attribute_value: 'x{{ACCOUNT:lab:token}}' },
      ],
    }),
  ],
  automation_customvars: [
    rule(4, 'Where', { outcomes: [{ attribute_name: 'where', attribute_value: '{{ site }}!' }] }),
    rule(5, 'Only Bergen', {
      condition_typ: 'all',
      conditions: siteIs('bergen'),
      outcomes: [{ attribute_name: 'fjord', attribute_value: 'yes' }],
    }),
    rule(6, 'Secret', { outcomes: [{ attribute_name: 'token', attribute_value: '{{ACCOUNT:lab:token}}' }] }),
  ],
};

const THEIRS = {
  web01: {
    site: 'berlin',
    hidden: 'x',
    port: '80',
    motd: '{{ site }}',
    where: 'Berlin',
    fjord: 'yes',
    token: 'other',
    never: 1,
  },
  web02: { site: 'berlin', port: '80', where: 'Berlin', fjord: 'yes', token: 'other' },
  db01: { site: 'oslo' },
  printer: {},
  gone: {},
};

let muster: OperationsApp;
beforeEach(async () => {
  const storage = memoryStorage()({ clock: systemClock });
  await storage.start();
  muster = await OperationsApp.over(storage);
  const { details } = await muster.run(importRules, { rules: RULES });
  expect(details).toEqual([]);
});
afterEach(() => muster.stop());

const inventory = (hostvars: JsonObject) =>
  JSON.stringify({ _meta: { hostvars }, all: { hosts: Object.keys(hostvars) } });
const compare = (hostvars: JsonObject, provider = 'ansible') =>
  muster.run(compareInventory, { theirs: inventory(hostvars), provider });

describe('a comparison of inventories', () => {
  it('groups differences by variable and cause, and names the rule or source that made ours', async () => {
    const { hosts, differences, groups } = await compare(THEIRS);
    expect(hosts).toEqual({ theirs: 5, ours: 2, same: 0 });
    expect(differences).toBe(18);
    const shown = groups.map(({ variable, how, cause, rule: made, count }) => {
      return `${count} ${variable} ${how}: ${cause}${made === null ? '' : ` ${made.type} ${made.name}`}`;
    });
    expect(shown.sort()).toEqual([
      '1 hidden missing: no filter rule shows the attribute',
      '1 motd changed: template text of data, which is broken by a space',
      '1 never missing: no source and no rule sets it',
      '1 null missing: a filter rule takes the host out automation_filter Not Oslo',
      '1 null missing: it is an object and no host',
      '1 null missing: no host of this name is stored',
      '2 extra added: a filter rule shows the attribute automation_filter Visible',
      '2 fjord missing: the rule that sets it does not hit automation_customvars Only Bergen',
      '2 passed added: a filter rule shows the attribute automation_filter Visible',
      '2 port type: label from account lab',
      '2 token changed: a rule automation_customvars Secret',
      '2 where changed: a rule automation_customvars Where',
    ]);
  });

  it('shows both sides in examples, and nothing that may be a secret', async () => {
    const answer = await compare(THEIRS);
    const about = (name: string) => answer.groups.find(({ variable }) => variable === name)?.examples;
    expect(about('where')).toEqual([
      { hostname: 'web01', theirs: 'Berlin', ours: 'berlin!' },
      { hostname: 'web02', theirs: 'Berlin', ours: 'berlin!' },
    ]);
    expect(about('token')?.[0]).toEqual({ hostname: 'web01', theirs: '********', ours: '********' });
    expect(JSON.stringify(answer)).not.toMatch(/geheim|"other"/);
  });

  it('finds no difference between an inventory and itself', async () => {
    const { groups } = await compare({});
    expect(groups).toMatchObject([{ variable: null, how: 'added', cause: 'host of account lab', count: 2 }]);
    const ours = { site: 'berlin', port: 80, extra: 'more', where: 'berlin!', token: 'geheim', passed: 'xgeheim' };
    const same = await compare({ web01: { ...ours, motd: '{ { site }}' }, web02: ours });
    expect(same).toMatchObject({ differences: 0, groups: [], hosts: { theirs: 2, ours: 2, same: 2 } });
  });

  it('explains a row of a pasted list by its rule, also where it replaces a stored host', async () => {
    const outcomes = [{ attribute_name: 'tier', attribute_value: 'of {{ level }}' }];
    const list_source = 'hostname;level\nprinter;1\nweb02;2';
    const list = rule(7, 'Appliances', { rule_source: 'list', list_source, outcomes });
    expect(await muster.run(importRules, { rules: { automation_customvars: [list] } })).toMatchObject({ details: [] });
    const { groups } = await compare({ printer: { tier: 'x' }, web02: { tier: 'x' } });
    expect(groups.filter(({ variable }) => variable === 'tier')).toMatchObject([
      { how: 'changed', cause: 'a rule', rule: { name: 'Appliances' }, count: 2 },
    ]);
    const added = (await compare({})).groups.filter(({ variable }) => variable === null);
    expect(added.map(({ cause, count }) => [cause, count])).toEqual([
      ['a row of a pasted list', 2],
      ['host of account lab', 1],
    ]);
  });

  it('refuses what is no inventory, and a provider that nobody knows', async () => {
    for (const theirs of ['no json', '{}', '[]', '{"_meta":{"hostvars":[]}}']) {
      await expect(muster.run(compareInventory, { theirs })).rejects.toMatchObject({ code: 'invalid_input' });
    }
    await expect(compare({}, 'nowhere')).rejects.toMatchObject({ code: 'not_found' });
  });
});

const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.string()));
const hostvars = fc.dictionary(fc.string(), fc.dictionary(fc.string(), value));

describe('differences between two inventories', () => {
  const hosts = (vars: JsonObject) => hostsOfInventory({ _meta: { hostvars: vars } }) ?? new Map();

  it('are none for equal ones, whatever the order', () => {
    fc.assert(
      fc.property(hostvars, (vars) => {
        const turned = Object.fromEntries(
          Object.entries(vars)
            .reverse()
            .map(([name, of]) => [name, Object.fromEntries(Object.entries(of).reverse())]),
        );
        expect([...differencesBetween(hosts(vars), hosts(turned))]).toEqual([]);
      }),
    );
  });

  it('are those of the other direction, turned', () => {
    const turned = { missing: 'added', added: 'missing', changed: 'changed', type: 'type' } as const;
    const key = (difference: object) => JSON.stringify(difference);
    fc.assert(
      fc.property(hostvars, hostvars, (one, other) => {
        const there = [...differencesBetween(hosts(one), hosts(other))].map(({ hostname, variable, how }) =>
          key({ hostname, variable, how }),
        );
        const back = [...differencesBetween(hosts(other), hosts(one))].map(({ hostname, variable, how }) =>
          key({ hostname, variable, how: turned[how] }),
        );
        expect(there.sort()).toEqual(back.sort());
      }),
    );
  });
});
