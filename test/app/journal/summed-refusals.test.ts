import { expect, it } from 'vitest';
import { SummedRefusals } from '../../../src/app/journal/summed-refusals.ts';

function counter() {
  const sums: [string, string, number][] = [];
  const refusals = new SummedRefusals({
    reported: 10,
    reportedInAll: 20,
    write: ({ source, what, count }) => sums.push([source, what, count]),
  });
  return {
    sums,
    refusals,
    reported: (address: string, times: number) =>
      Array.from({ length: times }, () => refusals.reports(address, 'a group')).filter(Boolean).length,
  };
}

it('tells a burst one by one, and the rest of the minute in a sum', () => {
  const { refusals, sums, reported } = counter();
  expect(reported('192.0.2.1', 15)).toBe(10);
  expect(reported('192.0.2.2', 3)).toBe(3);
  refusals.flush();
  expect(sums).toEqual([['192.0.2.1', 'a group', 5]]);
});

it('tells few each minute of whoever goes on, and a burst again after some minutes of quiet', () => {
  const { refusals, reported } = counter();
  expect(reported('192.0.2.1', 100)).toBe(10);
  for (let minute = 0; minute < 5; minute++) {
    refusals.flush();
    expect(reported('192.0.2.1', 100)).toBe(1);
  }
  for (let minute = 0; minute < 10; minute++) refusals.flush();
  expect(reported('192.0.2.1', 100)).toBe(10);
});

it('is bounded over all sources', () => {
  const { refusals, reported } = counter();
  const all = () =>
    Array.from({ length: 100 }, (_, index) => reported(`192.0.2.${index}`, 2)).reduce((a, b) => a + b, 0);
  expect(all()).toBe(20);
  refusals.flush();
  expect(all()).toBe(5);
});
