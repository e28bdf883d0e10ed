import { ARCHIVE_REASONS } from '../../../../app/hosts/words.ts';
import type { Column } from '../../../../app/kernel/print.ts';
import { searchHosts } from '../../../../app/search/operations/search-hosts.ts';
import { counted } from '../../../../app/words/amounts.ts';
import { momentText } from '../../../../app/words/moment.ts';
import type { ArchiveReason } from '../../../../ports/index.ts';
import type { CommandContext } from '../../context.ts';

const PAGE_SIZE = 500;

export interface SearchOptions {
  readonly archived?: true;
  readonly objects?: true;
  readonly account?: string;
  readonly where?: string;
  /** What `where` was called before. */
  readonly search?: string;
  readonly sort?: string;
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

/** Lists hosts as operators look for them: a query, the archive, objects, the hosts of one account. */
export async function searchHostsCommand(context: CommandContext, options: SearchOptions): Promise<void> {
  const write = options.json ? jsonWriter(context) : await tableWriter(context, options.archived === true);
  const where = options.where ?? options.search;
  let left = options.limit ?? Number.POSITIVE_INFINITY;
  let after: string | null = null;
  let size: number | null = null;
  let shown = 0;
  while (left > 0) {
    context.terminal.signal.throwIfAborted();
    const page: FoundPage = await context.value(searchHosts, {
      state: options.archived ? 'archived' : 'active',
      kind: options.objects ? 'objects' : options.archived ? 'all' : 'hosts',
      inventory: options.json === true,
      limit: Math.min(left, PAGE_SIZE),
      ...(options.account === undefined ? {} : { account: options.account }),
      ...(where === undefined ? {} : { where }),
      ...(options.sort === undefined ? {} : { sort: options.sort }),
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
  context.note(summaryOf(shown, where === undefined ? size : null, after !== null));
}

/** How many were shown, and what is known of how many there are. */
function summaryOf(shown: number, size: number | null, isMore: boolean): string {
  if (size !== null) return `${shown.toLocaleString('en-US')} of ${counted(size, 'host')}`;
  return isMore
    ? `the first ${counted(shown, 'host')}; there are more, which --limit left out`
    : `${counted(shown, 'host')} found`;
}

type FoundPage = Awaited<ReturnType<typeof searchHosts.run>>;

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
