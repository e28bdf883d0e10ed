import { describe, expect, it } from 'vitest';
import {
  draftsOf,
  emptyLabel,
  labelsOf,
  ofKind,
  problemsOf,
} from '../../../src/adapters/admin/pages/hosts/labels/label-drafts.ts';
import { sectionProblem } from '../../../src/adapters/admin/pages/hosts/section-text.ts';
import type { Labels } from '../../../src/ports/index.ts';

function problems(labels: Labels, change: Partial<ReturnType<typeof emptyLabel>['value']>): readonly string[] {
  const drafts = draftsOf(labels).map((draft) => ({ ...draft, value: { ...draft.value, ...change } }));
  return problemsOf(drafts).map(({ message }) => message);
}

describe('the form of labels', () => {
  it('keeps every type, key and order', () => {
    const labels = JSON.parse(
      '{"text":"12","empty":"","number":-2.5,"yes":true,"no":false,"null":null,"list":["a",1,true,null],"none":[],"a.b/c":" x ","__proto__":"p"}',
    ) as Labels;
    const drafts = draftsOf(labels);
    expect(problemsOf(drafts)).toEqual([]);
    expect(JSON.stringify(labelsOf(drafts))).toBe(JSON.stringify(labels));
  });

  it('refuses numbers that would not be kept as they are written', () => {
    const number = (text: string) => problems({ a: 1 }, { text });
    for (const text of ['0', '-0.0', '1e3', '9007199254740992', '0.1', ' 7 ']) expect(number(text)).toEqual([]);
    for (const text of ['', 'x', '0x10', '012', '1,5', 'Infinity', '12345678901234567890', '1e400', '1e-400']) {
      expect(number(text), text).toHaveLength(1);
    }
  });

  it('keeps what was typed when the kind changes', () => {
    const { value } = emptyLabel();
    expect(ofKind({ ...value, text: 'false' }, 'truth')).toMatchObject({ kind: 'truth', truth: false, text: 'false' });
    expect(ofKind({ ...value, text: '12' }, 'number')).toMatchObject({ kind: 'number', text: '12' });
    expect(ofKind({ ...value, text: 'web' }, 'truth')).toMatchObject({ truth: true, text: 'web' });
  });

  it('refuses names that cannot be, or are there twice', () => {
    const [first, second] = draftsOf({ a: 1, b: 2 });
    if (first === undefined || second === undefined) throw new Error('there are two');
    expect(problemsOf([first, { ...second, key: 'a' }])).toMatchObject([{ id: second.id, part: 'key' }]);
    expect(problemsOf([{ ...first, key: '$a' }, emptyLabel()])).toHaveLength(2);
  });
});

describe('the form of inventory sections', () => {
  it('takes JSON objects whose numbers are kept', () => {
    expect(sectionProblem('{"a": {"b": [1, 2.5, "12345678901234567890", "\\"9"]}}')).toBeNull();
    for (const text of ['', '{', '[]', 'null', '"a"', '{"a": 12345678901234567890}', '{"a": [1e400]}']) {
      expect(sectionProblem(text), text).not.toBeNull();
    }
  });
});
