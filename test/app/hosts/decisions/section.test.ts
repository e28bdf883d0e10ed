import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sectionDecision } from '../../../../src/app/hosts/decisions/section.ts';

const key = fc.constantFrom('os', 'net', '1', '__proto__');
const section = fc.constantFrom('{}', '{"n":1}', '{"n":"1"}', '{"a":1,"n":[2]}', '{ "n":[2], "a":1 }');
const inventories = fc.uniqueArray(fc.tuple(key, section), { selector: ([name]) => name });

function textOf(members: readonly (readonly [string, string])[]): string {
  return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

it('replaces one section in its place or adds it at the end, and tells both sides', () => {
  fc.assert(
    fc.property(inventories, key, section, fc.boolean(), (members, name, text, tooLarge) => {
      const { outcome, change } = sectionDecision(textOf(members), { key: name, section: text }, () => tooLarge);
      const present = members.find(([other]) => other === name);
      const isSame = present !== undefined && canonical(JSON.parse(present[1])) === canonical(JSON.parse(text));
      expect(outcome).toBe(isSame ? 'unchanged' : tooLarge ? 'too_large' : 'updated');
      if (outcome !== 'updated') {
        expect(change).toBeUndefined();
        return;
      }
      const after: (readonly [string, string])[] =
        present === undefined
          ? [...members, [name, text]]
          : members.map((member) => (member === present ? [name, text] : member));
      expect(change?.inventory).toBe(textOf(after));
      const [told] = change?.remembered.changes ?? [];
      expect(told?.path).toBe(`inventory.${name}`);
      expect([told?.before, told?.after]).toEqual([present && JSON.parse(present[1]), JSON.parse(text)]);
    }),
  );
});

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
