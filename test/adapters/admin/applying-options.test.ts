import { describe, expect, it } from 'vitest';
import { idleOptions, optionGroups } from '../../../src/adapters/admin/pages/accounts/applying-options.ts';
import { fieldsOf } from '../../../src/adapters/admin/pages/forms/schema.ts';

const FIELDS = fieldsOf({
  properties: {
    shape: { enum: ['csv', 'template'] },
    publish: { type: 'boolean', default: false },
    separator: { type: 'string', when: { shape: ['csv'] } },
    folder: { type: 'string', when: { shape: ['csv'], publish: ['false'] } },
    proxy: { type: 'string', rare: true },
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

  it('are folded where few people need them, and stay in their place while somebody types', () => {
    expect(names(optionGroups(FIELDS, chosen({})).rare)).toEqual(['proxy']);
    expect(names(optionGroups(FIELDS, chosen({ proxy: 'h' })).rare)).toEqual(['proxy']);
    expect(optionGroups(FIELDS, chosen({}, { proxy: 'http://proxy' })).rare).toEqual([]);
    expect(names(optionGroups(FIELDS, chosen({ shape: 'csv' })).usual)).toEqual([
      'shape',
      'publish',
      'separator',
      'folder',
    ]);
  });
});
