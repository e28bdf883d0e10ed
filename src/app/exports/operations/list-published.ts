import * as z from 'zod';
import type { PublishedFile } from '../../../ports/index.ts';
import { accountNameSchema } from '../../accounts/operations/show-account.ts';
import { columnNames } from '../../kernel/listing.ts';
import { defineOperation } from '../../runs/services.ts';
import { isShown } from '../decisions/published-names.ts';
import { PUBLISHED_COLUMNS, publishedView } from '../views/published.ts';

export const publishedSchema = z.object({
  name: z.string(),
  content_type: z.string(),
  bytes: z.number().int(),
  sha256: z.string(),
  published_at: z.string().describe('ISO 8601, UTC'),
});

/** Describes a published file to people and programs. */
export function publishedAnswer(file: PublishedFile): z.infer<typeof publishedSchema> {
  return {
    name: file.name,
    content_type: file.contentType,
    bytes: file.size,
    sha256: file.digest,
    published_at: file.publishedAt.toISOString(),
  };
}

export const listPublished = defineOperation({
  name: 'exports/list-published',
  title: 'Published files',
  description: 'The files that the exports of an account publish.',
  effect: 'read',
  roles: ['automation'],
  acrossAccounts: true,
  weight: 'light',
  at: {
    rest: { path: 'GET /published/:account', errors: ['not_found'] },
    command: {
      words: 'published list',
      description: 'List the files that the exports of an account publish.',
      summary: 'list published files',
      arguments: { account: { shown: '<account>', description: 'name of the account' } },
      columns: columnNames(PUBLISHED_COLUMNS),
      json: 'answer a JSON array of files',
      answered: ({ files }) => files,
      examples: ['muster published list prometheus'],
      view: publishedView,
    },
    tool: { name: 'list_published_files' },
    page: true,
  },
  input: z.object({ account: accountNameSchema }),
  output: z.object({
    account: z.string(),
    files: z.array(publishedSchema),
  }),
  async run({ account: name }, { services, caller }) {
    const { id } = await services.accounts.inScope(name, caller.scope);
    const files = await services.storage.published.list(id);
    return {
      account: name,
      files: files.filter(isShown).map(publishedAnswer),
    };
  },
});
