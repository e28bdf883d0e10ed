import type * as z from 'zod';
import { printable } from '../../../kit/words/escape.ts';
import type { Print } from '../../kernel/print.ts';
import type { undoneRunSchema } from '../operations/undo-run.ts';

/** Prints the undone changes, and the hosts that were left alone. */
export function undoneRunView(undone: z.infer<typeof undoneRunSchema>, print: Print): void {
  const { status, account, message, left, left_alone: leftAlone } = undone;
  const dry = status === 'preview' ? ' Nothing was changed.' : '';
  print.note(`Import of ${printable(account)}, ${message}.${dry}`);
  for (const { hostname, reason } of leftAlone) print.note(`left alone: ${printable(hostname)}: ${reason}`);
  if (left > leftAlone.length) print.note(`… and ${left - leftAlone.length} more`);
}
