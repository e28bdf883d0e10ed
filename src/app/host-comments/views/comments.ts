import type * as z from 'zod';
import { momentText } from '../../../kit/words/moment.ts';
import type { Column, Print } from '../../kernel/print.ts';
import type { commentSchema } from '../comment-answer.ts';

type Comment = z.infer<typeof commentSchema>;

export const COMMENT_COLUMNS: readonly Column<Comment>[] = [
  { header: 'time', value: ({ time }) => momentText(time) },
  { header: 'author', value: ({ author }) => author },
  { header: 'text', value: ({ text }) => text, shrink: true },
  { header: 'id', value: ({ id }) => id },
];

export function commentsView(
  { hostname, comments }: { readonly hostname: string; readonly comments: readonly Comment[] },
  print: Print,
): Promise<void> {
  return print.table(comments, COMMENT_COLUMNS, `There are no comments on ${hostname}.`);
}
