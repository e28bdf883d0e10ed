import * as z from 'zod';
import { activeOf } from '../../hosts/host-counts.ts';
import { runLogSource } from '../../journal/run-log.ts';
import { accountLogSources } from '../../journal/visible-logs.ts';
import {
  accountAnswer,
  accountSchema,
  incompleteOf,
  incompleteSchema,
  kindSchema,
  lastRunOf,
  lastRunSchema,
  undoneOf,
  undoneSchema,
} from '../account-answer.ts';
import { accountKind } from '../account-types.ts';
import { defineOperation } from '../services.ts';
import { accountView } from '../views/accounts.ts';

export const accountNameSchema = z.string().min(1).describe('Name of the account');

export const showAccount = defineOperation({
  name: 'accounts/show-account',
  title: 'Account',
  description: 'One account with its options; secrets are masked.',
  effect: 'read',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'account show',
      description: 'Show an account with its options. Secrets are masked.',
      arguments: { name: { shown: '<name>', description: 'name of the account' } },
      json: 'answer the account as JSON',
      examples: ['muster account show datacentre'],
      view: accountView,
    },
    page: true,
  },
  input: z.object({ name: accountNameSchema }),
  output: accountSchema.extend({
    kind: kindSchema,
    secret_options: z.array(z.string()).describe('Options whose values are kept encrypted and masked here'),
    last_run: lastRunSchema,
    undone: undoneSchema,
    incomplete: incompleteSchema,
  }),
  async run({ name }, { services, caller }) {
    const account = await services.accounts.inScope(name, caller.scope);
    const [hosts, ...newest] = await Promise.all([
      services.storage.hosts.count(activeOf(account.id)),
      ...accountLogSources(name).map((source) => services.storage.logs.latest({ limit: 1, source })),
    ]);
    const entries = newest.flat();
    const last_run = lastRunOf(name, caller, (source) => entries.find((entry) => entry.source === source));
    const [newestEntry] = entries.filter(
      ({ source }) => last_run !== null && source === runLogSource(last_run.kind, name),
    );
    return {
      ...accountAnswer(account, hosts),
      kind: accountKind(services, account.type),
      secret_options: [...account.fields].filter(([, field]) => field.sealed).map(([option]) => option),
      last_run,
      undone: undoneOf(name, last_run),
      incomplete: last_run === null ? null : incompleteOf(name, last_run.kind, caller, newestEntry),
    };
  },
});
