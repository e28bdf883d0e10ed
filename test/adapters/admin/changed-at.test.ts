import { expect, it } from 'vitest';
import { createdAt, labelsChangedAt } from '../../../src/adapters/admin/pages/hosts/sheet/changed-at.ts';

it('tells of each label its newest change', () => {
  const change = (time: string, ...paths: string[]) => ({
    time,
    kind: 'labels',
    by: 'user olga',
    changes: paths.map((path) => ({ path, before: 'a', after: 'b' })),
  });
  const moments = labelsChangedAt([
    change('2026-03-02 10:00:00', 'labels.site'),
    change('2026-03-01 10:00:00', 'labels.site', 'labels.rack.unit', 'inventory.facts'),
  ] as never);
  expect([...moments]).toEqual([
    ['site', '2026-03-02 10:00:00'],
    ['rack.unit', '2026-03-01 10:00:00'],
  ]);
});

it('knows when a host was created where its history goes back as far', () => {
  const changes = [
    { time: '2026-03-02 10:00:00', kind: 'labels', by: 'user olga', changes: [] },
    { time: '2026-03-01 10:00:00', kind: 'created', by: 'account crm', changes: [] },
  ];
  expect(createdAt(changes)).toBe('2026-03-01 10:00:00');
  expect(createdAt(changes.slice(0, 1))).toBeUndefined();
});
