import * as z from 'zod';
import { accountNameSchema } from '../../accounts/operations/show-account.ts';
import { noteRead } from '../../inventory/operations/render-inventory.ts';
import { defineStreamOperation } from '../../runs/services.ts';
import { publishedPieces, requirePublished } from '../published-files.ts';

export const readPublished = defineStreamOperation({
  name: 'exports/read-published',
  title: 'Published file',
  description:
    'A file that the exports of an account publish, as programs read it: targets of Prometheus, lists, zones.',
  effect: 'read',
  roles: ['automation'],
  acrossAccounts: true,
  weight: 'light',
  at: {
    rest: {
      path: 'GET /published/:account/:file',
      tagsMember: 'known_tags',
      cacheControl: 'private, no-cache',
      errors: ['not_found'],
    },
  },
  input: z.object({
    account: accountNameSchema,
    file: z.string().min(1).describe('Name of the file; slashes in it are written as %2F'),
    known_tags: z.array(z.string()).optional().describe('Entity tags of answers that the caller already has'),
  }),
  output: z.unknown(),
  async run({ account, file: name, known_tags = [] }, { services, caller }) {
    const { id } = await services.accounts.inScope(account, caller.scope);
    const file = await requirePublished(services.storage.published, { id, account, name });
    const answer = { mediaType: file.contentType, etag: `"${file.digest.slice(0, 32)}"` };
    if (known_tags.includes(answer.etag)) return { ...answer, unchanged: true, body: nothing() };
    // The secrets that rules show in the file were decided when it was made, perhaps by another process.
    noteRead(
      services,
      caller,
      { operation: 'exports/read-published', subject: `${account}/${name}` },
      'may show secrets',
    );
    return { ...answer, unchanged: false, body: publishedPieces(file) };
  },
});

async function* nothing(): AsyncGenerator<string> {}
