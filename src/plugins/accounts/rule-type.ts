import { API_ACCOUNT_TYPES } from '../../kit/account-options/api-accounts.ts';
import { commonAccountOptions } from '../../kit/account-options/common-options.ts';
import { memberProblems, membersSchema } from '../../kit/document/member-table.ts';
import {
  memberFlag,
  memberObjects,
  memberReference,
  memberText,
  ownMember,
  referenceValue,
  scalarText,
} from '../../kit/document/members.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import { referenceShapeProblem } from '../../kit/options/secret-reference.ts';
import { detailOf, phrase, worded } from '../../kit/worded.ts';
import type { ErrorDetail } from '../../ports/errors.ts';
import type { JsonValue } from '../../ports/json.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import type { RuleType } from '../../ports/rule-type.ts';
import { members } from './members.ts';
import { accountType, optionsNamed, referencesNamed } from './options-named.ts';
import { prepareAccount } from './prepare.ts';
import { accountRefusals } from './refusals.ts';

export const accounts: RuleType = {
  id: 'accounts',
  aliases: [],
  title: 'Accounts',
  description: 'Source of hosts: a system with its options, or a name that the API writes through.',
  keyedBy: 'name',
  group: 'Kept with the rules',
  uniqueNames: true,
  conditional: false,
  exportGroup: 'accounts',
  secretMembers: ['password', 'password_crypted', 'custom_fields.value_crypted'],
  get schema() {
    return membersSchema(members);
  },
  check: accountProblems,
  references: (document) => {
    const target = memberReference(document, 'parent');
    return target === undefined ? [] : [{ path: 'parent', type: 'accounts', target }];
  },
  optionsNamed,
  acts: (document) => {
    const type = accountType(document);
    const references = referencesNamed(document).map((reference) => `reads the secret ${reference}`);
    return API_ACCOUNT_TYPES.has(type)
      ? references
      : [`makes Muster read from or write to what its options name (${type})`, ...references];
  },
  restricts: {
    // Children have what it says by its name.
    part: (document) => {
      const threshold = approvalAbove(document);
      return threshold === undefined ? parentOf(document) : [memberText(document, 'name'), threshold];
    },
    needsSecond(before, after, find) {
      // An account has what its parent says and it does not say itself.
      const effective = (document: RuleDocument) =>
        (approvalAbove(document) ?? approvalAbove(find(parentOf(document) ?? '') ?? {})) || undefined;
      const threshold = effective(before);
      const isRenamed = approvalAbove(before) !== undefined && memberText(before, 'name') !== memberText(after, 'name');
      return threshold !== undefined && (isRenamed || threshold !== effective(after));
    },
  },
  onMachine: namedOnMachine,
  prepare: prepareAccount,
  withoutMovedSecrets,
  refusals: accountRefusals,
  accountsOf: (document) => [memberText(document, 'name')],
  visible: (document, { accounts, templates }) =>
    templates === null && (accounts === null || accounts.includes(memberText(document, 'name'))),
};

/** From how many changes on a second person has to approve a plan, as the account says itself; empty: from none on. */
function approvalAbove(document: RuleDocument): string | undefined {
  const option = memberObjects(document, 'custom_fields').findLast(
    (field) => memberText(field, 'name') === 'approval_above',
  );
  if (option === undefined) return undefined;
  const elsewhere = memberText(option, 'value_from') || memberText(option, 'value_crypted');
  return elsewhere || (scalarText(ownMember(option, 'value')) ?? '');
}

function parentOf(document: RuleDocument): string | undefined {
  return memberFlag(document, 'is_child') ? memberReference(document, 'parent') : undefined;
}

function accountProblems(document: RuleDocument): readonly ErrorDetail[] {
  const problems = memberProblems(document, members);
  const parent = memberReference(document, 'parent');
  const id = referenceValue(ownMember(document, '_id'));
  if (parent !== undefined && (parent === id || parent === memberText(document, 'name'))) {
    problems.push({ path: 'parent', message: phrase`must be another account` });
  }
  return [...problems, ...referenceProblems(document)];
}

/** A secret is either stored here or kept elsewhere: with both, it would be unclear which one counts. */
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
    return both === undefined
      ? []
      : [detailOf(`${at}${from}`, worded`is given together with ${{ both }}; keep one of them`)];
  });
}

/** A past account without the password and the options that the present one names a reference for. */
function withoutMovedSecrets(past: RuleDocument, present: RuleDocument): RuleDocument {
  const moved = new Set(
    memberObjects(present, 'custom_fields')
      .filter((field) => memberText(field, 'value_from') !== '')
      .map((field) => memberText(field, 'name')),
  );
  const entries = Object.entries(past).filter(([name]) => !isMovedPassword(name, present));
  const fields = ownMember(past, 'custom_fields');
  if (!Array.isArray(fields) || !fields.some((field) => isMovedField(field, moved)))
    return entries.length === Object.keys(past).length ? past : Object.fromEntries(entries);
  const kept = fields.filter((field) => !isMovedField(field, moved));
  return Object.fromEntries(entries.map(([name, value]) => [name, name === 'custom_fields' ? kept : value]));
}

function isMovedPassword(member: string, present: RuleDocument): boolean {
  return (member === 'password' || member === 'password_crypted') && memberText(present, 'password_from') !== '';
}

function isMovedField(field: JsonValue, moved: ReadonlySet<string>): boolean {
  return isJsonObject(field) && moved.has(memberText(field, 'name')) && memberText(field, 'value_crypted') !== '';
}

/**
 * All that may decide about files: the type, the parent that options come from, the address, and every option but the common
 * ones, because only a type knows which of its options name files. Sealed values stand for themselves.
 */
function namedOnMachine(document: RuleDocument): string {
  const fields = memberObjects(document, 'custom_fields')
    .map((field) => [
      memberText(field, 'name'),
      memberText(field, 'value'),
      memberText(field, 'value_crypted'),
      memberText(field, 'value_from'),
    ])
    .filter(([name = '']) => !commonAccountOptions().has(name));
  return JSON.stringify([
    memberText(document, 'type') || memberText(document, 'typ'),
    memberFlag(document, 'is_child'),
    memberReference(document, 'parent') ?? '',
    memberText(document, 'address'),
    fields,
  ]);
}
