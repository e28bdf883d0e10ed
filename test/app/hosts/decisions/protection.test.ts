import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isProtected } from '../../../../src/app/hosts/decisions/protection.ts';

it('a host is protected by its own member, and by nothing that a text or a nested value says', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('note', 'no_autodelete', 'x'), fc.jsonValue({ maxDepth: 2 })),
      (members) => {
        expect(isProtected(JSON.stringify(members))).toBe(members.no_autodelete === true);
      },
    ),
  );
  expect(isProtected('{"note":"\\"no_autodelete\\":true","x":{"no_autodelete":true}}')).toBe(false);
});
