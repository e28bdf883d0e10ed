import { describe, expect, it } from 'vitest';
import { flatLabels } from '../../../../src/kit/records/flat-labels.ts';

describe('flat labels', () => {
  it('call members by their path, in the order in which they come', () => {
    const labels = { z: 1, site: { name: 'a', room: { floor: 3 } }, none: {}, tags: ['x', { name: 'y' }, { id: 1 }] };
    const flat = { z: 1, 'site.name': 'a', 'site.room.floor': 3, tags: ['x', 'y', '{"id":1}'] };
    expect(Object.entries(flatLabels(labels))).toEqual(Object.entries(flat));
  });

  it('take a label that is called like a member for the one that counts', () => {
    const site = { name: 'member', id: 1 };
    expect(flatLabels({ site, 'site.name': 'label' })).toEqual({ 'site.name': 'label', 'site.id': 1 });
    expect(flatLabels({ 'site.name': ['label'], site })).toEqual({ 'site.name': ['label'], 'site.id': 1 });
  });
});
