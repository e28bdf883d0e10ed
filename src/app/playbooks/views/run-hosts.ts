import { counted } from '../../../kit/words/amounts.ts';
import type { Column, Print } from '../../kernel/print.ts';

interface RunHosts {
  readonly hosts: number;
  readonly first: readonly string[];
}

export const HOST_COLUMNS: readonly Column<string>[] = [{ header: 'host', value: (hostname) => hostname }];

export async function runHostsView({ hosts, first }: RunHosts, print: Print): Promise<void> {
  await print.table(first, HOST_COLUMNS, '');
  print.note(counted(hosts, 'host'));
}
