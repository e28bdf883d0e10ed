import { expect, it } from 'vitest';
import { namesLike } from '../../../src/adapters/admin/pages/accounts/names-like.ts';

it('names are offered for a misspelt one that are nearly the same or hold it', () => {
  const names = ['cluster', 'cluster_name', 'site', 'rack', 'netbox_site', 'clock'];
  expect(namesLike('clustr', names)).toEqual(['cluster']);
  expect(namesLike('cluster_names', names)).toEqual(['cluster_name', 'cluster']);
  expect(namesLike('Site', names)).toEqual(['site', 'netbox_site']);
  expect(namesLike('zone', names)).toEqual([]);
});
