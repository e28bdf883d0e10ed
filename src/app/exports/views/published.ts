import { printable } from '../../../kit/words/escape.ts';
import { momentText } from '../../../kit/words/moment.ts';
import type { Column, Print } from '../../kernel/print.ts';

interface Published {
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly published_at: string }[];
}

export function publishedView({ files }: Published, print: Print): Promise<void> {
  return print.table(
    files,
    PUBLISHED_COLUMNS,
    'Nothing is published; "muster export <account>" publishes when the account has the option publish.',
  );
}

export const PUBLISHED_COLUMNS: readonly Column<Published['files'][number]>[] = [
  { header: 'file', value: ({ name }) => name },
  { header: 'bytes', value: ({ bytes }) => String(bytes) },
  { header: 'published (UTC)', value: (file) => momentText(file.published_at) },
];

/** To a program as it is, and to a person without what a terminal would take for a command. */
export async function publishedTextView({ text }: { readonly text: string }, print: Print): Promise<void> {
  if (print.width === undefined) return print.result(text);
  const end = text.endsWith('\n') ? '' : '\n';
  await print.result(`${text.split('\n').map(printable).join('\n')}${end}`);
}
