import * as z from 'zod';
import { AppError } from '../../../ports/index.ts';
import { newAccountSchema } from '../../accounts/operations/add-account.ts';
import { openSource } from '../../runs/import/open-source.ts';
import { defineOperation } from '../../runs/services.ts';
import { accountTestSchema } from '../account-test.ts';
import { draftAccount } from '../draft-account.ts';
import { recordsOf } from '../records-of.ts';

const MOST_RECORDS = 20;

export const tryAccount = defineOperation({
  name: 'accounts/try-account',
  title: 'Try a new account',
  description:
    'Connects to the source of an account that is not stored yet, and answers what its first records would become. Stores nothing.',
  // It sends what is typed to the address that is typed, which is for those who could store it.
  effect: 'write',
  roles: ['admin'],
  weight: 'preview',
  at: { page: true },
  input: newAccountSchema.extend({
    name: z.string().min(1).default('new account').describe('Name of the account; it need not exist yet'),
    limit: z.number().int().min(1).max(MOST_RECORDS).default(MOST_RECORDS).describe('Records at most'),
  }),
  output: z.object({
    message: z.string().describe('Information that the source reports about itself'),
    columns: z.array(z.string()).nullable().describe('The names of its columns; null if the source has none'),
    hostname_field: z.string().nullable().describe('The column or member with the hostname; null if none is named'),
    records: accountTestSchema.shape.records,
    problem: z.string().nullable().describe('Why it has no records to show, though it could be reached'),
  }),
  subject: (input) => input.name,
  async run({ limit, ...input }, { services, caller, signal }) {
    const account = await draftAccount(services, caller, input);
    const opened = await openSource(services, account);
    const { source, hostnameField } = opened;
    const message = await source.check({ signal });
    const columns = (await source.columns?.({ signal, progress: () => undefined })) ?? null;
    const known = { message, columns: columns === null ? null : [...columns], hostname_field: hostnameField ?? null };
    try {
      const records = await recordsOf(services, account, opened, { limit, signal });
      return { ...known, records: [...records], problem: null };
    } catch (error) {
      // The headings are there, and the one with the hostname is still to be chosen.
      if (columns === null || !(error instanceof AppError) || error.code !== 'failed') throw error;
      return { ...known, records: [], problem: error.message };
    }
  },
});
