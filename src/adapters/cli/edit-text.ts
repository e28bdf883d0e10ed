import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shellWord } from '../../kit/words/escape.ts';
import { AppError } from '../../ports/errors.ts';
import type { CommandContext } from './context.ts';

/** Lets the user edit a text and processes it; on failure the text stays in the edited file. */
export async function editText(
  context: CommandContext,
  { file: name, text: before }: { readonly file: string; readonly text: string },
  use: (after: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-edit-'));
  const file = join(folder, name);
  await writeFile(file, before, { mode: 0o600 });
  try {
    await runEditor(context, file);
    const after = await readFile(file, 'utf8');
    if (after === before) context.note('Nothing was changed.');
    else await use(after);
  } catch (error) {
    if ((await readFile(file, 'utf8').catch(() => before)) === before) await rm(folder, { recursive: true });
    else context.note(`Your text is kept in ${file}`);
    throw error;
  }
  await rm(folder, { recursive: true });
}

/** The editor may be a command with options, as other programs take it. */
async function runEditor({ terminal }: CommandContext, file: string): Promise<void> {
  const editor = terminal.variable('VISUAL') ?? terminal.variable('EDITOR') ?? 'vi';
  const child = spawn('sh', ['-c', `${editor} ${shellWord(file)}`], { stdio: 'inherit' });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) throw new AppError('failed', `the editor (${editor}) failed; nothing was saved`);
}
