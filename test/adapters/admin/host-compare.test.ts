import { describe, expect, it } from 'vitest';
import { hostDifferences } from '../../../src/adapters/admin/pages/hosts/compare/host-differences.ts';
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
