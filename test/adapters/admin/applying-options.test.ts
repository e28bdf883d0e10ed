import { describe, expect, it } from 'vitest';
import { differs, idleOptions, optionGroups } from '../../../src/adapters/admin/pages/accounts/applying-options.ts';
import { fieldsOf } from '../../../src/adapters/admin/pages/forms/schema.ts';

const FIELDS = fieldsOf({
  properties: {
    shape: { enum: ['csv', 'template'], group: { title: 'Which' } },
    publish: { type: 'boolean', default: false },
    separator: { type: 'string', when: { shape: ['csv'] } },
    folder: { type: 'string', when: { shape: ['csv'], publish: ['false'] } },
    proxy: { type: 'string', rare: true, group: { title: 'Where' } },
  },
});

function chosen(values: Readonly<Record<string, string>>, stored: Readonly<Record<string, string>> = {}) {
  const fallbacks = new Map(FIELDS.map(({ name, fallback }) => [name, fallback]));
  return {
    current: (name: string) => values[name] || (fallbacks.get(name) ?? ''),
    isKept: (name: string) => Boolean(values[name] || stored[name]),
    wasSet: (name: string) => Boolean(stored[name]),
  };
}

const names = (fields: readonly { readonly name: string }[]) => fields.map(({ name }) => name);

describe('options of an account', () => {
  it('are idle until each option that they need has one of the values, defaults included', () => {
    expect([...idleOptions(FIELDS, chosen({}))]).toEqual(['separator', 'folder']);
    expect([...idleOptions(FIELDS, chosen({ shape: 'csv' }))]).toEqual([]);
    expect([...idleOptions(FIELDS, chosen({ shape: 'csv', publish: 'true' }))]).toEqual(['folder']);
    expect([...idleOptions(FIELDS, chosen({ shape: 'template' }))]).toEqual(['separator', 'folder']);
  });

  it('are shown while they are set, whatever is chosen', () => {
    expect([...idleOptions(FIELDS, chosen({ separator: ';' }))]).toEqual(['folder']);
    expect([...idleOptions(FIELDS, chosen({}, { separator: ';' }))]).toEqual(['folder']);
  });

  it('are folded as long as they are as by default, and stay in their place while somebody types', () => {
    const groups = (...of: Parameters<typeof chosen>) =>
      optionGroups(FIELDS, { ...chosen(...of), isAsked: ({ name }) => name === 'shape' }).map((group) => ({
        title: group.title,
        shown: names(group.shown),
        folded: names(group.folded),
      }));
    expect(groups({})).toEqual([
      { title: 'Where', shown: [], folded: ['proxy'] },
      { title: 'Which', shown: ['shape'], folded: [] },
      { title: '', shown: [], folded: ['publish'] },
    ]);
    expect(groups({ publish: 'true' }).at(-1)?.folded).toEqual(['publish']);
    expect(groups({}, { proxy: 'http://proxy' })[0]?.shown).toEqual(['proxy']);
    // What has an effect by an option that is shown stands with those that are shown.
    expect(groups({ shape: 'csv' }).at(-1)).toEqual({ title: '', shown: ['separator', 'folder'], folded: ['publish'] });
  });

  it('differ where another value is set than counts anyway; one that is needed has no default', () => {
    const [shape, publish] = FIELDS;
    expect(publish && differs(publish, 'true')).toBe(true);
    expect(publish && differs(publish, 'false')).toBe(false);
    expect(shape && differs({ ...shape, required: true }, 'csv')).toBe(false);
  });
});
