import { API_ACCOUNT_TYPES } from '../../kit/account-options/api-accounts.ts';
import { membersSchema } from '../../kit/document/member-table.ts';
import {
  memberFlag,
  memberObjects,
  memberReference,
  memberText,
  ownMember,
  scalarText,
} from '../../kit/document/members.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import type { RuleType } from '../../ports/rule-type.ts';
import { accountProblems } from './check.ts';
import { members } from './members.ts';
import { withoutMovedSecrets } from './moved-secrets.ts';
import { namedOnMachine } from './on-machine.ts';
import { accountType, optionsNamed, referencesNamed } from './options-named.ts';
import { prepareAccount } from './prepare.ts';
import { accountRefusals } from './refusals.ts';

export const accounts: RuleType = {
  id: 'accounts',
  aliases: [],
  title: 'Accounts',
  description: 'Where hosts come from: a source with its options, or a name that the API writes through.',
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
