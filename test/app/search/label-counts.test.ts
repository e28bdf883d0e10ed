import { expect, it } from 'vitest';
import { LabelCounter } from '../../../src/app/search/decisions/label-counts.ts';
import type { HostRecord } from '../../../src/ports/index.ts';

function counted(...labels: readonly Record<string, string>[]): LabelCounter {
  const counter = new LabelCounter();
  for (const value of labels) counter.add({ labels: { value } } as unknown as HostRecord);
  return counter;
}

const RACKS = ['MDF', 'IDF1', 'IDF2'];

it('tells hosts apart by what things are called before what they are numbered', () => {
  const hosts = Array.from({ length: 12 }, (_, index) => {
    const rack = index % RACKS.length;
    return {
      'rack.id': String(rack),
      'rack.name': RACKS[rack] ?? '',
      'rack.url': `/racks/${rack}`,
      'site.name': 'Akron',
    };
  });
  const fields = counted(...hosts)
    .telling(2, 20)
    .map(({ field }) => field);
  expect(fields).toEqual(['label.rack.name', 'label.site.name']);
});
