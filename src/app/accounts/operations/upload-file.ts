import * as z from 'zod';
import { phrase, worded } from '../../../kit/worded.ts';
import { isUploaded, MOST_UPLOADED_CHARACTERS } from '../../../kit/words/uploads.ts';
import { AppError, FolderFull } from '../../../ports/index.ts';
import type { Caller } from '../../kernel/caller.ts';
import { type AccountServices, defineOperation } from '../services.ts';

const ENDS = ['csv', 'json', 'yaml', 'xlsx'] as const;

export const uploadFile = defineOperation({
  name: 'accounts/upload-file',
  title: 'Upload a file for an account',
  description:
    'Keeps a text or workbook as a new file in the first folder of FILE_SOURCE_DIRS on this node, for an account to be made, or in place of the one that an account has. All of them together take no more than UPLOADED_FILES_MAX_BYTES.',
  effect: 'write',
  roles: ['admin'],
  weight: 'light',
  at: { page: true },
  input: z.object({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,80}$/i, phrase`use letters, digits, - and _`)
      .describe('Beginning of the name of the file'),
    end: z.enum(ENDS).describe('Ending of the name of the file'),
    text: z
      .string()
      .min(1, phrase`the file is empty`)
      .max(
        MOST_UPLOADED_CHARACTERS,
        phrase`is larger than 5 MB; put the file into a folder of FILE_SOURCE_DIRS on the machine of the service instead`,
      )
      .describe('The text; of a workbook (xlsx) its bytes as Base64'),
    replaces: z
      .string()
      .min(1)
      .optional()
      .describe('An account: its uploaded file gets the text, under the name that it has'),
  }),
  output: z.object({ path: z.string().describe('As an account names it') }),
  subject: ({ name, end, replaces }) => replaces ?? `${name}.${end}`,
  async run({ name, end, text, replaces }, { services, caller }) {
    const replaced = replaces === undefined ? undefined : await uploadedFileOf(services, replaces, caller);
    const file = replaced ?? `${name}-${services.newId().slice(-6)}.${end}`;
    const most = services.config.UPLOADED_FILES_MAX_BYTES;
    try {
      return {
        path: await services.files.keep(
          file,
          end === 'xlsx' ? Buffer.from(text, 'base64') : text,
          { most, counts: isUploaded },
          replaced !== undefined,
        ),
      };
    } catch (error) {
      if (error instanceof FolderFull) throw full(error, most);
      throw error;
    }
  },
});

/** Returns the name of the uploaded file that an account reads. A file placed by an operator cannot be replaced here. */
async function uploadedFileOf(services: AccountServices, name: string, caller: Caller): Promise<string> {
  const account = await services.accounts.inScope(name, caller.scope);
  const path = account.fields.get('path')?.value ?? '';
  const [folder = ''] = services.files.folders().sources;
  const file = path.slice(folder.length + 1);
  if (path === `${folder}/${file}` && !file.includes('/') && isUploaded(file)) return file;
  throw new AppError(
    'invalid_input',
    worded`account ${{ name }} reads no file that was uploaded; replace the file in its place`,
  );
}

function full({ folder, taken }: FolderFull, most: number): AppError {
  return new AppError(
    'too_large',
    worded`uploaded files take ${{ taken: megabytes(taken) }} MB of the ${{ most: megabytes(most) }} MB that they may; delete those that no account reads from ${{ folder }} on the machine of the service, or raise UPLOADED_FILES_MAX_BYTES`,
  );
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
