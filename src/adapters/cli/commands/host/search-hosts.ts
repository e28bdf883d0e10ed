import { ARCHIVE_REASONS } from '../../../../app/hosts/words.ts';
import type { Column } from '../../../../app/kernel/print.ts';
import { type Cell, cellText } from '../../../../app/search/decisions/columns.ts';
import { hostTable } from '../../../../app/search/operations/host-table.ts';
import { searchHosts } from '../../../../app/search/operations/search-hosts.ts';
import { counted, grouped } from '../../../../app/words/amounts.ts';
import { printableLines } from '../../../../app/words/escape.ts';
import { momentText } from '../../../../app/words/moment.ts';
import type { ArchiveReason } from '../../../../ports/index.ts';
import type { CommandContext } from '../../context.ts';
import type { ListForm } from '../../output/listing.ts';
import { recordWriter } from '../../output/record-writer.ts';

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
  readonly start?: number;
  readonly columns?: string;
  readonly output?: ListForm;
  /** What `output` was called before. */
  readonly json?: true;
}

interface FoundHost {
  readonly hostname: string;
  readonly account: string | null;
  readonly object_type: string;
  readonly last_seen: string | false;
  readonly archived: { readonly at: string; readonly by: ArchiveReason } | null;
  readonly values?: Readonly<Record<string, Cell>> | undefined;
}

/** Lists hosts as operators look for them: a query, the archive, objects, the hosts of one account. */
export async function searchHostsCommand(context: CommandContext, options: SearchOptions): Promise<void> {
  const output = options.output ?? (options.json ? 'json' : 'table');
  const isRecords = output === 'yaml' || (output === 'json' && options.columns === undefined);
  if (output !== 'table' && !isRecords) return writeHostTable(context, options, output);
  const fields = options.columns?.split(',').map((field) => field.trim());
  const write =
    output === 'json' || output === 'yaml'
      ? await hostRecords(context, output, fields)
      : await tableWriter(context, options.archived === true, fields);
  const { where } = askedOf(options);
  let skipped = options.start ?? 0;
  let left = (options.limit ?? Number.POSITIVE_INFINITY) + skipped;
  let after: string | null = null;
  let size: number | null = null;
  let shown = 0;
  const leftOut = new Set<string>();
  while (left > 0) {
    context.terminal.signal.throwIfAborted();
    const page: FoundPage = await context.value(searchHosts, {
      ...askedOf(options),
      inventory: isRecords && fields === undefined,
      limit: Math.min(left, PAGE_SIZE),
      ...(after === null ? {} : { after }),
    });
    const hosts = page.hosts.slice(skipped);
    skipped -= page.hosts.length - hosts.length;
    await write.rows(hosts);
    left -= page.hosts.length;
    shown += hosts.length;
    for (const hostname of page.left_out ?? []) leftOut.add(hostname);
    size = page.size;
    after = page.next;
    if (after === null) break;
  }
  await write.end();
  if (leftOut.size > 0) context.note(leftOutText(leftOut));
  if (isRecords) return;
  context.note(summaryOf(shown, where === undefined ? size : null, after !== null));
  if (shown === 0 && where !== undefined && asksForLabel(where)) {
    context.note('what rules set is no label: served.tier=core finds it');
  }
}

/** What `GET /objects/search/table` answers. */
async function writeHostTable(
  context: CommandContext,
  options: SearchOptions,
  format: 'json' | 'csv' | 'name',
): Promise<void> {
  const limit = options.limit === undefined ? {} : { limit: options.limit };
  const { body } = await context.stream(hostTable, { ...askedOf(options), ...limit, format });
  // Data must not drive a terminal; a file gets it as it is.
  const written = context.terminal.stdout.isTTY ? printableLines : (text: string) => text;
  for await (const text of body) await context.result(written(String(text)));
}

function askedOf({ archived, objects, account, where, search, sort, columns }: SearchOptions) {
  const query = where ?? search;
  return {
    state: archived ? 'archived' : 'active',
    kind: objects ? 'objects' : archived ? 'all' : 'hosts',
    ...(account === undefined ? {} : { account }),
    ...(query === undefined ? {} : { where: query }),
    ...(sort === undefined ? {} : { sort }),
    ...(columns === undefined ? {} : { columns }),
  };
}

function leftOutText(hostnames: ReadonlySet<string>): string {
  const named = printableLines([...hostnames].slice(0, 10).join(', '));
  return `left out: ${counted(hostnames.size, 'host')} with a text too long for the pattern (${named}); ask for a plain text, or look at them by name`;
}

function asksForLabel(where: string): boolean {
  return /[:=]/.test(where) && !where.includes('served.');
}

/** How many were shown, and what is known of how many there are. */
function summaryOf(shown: number, size: number | null, isMore: boolean): string {
  if (size !== null) return `${grouped(shown)} of ${counted(size, 'host')}`;
  return isMore
    ? `the first ${counted(shown, 'host')}; there are more, which --limit left out`
    : `${counted(shown, 'host')} found`;
}

type FoundPage = Awaited<ReturnType<typeof searchHosts.run>>;

interface RowWriter {
  rows(hosts: readonly FoundHost[]): Promise<void>;
  end(): Promise<void>;
}

async function hostRecords(
  context: CommandContext,
  form: 'json' | 'yaml',
  fields: readonly string[] | undefined,
): Promise<RowWriter> {
  const { write, end } = await recordWriter(context, form);
  const rows = (hosts: readonly FoundHost[]): Promise<void> =>
    write(fields === undefined ? hosts : hosts.map(({ values = {} }) => values));
  return { rows, end };
}

async function tableWriter(
  context: CommandContext,
  archived: boolean,
  fields: readonly string[] | undefined,
): Promise<RowWriter> {
  const shown = fields?.map(columnOfField) ?? (archived ? [...columns(), ...archiveColumns()] : columns());
  const write = await context.tableWriter(shown);
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

function columnOfField(field: string): Column<FoundHost> {
  return { header: field, value: ({ values }) => cellText(values?.[field]), shrink: true };
}

function archiveColumns(): Column<FoundHost>[] {
  return [
    { header: 'archived', value: (host) => momentText(host.archived?.at ?? false) },
    { header: 'reason', value: ({ archived }) => (archived === null ? '' : ARCHIVE_REASONS[archived.by]) },
  ];
}
