import { expect, it } from 'vitest';
import { jsonProblem } from '../../../src/adapters/admin/pages/editor/json-problem.ts';
import { differences, merged } from '../../../src/adapters/admin/pages/rules/merge.ts';

const BASE = { name: 'a', sort_field: 1, outcomes: [{ x: 1 }], gone: true };

it('what two people changed stands together, and what both changed is named', () => {
  const theirs = { name: 'a', sort_field: 7, outcomes: [{ x: 2 }], gone: true, added: 1 };
  expect(merged(BASE, theirs, { ...BASE, name: 'b' })).toEqual({ document: { ...theirs, name: 'b' }, both: [] });
  const { gone, ...without } = BASE;
  expect(gone).toBe(true);
  expect(merged(BASE, theirs, { ...without, outcomes: [{ x: 3 }] })).toEqual({
    document: { name: 'a', sort_field: 7, outcomes: [{ x: 3 }], added: 1 },
    both: ['outcomes.0'],
  });
  expect(merged(BASE, { ...BASE, sort_field: 7 }, { ...BASE, sort_field: 7 }).both).toEqual([]);
  expect(differences(BASE, without)).toEqual([{ path: 'gone', before: true }]);
});

it('lists that stayed as long are put together element by element, and others as a whole', () => {
  const base = { outcomes: [{ x: 1 }, { x: 2 }, null] };
  const theirs = { outcomes: [{ x: 7 }, { x: 2 }, null] };
  const mine = { outcomes: [{ x: 1 }, { x: 8 }, null] };
  expect(merged(base, theirs, mine)).toEqual({ document: { outcomes: [{ x: 7 }, { x: 8 }, null] }, both: [] });
  expect(merged(base, { outcomes: [{ x: 1 }, { x: 9 }, 'set'] }, mine)).toEqual({
    document: { outcomes: [{ x: 1 }, { x: 8 }, 'set'] },
    both: ['outcomes.1'],
  });
  const longer = { outcomes: [...base.outcomes, { x: 4 }] };
  expect(merged(base, theirs, longer)).toEqual({ document: longer, both: ['outcomes'] });
  expect(merged(base, longer, mine)).toEqual({ document: mine, both: ['outcomes'] });
  expect(merged(base, base, longer)).toEqual({ document: longer, both: [] });
});

it('an error of JSON is told with its line', () => {
  expect(jsonProblem('{"a": 1}')).toBeUndefined();
  expect(jsonProblem('{\n  "a": 1,\n  b\n}')?.message).toMatch(/^Line 3: /);
  expect(jsonProblem('{\n  "a": 1')?.message).toMatch(/^Line 2: /);
});
