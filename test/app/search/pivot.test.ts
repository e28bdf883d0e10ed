import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PivotCounter } from '../../../src/app/search/decisions/pivot.ts';

it('counts hosts by two fields, those without a value last', () => {
  const counter = new PivotCounter();
  counter.add(['fra'], ['linux']);
  counter.add(['fra'], ['linux', 'web']);
  counter.add(['ber'], []);
  counter.add([], ['linux']);
  counter.add([null, ''], ['linux']);
  counter.add(['fra', 'fra'], [1]);
  expect(counter.most(10, 10)).toEqual({
    columns: [
      { value: 'linux', count: 4, hasEmpty: false },
      { value: '1', count: 1, hasEmpty: false },
      { value: 'web', count: 1, hasEmpty: false },
      { value: '', count: 1, hasEmpty: false },
    ],
    rows: [
      { value: 'fra', count: 3, cells: [2, 1, 1, 0], hasEmpty: false },
      { value: 'ber', count: 1, cells: [0, 0, 0, 1], hasEmpty: false },
      { value: '', count: 2, cells: [2, 0, 0, 0], hasEmpty: true },
    ],
    isCut: false,
  });
  expect(counter.most(1, 1)).toEqual({
    columns: [{ value: 'linux', count: 4, hasEmpty: false }],
    rows: [{ value: 'fra', count: 3, cells: [2], hasEmpty: false }],
    isCut: true,
  });
});

it('has a cell for each host where each has one value', () => {
  const value = fc.constantFrom('a', 'b', 'c', '', null);
  fc.assert(
    fc.property(fc.array(fc.tuple(value, value)), (hosts) => {
      const counter = new PivotCounter();
      for (const [row, column] of hosts) counter.add([row], [column]);
      const { rows, columns } = counter.most(10, 10);
      const sum = (numbers: readonly number[]): number => numbers.reduce((all, number) => all + number, 0);
      expect(sum(rows.map(({ count }) => count))).toBe(hosts.length);
      expect(sum(columns.map(({ count }) => count))).toBe(hosts.length);
      for (const { count, cells } of rows) expect(sum(cells)).toBe(count);
    }),
  );
});
