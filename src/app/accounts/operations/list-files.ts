import * as z from 'zod';
import { AppError } from '../../../ports/index.ts';
import { columnNames } from '../../kernel/listing.ts';
import type { Column } from '../../kernel/print.ts';
import type { AccountServices } from '../services.ts';
import { defineOperation } from '../services.ts';

/** How many files of one folder are named. */
const MOST_NAMED = 1000;

const folderSchema = z.object({
  path: z.string().describe('As an account names it'),
  files: z
    .array(z.string())
    .describe('Its files as an account names them, by name; hidden ones and those of folders in it are not among them'),
  more: z.number().int().describe('Number of further files'),
  problem: z.string().nullable().describe('Why its files cannot be named; null: they are'),
});

type Folder = z.output<typeof folderSchema>;
interface NamedFile {
  readonly path: string;
}

const COLUMNS: readonly Column<NamedFile>[] = [{ header: 'path', value: ({ path }) => path }];

export const listAccountFiles = defineOperation({
  name: 'accounts/list-files',
  title: 'Files that accounts can read',
  description:
    'The folders of this node that sources read from (FILE_SOURCE_DIRS), with their files, and the folders that targets write into (FILE_TARGET_DIRS).',
  effect: 'read',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'account files',
      description: 'List the files that accounts can read, and the folders that they write into.',
      summary: 'list the files that accounts can read',
      columns: columnNames(COLUMNS),
      json: 'answer {"sources": [folders with their files], "targets": [folders]}',
      examples: ['muster account files', 'muster account files --json'],
      view: (answer, print) => {
        const files = answer.sources.flatMap((folder) => folder.files.map((path) => ({ path })));
        const read = answer.sources.map(({ path }) => path).join(', ') || 'no folder';
        print.table(files, COLUMNS, `There are no files in the folders that sources read from (${read}).`);
        for (const { path, more, problem } of answer.sources) {
          if (more > 0) print.note(`${path} has ${more} more.`);
          if (problem !== null) print.note(`${path}: ${problem}`);
        }
        print.note(`Targets write below ${answer.targets.join(', ') || 'no folder'}.`);
      },
    },
    page: true,
  },
  input: z.object({}),
  output: z.object({
    sources: z.array(folderSchema),
    targets: z.array(z.string()).describe('As an account names them'),
    of_one_node: z
      .boolean()
      .describe('There may be other nodes, which have these files only if they share the folders'),
  }),
  async run(_input, { services }) {
    const { sources, targets } = services.files.folders();
    return {
      sources: await Promise.all(sources.map((path) => folderOf(services, path))),
      targets: [...targets],
      of_one_node: services.hasOtherNodes && !services.config.SHARED_DATA,
    };
  },
});

async function folderOf({ files, logger }: AccountServices, path: string): Promise<Folder> {
  try {
    const names = await files.sources({ anywhere: false, advice: '' }).list(path);
    if (names === undefined) return { path, files: [], more: 0, problem: 'is not there yet' };
    const named = names.slice(0, MOST_NAMED);
    return { path, files: named, more: names.length - named.length, problem: null };
  } catch (error) {
    if (!(error instanceof AppError)) logger.error('the files of a folder could not be listed', { path, error });
    return { path, files: [], more: 0, problem: error instanceof AppError ? error.message : 'cannot be read' };
  }
}
