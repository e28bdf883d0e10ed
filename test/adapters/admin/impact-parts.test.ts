import { expect, it } from 'vitest';
import { partsOf } from '../../../src/adapters/admin/pages/rules/order/impact-parts.ts';

it('rules are asked about in the inventories that they have a part in', () => {
  const [one, two, three] = [{ name: 'one' }, { name: 'two' }, { name: 'three' }];
  const changed = [
    { type: 'custom_attributes', document: one, provider: undefined },
    { type: 'automation_customvars', document: two, provider: 'cdn' },
    { type: 'automation_customvars', document: three, provider: 'automation' },
  ];
  expect(partsOf(changed, ['automation', 'cdn'])).toEqual([
    { provider: 'automation', rules: { custom_attributes: [one], automation_customvars: [three] } },
    { provider: 'cdn', rules: { custom_attributes: [one], automation_customvars: [two] } },
  ]);
});
