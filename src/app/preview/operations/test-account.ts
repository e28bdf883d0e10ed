import * as z from 'zod';
import { AppError } from '../../../ports/index.ts';
import type { Account } from '../../accounts/account-directory.ts';
import { accountNameSchema } from '../../accounts/operations/show-account.ts';
import type { OperationContext } from '../../kernel/operation.ts';
import { openSource } from '../../runs/import/open-source.ts';
import type { RunServices } from '../../runs/services.ts';
import { defineOperation } from '../../runs/services.ts';
import { type AccountTest, accountTestSchema } from '../account-test.ts';
import { recordsOf } from '../records-of.ts';
import { accountTestView } from '../views/account-test.ts';

export const testAccount = defineOperation({
  name: 'accounts/test-account',
  title: 'Test account',
  description:
    'Reads the first three records of the source and shows what they would become; of a target, asks it and shows the first three hosts that it would get. Stores nothing.',
  effect: 'read',
  roles: ['admin'],
  weight: 'preview',
  at: {
    command: {
      words: 'account test',
      description:
        'Read the first three records of an account and show what they would become; of a target, ask it and show the first three hosts that it would get. Stores nothing.',
      summary: 'try a source or target and show the first hosts',
      arguments: { name: { shown: '<name>', description: 'name of the account' } },
      json: 'answer the records as JSON',
      examples: ['muster account test datacentre'],
      view: accountTestView,
    },
    page: true,
  },
  input: z.object({ name: accountNameSchema }),
  output: accountTestSchema,
  subject: (input) => input.name,
  async run({ name }, context) {
    const account = await context.services.accounts.inScope(name, context.caller.scope);
    const { plugins } = context.services;
    if (plugins.target(account.type) === undefined) return testSource(account, context);
    if (plugins.source(account.type) === undefined) return testTarget(account, context);
    // First whether it answers; what it is exported to may be empty yet.
    const { target } = await testTarget(account, context);
    const source = await testSource(account, context).catch((error: unknown) => emptySource(account, error));
    return { ...source, ...(target === undefined ? {} : { target }) };
  },
});

/** A system without records can be exported to. */
function emptySource({ name, type }: Account, error: unknown): AccountTest {
  if (!(error instanceof AppError) || error.code !== 'failed') throw error;
  return { account: name, type, records: [], source: { message: error.message } };
}

async function testSource(account: Account, { services, signal }: OperationContext<RunServices>): Promise<AccountTest> {
  const opened = await openSource(services, account);
  const message = await opened.source.check({ signal });
  const records = await recordsOf(services, account, opened, { signal });
  return { account: account.name, type: account.type, source: { message }, records: [...records] };
}

async function testTarget(
  { name: account, type }: Account,
  { services, caller, signal }: OperationContext<RunServices>,
): Promise<AccountTest> {
  const { message, hosts } = await services.targets.test(account, caller, signal);
  const shown = hosts.map(({ variables, expressions, groups, ...host }) => ({
    ...host,
    variables: { ...variables },
    ...(expressions === undefined ? {} : { expressions: { ...expressions } }),
    groups: [...groups],
  }));
  return { account, type, records: [], target: { message, hosts: shown } };
}
