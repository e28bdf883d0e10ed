import type { z } from 'zod';
import { createToken } from '../../../../app/users/operations/create-token.ts';
import { listTokens } from '../../../../app/users/operations/list-tokens.ts';
import type { tokenSchema } from '../../../../app/users/user-answer.ts';
import type { Column } from '../../../../app/words/print.ts';
import { momentText } from '../../../../app/words/time.ts';
import type { CommandContext } from '../../context.ts';

export interface CreateTokenOptions {
  readonly label: string;
  readonly expiresDays?: number;
  readonly role?: readonly string[];
  readonly account?: readonly string[];
  readonly readOnly?: true;
  readonly json?: true;
}

export async function createTokenCommand(
  context: CommandContext,
  name: string,
  options: CreateTokenOptions,
): Promise<void> {
  const answer = await context.value(createToken, {
    name,
    label: options.label,
    ...(options.expiresDays === undefined ? {} : { expires_days: options.expiresDays }),
    roles: [...(options.role ?? [])],
    accounts: [...(options.account ?? [])],
    read_only: options.readOnly === true,
  });
  if (options.json) return context.json(answer);
  const end = answer.expires === null ? 'does not end' : `ends ${momentText(answer.expires)} UTC`;
  context.note(`Token of ${name} for "${options.label}", which ${end}. It is shown this once:`);
  await context.result(`${answer.token}\n`);
}

export async function showTokens(context: CommandContext, name: string, options: { json?: true }): Promise<void> {
  const { tokens } = await context.value(listTokens, { name });
  if (options.json) await context.json(tokens);
  else await context.table(tokens, COLUMNS, `${name} has no tokens.`);
}

const COLUMNS: readonly Column<z.infer<typeof tokenSchema>>[] = [
  { header: 'prefix', value: (token) => token.prefix },
  { header: 'label', value: (token) => token.label, shrink: true },
  { header: 'carries', value: carriedText, shrink: true },
  { header: 'created', value: (token) => momentText(token.created) },
  { header: 'ends', value: (token) => (token.expires === null ? 'never' : momentText(token.expires)) },
  { header: 'last used', value: (token) => momentText(token.last_used) },
];

function carriedText({ roles, read_only, accounts }: z.infer<typeof tokenSchema>): string {
  const words = [
    ...(roles ?? []),
    ...(read_only ? ['read-only'] : []),
    ...(accounts === null ? [] : [`accounts ${accounts.join(', ')}`]),
  ];
  return words.length === 0 ? 'all of the user' : words.join(', ');
}
