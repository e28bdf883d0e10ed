import { findHosts } from '../../../../app/hosts/operations/find-hosts.ts';
import { ARCHIVE_REASONS } from '../../../../app/hosts/words.ts';
import type { Column } from '../../../../app/kernel/print.ts';
import { counted } from '../../../../app/words/amounts.ts';
import { momentText } from '../../../../app/words/moment.ts';
import type { ArchiveReason } from '../../../../ports/index.ts';
import type { CommandContext } from '../../context.ts';

const PAGE_SIZE = 500;

export interface FindOptions {
  readonly archived?: true;
  readonly objects?: true;
  readonly account?: string;
  readonly search?: string;
  readonly limit?: number;
  readonly json?: true;
}

interface FoundHost {
  readonly hostname: string;
  readonly account: string | null;
  readonly object_type: string;
  readonly last_seen: string | false;
  readonly archived: { readonly at: string; readonly by: ArchiveReason } | null;
}

/** Lists hosts as operators look for them: the archive, objects, the hosts of one account, a search. */
export async function findHostsCommand(context: CommandContext, options: FindOptions): Promise<void> {
  const write = options.json ? jsonWriter(context) : await tableWriter(context, options.archived === true);
  let left = options.limit ?? Number.POSITIVE_INFINITY;
  let after: string | null = null;
  let size: number | null = null;
  let shown = 0;
  while (left > 0) {
    context.terminal.signal.throwIfAborted();
    const page: FoundPage = await context.value(findHosts, {
      state: options.archived ? 'archived' : 'active',
      kind: options.objects ? 'objects' : options.archived ? 'all' : 'hosts',
      limit: Math.min(left, PAGE_SIZE),
      ...(options.account === undefined ? {} : { account: options.account }),
      ...(options.search === undefined ? {} : { search: options.search }),
      ...(after === null ? {} : { after }),
    });
    await write.rows(page.hosts);
    left -= page.hosts.length;
    shown += page.hosts.length;
    size = page.size;
    after = page.next;
    if (after === null) break;
  }
  await write.end();
  if (options.json) return;
  context.note(
    size === null ? `${counted(shown, 'host')} found` : `${shown.toLocaleString('en-US')} of ${counted(size, 'host')}`,
  );
}

type FoundPage = Awaited<ReturnType<typeof findHosts.run>>;

interface RowWriter {
  rows(hosts: readonly FoundHost[]): Promise<void>;
  end(): Promise<void>;
}

function jsonWriter(context: CommandContext): RowWriter {
  let separator = '[\n';
  return {
    async rows(hosts) {
      for (const host of hosts) {
        await context.result(`${separator}${JSON.stringify(host)}`);
        separator = ',\n';
      }
    },
    async end() {
      await context.result(separator === '[\n' ? '[]\n' : '\n]\n');
    },
  };
}

async function tableWriter(context: CommandContext, archived: boolean): Promise<RowWriter> {
  const write = await context.tableWriter(archived ? [...columns(), ...archiveColumns()] : columns());
  return { rows: (hosts) => write(hosts), end: () => Promise.resolve() };
}

function columns(): Column<FoundHost>[] {
  return [
    { header: 'host', value: (host) => host.hostname, paint: (text, _host, colours) => colours.bold(text) },
    { header: 'account', value: (host) => host.account ?? '' },
    { header: 'type', value: (host) => host.object_type },
    { header: 'last seen', value: (host) => momentText(host.last_seen) },
  ];
}

function archiveColumns(): Column<FoundHost>[] {
  return [
    { header: 'archived', value: (host) => momentText(host.archived?.at ?? false) },
    { header: 'reason', value: ({ archived }) => (archived === null ? '' : ARCHIVE_REASONS[archived.by]) },
  ];
}
