import { memberProblems } from '../../kit/document/member-table.ts';
import { memberObjects, memberReference, memberText, ownMember, referenceValue } from '../../kit/document/members.ts';
import { referenceShapeProblem } from '../../kit/options/secret-reference.ts';
import { detailOf, phrase, worded } from '../../kit/worded.ts';
import type { ErrorDetail } from '../../ports/errors.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import { members } from './members.ts';

export function accountProblems(document: RuleDocument): readonly ErrorDetail[] {
  const problems = memberProblems(document, members);
  const parent = memberReference(document, 'parent');
  const id = referenceValue(ownMember(document, '_id'));
  if (parent !== undefined && (parent === id || parent === memberText(document, 'name'))) {
    problems.push({ path: 'parent', message: phrase`must be another account` });
  }
  return [...problems, ...referenceProblems(document)];
}

/** A secret stands here or is kept elsewhere: with both, nobody could tell which one counts. */
function referenceProblems(document: RuleDocument): readonly ErrorDetail[] {
  const holders = [
    { holder: document, at: '', from: 'password_from', stored: ['password', 'password_crypted'] },
    ...memberObjects(document, 'custom_fields').map((holder, index) => ({
      holder,
      at: `custom_fields.${index}.`,
      from: 'value_from',
      stored: ['value', 'value_crypted'],
    })),
  ];
  return holders.flatMap(({ holder, at, from, stored }) => {
    const reference = memberText(holder, from);
    if (reference === '') return [];
    const shape = referenceShapeProblem(reference);
    if (shape !== undefined) return [{ path: `${at}${from}`, message: shape }];
    const both = stored.find((member) => memberText(holder, member) !== '');
    return both === undefined ? [] : [detailOf(`${at}${from}`, worded`stands beside ${{ both }}; keep one of them`)];
  });
}
