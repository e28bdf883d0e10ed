import { shellWord } from '../../../../kit/words/escape.ts';
import type { CommandContext } from '../../context.ts';
import { type PluginKind, writePlugin } from './write-plugin.ts';

interface NewPluginOptions {
  readonly kind: PluginKind;
  readonly typescript?: boolean;
  readonly json?: boolean;
}

export async function newPluginCommand(
  context: CommandContext,
  name: string,
  { kind, typescript = false, json = false }: NewPluginOptions,
): Promise<void> {
  const { folder, files } = await writePlugin({ name, kind, typescript, directory: process.cwd() });
  if (json) return context.json({ name, kind, folder, files });
  await context.result(files.map((file) => `${name}/${file}\n`).join(''));
  context.note(
    `"cd ${shellWord(name)} && npm install && npm test" tests it; ${name}/README.md describes the next steps.`,
  );
}
