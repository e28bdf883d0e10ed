import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import { printableLines } from '../../../kit/words/escape.ts';
import { AppError } from '../../../ports/index.ts';
import { accountNameSchema } from '../../accounts/operations/show-account.ts';
import { mappingFor } from '../admit.ts';
import { openMethod } from '../opened-method.ts';
import { defineOperation } from '../services.ts';

export const testSignInMethod = defineOperation({
  name: 'logins/test-method',
  title: 'Test a sign-in method',
  description:
    'Connects to the system that people log in with, and reports problems. For given groups it also shows the mapping that grants them access.',
  effect: 'read',
  roles: ['administrator'],
  weight: 'light',
  at: {
    rest: { path: 'POST /sign-in/test', body: 'required', errors: ['not_found', 'failed'] },
    command: {
      words: 'sign-in test',
      description: 'Connect to a system that people log in with, and say what is wrong.',
      arguments: { method: { shown: '<account>', description: 'name of the account that people log in with' } },
      options: {
        groups: {
          flags: '--group <group>',
          description: 'say what a member of this group could do (may be repeated)',
          parse: 'list',
        },
      },
      json: 'answer what was found as JSON',
      examples: ['muster sign-in test directory', 'muster sign-in test directory --group cn=admins,dc=example,dc=org'],
      view({ message, mapping, advice }, print) {
        print.result(`${printableLines(message)}\n`);
        if (mapping !== null) print.note(`These groups are let in by "${mapping}".`);
        if (advice !== '') print.note(advice);
      },
    },
    page: true,
  },
  input: z.object({
    method: accountNameSchema,
    groups: z.array(z.string()).default([]).describe('Groups as the other system writes them'),
  }),
  output: z.object({
    method: z.string(),
    message: z.string().describe('To what it connected, and as whom'),
    mapping: z.string().nullable().describe('Which mapping lets these groups in; null: none'),
    advice: z.string().describe('Requirements for logging in that are not met; empty: none'),
  }),
  subject: (input) => input.method,
  async run({ method: name, groups }, { services }) {
    const account = await services.accounts.byName(name);
    if (account === undefined)
      throw new AppError('not_found', worded`there is no account ${{ name }}; see "muster sign-in list"`);
    const opened = await openMethod(services, account);
    const { method } = opened;
    const message = await opened.call(
      'the test',
      async (signal) => (await method.check?.({ signal })) ?? 'It can be used.',
    );
    const found = await mappingFor(services, opened, { groups });
    const mapping = found?.undecided === undefined ? (found?.name ?? null) : null;
    const known = await services.storage.rules.list('sign_in_groups');
    const advice =
      known.length === 0
        ? 'No group may log in yet: add a document of type sign_in_groups.'
        : groups.length > 0 && mapping === null
          ? `None of these groups is let in${found?.undecided === undefined ? '' : `: ${found.undecided.text}`}.`
          : '';
    return { method: name, message, mapping, advice };
  },
});
