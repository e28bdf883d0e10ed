import * as z from 'zod';
import { memberFlag } from '../../../kit/document/members.ts';
import { worded } from '../../../kit/worded.ts';
import { AppError, type JsonObject, type RuleDocument } from '../../../ports/index.ts';
import { activeOf } from '../../hosts/host-counts.ts';
import { appendApiLog } from '../../journal/api-log.ts';
import { type Caller, TOOL_ROLE, wholeAccountsOf } from '../../kernel/caller.ts';
import { accountAnswer, accountSchema } from '../account-answer.ts';
import { type Account, withoutParent } from '../account-directory.ts';
import type { AccountServices } from '../services.ts';
import { defineOperation } from '../services.ts';
import { accountNameSchema } from './show-account.ts';

/** The one way to secrets of accounts, for the tool server alone; `show-account` masks them. */
export const getAccount = defineOperation({
  name: 'accounts/get-account',
  title: 'Account with secrets',
  description:
    'The full record of one account with its password and secret options in clear text. Every call is logged.',
  effect: 'read',
  roles: [TOOL_ROLE],
  weight: 'light',
  at: {
    tool: {
      name: 'get_account',
      description:
        'The full record of one account WITH ITS PASSWORD AND SECRET OPTIONS IN CLEAR TEXT: treat the answer as secret, and never repeat it. Every call is logged. list_accounts shows accounts without secrets.',
    },
  },
  auditReads: true,
  input: z.object({ name: accountNameSchema }),
  output: accountSchema.omit({ has_password: true }).extend({
    is_child: z.boolean(),
    check_for_valid_hostname: z.boolean(),
    require_fqdn: z.boolean(),
    others: z.record(z.string(), z.unknown()).describe('Members of the stored document that Muster does not use'),
    password: z.string().describe('In clear text; empty when there is none'),
    options: z.record(z.string(), z.string()).describe('Options of the type, secret ones in clear text'),
  }),
  subject: (input) => input.name,
  async run({ name }, { services, caller }) {
    if (caller.readOnly) {
      throw new AppError(
        'read_only',
        worded`User ${{ name: caller.name }} may only read, and secrets of accounts are not for reading`,
      );
    }
    const account = await withinScope(services, caller, await services.accounts.inScope(name, wholeAccountsOf(caller)));
    const { has_password: _, ...record } = accountAnswer(
      account,
      await services.storage.hosts.count(activeOf(account.id)),
    );
    // Secrets kept elsewhere are read there, by those who may.
    const stored = storedHere(account);
    const password = await services.accounts.password(stored);
    const options = await services.accounts.options(stored);
    // Before the answer: no secret is shown without an entry that records it.
    await appendApiLog(services, {
      message: worded`User ${{ user: caller.name }} read account ${{ account: name }} with its secrets`,
      address: caller.address,
    });
    const document = account.record.document.value;
    const flags = {
      is_child: memberFlag(document, 'is_child'),
      check_for_valid_hostname: memberFlag(document, 'check_for_valid_hostname'),
      require_fqdn: memberFlag(document, 'require_fqdn'),
    };
    return { ...record, ...flags, password, options, others: otherMembers(document) };
  },
});

function storedHere(account: Account): Account {
  const fields = new Map([...account.fields].filter(([, { from }]) => from === ''));
  return { ...account, passwordFrom: '', fields };
}

/** A parent out of scope keeps its secrets, though a child of it imports with them. */
async function withinScope({ accounts }: AccountServices, { scope }: Caller, account: Account): Promise<Account> {
  if (scope === null || account.parent === '') return account;
  const [parent = ''] = await accounts.scopeOf([account.parent]);
  return scope.includes(parent) ? account : withoutParent(account);
}

const KNOWN = new Set([
  ...Object.keys(accountSchema.shape),
  ...['_id', 'typ', 'custom_fields', 'password', 'password_crypted', 'password_from'],
  ...['is_child', 'check_for_valid_hostname', 'require_fqdn'],
]);

function otherMembers(document: RuleDocument): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !KNOWN.has(name)));
}
