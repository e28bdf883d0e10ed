import { describe, expect, it } from 'vitest';
import { labelsBefore } from '../../../src/adapters/admin/pages/hosts/labels/labels-before.ts';

describe('what puts labels back', () => {
  const labels = { site: 'fra', tags: ['a'], note: 'moved', 'a.b': 1 };

  it('sets what stood there, and takes away what did not', () => {
    const changes = [
      { path: 'labels.site', before: 'ber', after: 'fra' },
      { path: 'labels.note', after: 'moved' },
      { path: 'labels.gone', before: null },
      { path: 'labels.a.b', before: 2, after: 1 },
    ];
    expect(labelsBefore(labels, { kind: 'labels', changes })).toEqual({
      set: { site: 'ber', gone: null, 'a.b': 2 },
      remove: ['note'],
    });
  });

  it('is nothing where they are as before, and of changes of anything else', () => {
    const changes = [{ path: 'labels.tags', before: ['a'], after: [] }, { path: 'labels.toString' }];
    expect(labelsBefore(labels, { kind: 'labels', changes })).toBeUndefined();
    expect(
      labelsBefore(labels, { kind: 'inventory', changes: [{ path: 'inventory.hw', before: {} }] }),
    ).toBeUndefined();
  });
});
