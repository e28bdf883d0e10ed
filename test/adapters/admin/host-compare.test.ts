import { describe, expect, it } from 'vitest';
import { hostDifferences } from '../../../src/adapters/admin/pages/hosts/compare/host-differences.ts';
import {
  groupDifferences,
  ruledDifferences,
  servedDifferences,
} from '../../../src/adapters/admin/pages/hosts/compare/served-differences.ts';
import type { Explained } from '../../../src/adapters/admin/pages/hosts/explain/explained.ts';
import { between, narrowed } from '../../../src/adapters/admin/pages/hosts/history-filter.ts';

const changes = [
  { time: '2026-01-03T00:00:00Z', kind: 'labels', by: 'user:olga', changes: [{ path: 'labels.b', before: 1 }] },
  {
    time: '2026-01-02T00:00:00Z',
    kind: 'labels',
    by: 'account:dc',
    changes: [
      { path: 'labels.a', before: 'y', after: 'x' },
      { path: 'labels.b', after: 1 },
    ],
  },
  {
    time: '2026-01-01T00:00:00Z',
    kind: 'inventory',
    by: 'account:dc',
    changes: [{ path: 'labels.a', before: 'x', after: 'y' }],
  },
  { time: '2025-12-01T00:00:00Z', kind: 'created', by: 'account:dc', changes: [] },
];

describe('the history of a host', () => {
  it('is put together between two times, without what was changed back', () => {
    expect(between(changes, '2025-12-01T00:00:00Z', '9999')).toEqual([]);
    expect(between(changes, '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z')).toEqual([
      { path: 'labels.a', before: 'y', after: 'x' },
      { path: 'labels.b', after: 1 },
    ]);
    expect(between(changes, '2026-01-02T00:00:00Z', '9999')).toEqual([{ path: 'labels.b', before: 1 }]);
    expect(between(changes, '9999', '2026-01-02T00:00:00Z')).toEqual([]);
    expect(between(changes, '', '2026-01-01T00:00:00Z')).toEqual([{ path: 'labels.a', before: 'x', after: 'y' }]);
  });

  it('is narrowed by kind and by text', () => {
    expect(narrowed(changes, { kinds: ['labels'], text: '' })).toHaveLength(2);
    expect(narrowed(changes, { kinds: [], text: 'OLGA' })).toHaveLength(1);
    expect(narrowed(changes, { kinds: ['created'], text: 'olga' })).toEqual([]);
  });
});

describe('two hosts', () => {
  const host = { labels: { a: 'x', b: 1 }, inventory: { os: { name: 'debian' } }, account: null, object_type: 'host' };

  it('differ in what one of them has, and where values differ', () => {
    expect(hostDifferences(host, host)).toEqual([]);
    const other = { ...host, labels: { a: 'y', c: true }, inventory: {} };
    expect(hostDifferences(host, other)).toEqual([
      { path: 'labels.a', before: 'x', after: 'y' },
      { path: 'labels.b', before: 1 },
      { path: 'inventory.os', before: { name: 'debian' } },
      { path: 'labels.c', after: true },
    ]);
  });
});

describe('what rules make of two hosts', () => {
  const rule = { kind: 'rule', type: 'custom_attributes', id: '1', name: 'Core data centres' } as const;
  const label = { kind: 'label' } as const;

  it('differs by attributes that a rule set on one side at least, with the rule', () => {
    const ours = explained({ tier: ['core', rule], site: ['codfw', label], owner: ['sre', rule] });
    const theirs = explained({
      tier: ['edge', label],
      site: ['esams', label],
      owner: ['sre', rule],
      rack: ['7', rule],
    });
    const named = { type: rule.type, id: rule.id, name: rule.name };
    expect(servedDifferences(ours, theirs)).toEqual([
      { name: 'rack', right: { value: '7', rule: named } },
      { name: 'tier', left: { value: 'core', rule: named }, right: { value: 'edge' } },
    ]);
    expect(servedDifferences(ours, ours)).toEqual([]);
  });

  it('differs by groups that only one of them is in', () => {
    const [ours, theirs] = [explained({}, ['core', 'web']), explained({}, ['web', 'edge', 'edge'])];
    expect(groupDifferences(ours, theirs)).toEqual({ onlyLeft: ['core'], onlyRight: ['edge'] });
    expect(groupDifferences(ours, ours)).toEqual({ onlyLeft: [], onlyRight: [] });
    expect(ruledDifferences(ours, theirs).count).toBe(1);
    expect(ruledDifferences(ours, ours).count).toBe(0);
  });
});

type Origin = Explained['explanation']['attributes'][number]['origin'];

function explained(attributes: Readonly<Record<string, readonly [string, Origin]>>, groups: readonly string[] = []) {
  const values = Object.entries(attributes).map(([name, [value, origin]]) => {
    return { name, value, origin, steps: [{ origin, after: value }], shown: true, replaced: false };
  });
  return {
    explanation: { included: true, attributes: values, variables: [] },
    contributions: [],
    groups: groups.map((group) => ({ group, above: null, origin: null })),
  } as unknown as Explained;
}
