import type * as z from 'zod';
import { momentText } from '../../../kit/words/moment.ts';
import type { Column, Print } from '../../kernel/print.ts';
import type { tokenSchema } from '../user-answer.ts';
import { carriedText } from '../words.ts';

type Token = z.infer<typeof tokenSchema>;

/** Prints the token alone on the standard output, so that it can be captured. */
export function newTokenView(
  { token, expires }: { readonly token: string; readonly expires: string | null },
  print: Print,
  { name, label }: { readonly name: string; readonly label: string },
): Promise<void> {
  const end = expires === null ? 'does not end' : `ends ${momentText(expires)} UTC`;
  print.note(`Token of ${name} for "${label}", which ${end}. It is shown only once:`);
  return print.result(`${token}\n`);
}

export function tokensView(
  { tokens }: { readonly tokens: readonly Token[] },
  print: Print,
  { name }: { readonly name: string },
): Promise<void> {
  return print.table(tokens, TOKEN_COLUMNS, `${name} has no tokens.`);
}

export const TOKEN_COLUMNS: readonly Column<Token>[] = [
  { header: 'prefix', value: (token) => token.prefix },
  { header: 'label', value: (token) => token.label, shrink: true },
  { header: 'carries', value: carriedText, shrink: true },
  { header: 'created', value: (token) => momentText(token.created) },
  { header: 'ends', value: (token) => (token.expires === null ? 'never' : momentText(token.expires)) },
  { header: 'last used', value: (token) => momentText(token.last_used) },
];
