import type { HostComment } from '../../../../ports/index.ts';
import type { SqlValue } from '../connection.ts';
import { PART_ROWS } from '../transfer-rows.ts';
import type { WriteContext } from './context.ts';

export function addComment({ connection }: WriteContext, row: readonly SqlValue[]): void {
  connection.run(PART_ROWS.host_comments.replace, ...row);
}

export function removeComment(
  { connection }: WriteContext,
  { hostname, id }: Pick<HostComment, 'hostname' | 'id'>,
): boolean {
  return connection.run('DELETE FROM host_comments WHERE hostname = ? AND id = ?', hostname, id) > 0;
}
