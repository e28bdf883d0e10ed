import { chmod, mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { shellWord } from '../../../../kit/words/escape.ts';
import { packagedFile } from '../../../../main/packaged-file.ts';
import { AppError } from '../../../../ports/errors.ts';
import type { CommandContext } from '../../context.ts';

export interface InitOptions {
  readonly force?: true;
  readonly json?: true;
}

const CONFIGURATION = `# Configuration of Muster. "muster config show" lists every key with its value and where that came from;
# docs/configuration.md explains them. Variables SERVICE_<KEY> win over this file.

# Names of variables as Ansible takes them: site.name becomes site_name. "keep" leaves names as they are.
INVENTORY_VARIABLE_NAMES: identifier
`;

/** Files of the package that a new installation starts with, by their path there. */
const COPIES: Readonly<Record<string, string>> = {
  'ansible/inventory': 'ansible/inventory',
  'ansible/rest_inventory': 'ansible/rest_inventory',
  'rules/first-rules.json': 'examples/rules/first-rules.json',
  'sample/ATTRIBUTION.md': 'sample/ATTRIBUTION.md',
  'sample/wikimedia-nodes.csv': 'sample/wikimedia-nodes.csv',
};
const PROGRAMS = /^ansible\//;

export async function initCommand(context: CommandContext, named: string, options: InitOptions): Promise<void> {
  await context.requireStore();
  const folder = resolve(context.terminal.workingDirectory, named);
  if (!options.force) await requireEmpty(folder, named);
  const files: string[] = [];
  const folders: string[] = [];
  try {
    await place(folder, 'local_config.yaml', CONFIGURATION, { files, folders });
    for (const [path, source] of Object.entries(COPIES)) {
      await place(folder, path, await readFile(packagedFile(source)), { files, folders });
    }
    // Commands in that folder look for the store there, unless an option or a variable names one.
    process.chdir(folder);
    await context.app();
  } catch (error) {
    process.chdir(context.terminal.workingDirectory);
    await takeBack(folder, { files, folders });
    throw error;
  }
  if (options.json) return context.json({ folder, files });
  await context.result(files.map((file) => `${join(named, file)}\n`).join(''));
  const inFolder = relative(context.terminal.workingDirectory, folder) === '' ? '' : `cd ${shellWord(named)} && `;
  context.note(
    [
      '',
      'Next:',
      `  ${inFolder}muster account add wikimedia --type csv --set path=sample/wikimedia-nodes.csv --set hostname_field=host`,
      '  muster import wikimedia',
      '  muster rules import rules/first-rules.json',
    ].join('\n'),
  );
}

async function requireEmpty(folder: string, named: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw fault(named, error);
  });
  if (names.length === 0) return;
  throw new AppError(
    'conflict',
    `the folder ${named} is not empty; name another one, or say --force: files that are there stay as they are`,
  );
}

/** Files that the command created, by their paths in the folder, and folders, each after its parent. */
interface Made {
  readonly files: string[];
  readonly folders: string[];
}

/** A file that is there already stays, and is not in the list of new ones. */
async function place(folder: string, path: string, content: string | Buffer, made: Made): Promise<void> {
  const { files, folders } = made;
  const file = join(folder, path);
  try {
    const first = await mkdir(dirname(file), { recursive: true });
    if (first !== undefined) folders.push(...pathTo(dirname(file), first));
    await writeFile(file, content, { flag: 'wx' });
    if (PROGRAMS.test(path)) await chmod(file, 0o755);
    files.push(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw fault(file, error);
  }
}

/** The folders from `first` down to `last`. */
function pathTo(last: string, first: string): readonly string[] {
  return last === first ? [last] : [...pathTo(dirname(last), first), last];
}

/**
 * Removes the new files after a failure, so that the command can be tried again. Files that neither this command nor the store
 * created stay.
 */
async function takeBack(folder: string, { files, folders }: Made): Promise<void> {
  for (const path of files) await rm(join(folder, path), { force: true });
  for (const made of folders.toReversed()) await rmdir(made).catch(() => undefined);
}

function fault(path: string, error: unknown): AppError {
  const reason = (error as NodeJS.ErrnoException).code ?? String(error);
  return new AppError('failed', `${path} cannot be written: ${reason}`, { cause: error });
}
