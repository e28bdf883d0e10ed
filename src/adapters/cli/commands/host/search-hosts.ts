import { ARCHIVE_REASONS } from '../../../../app/hosts/words.ts';
import type { Column } from '../../../../app/kernel/print.ts';
import { type Cell, cellText } from '../../../../app/search/decisions/columns.ts';
import { hostField } from '../../../../app/search/decisions/host-fields.ts';
import { parseQuery } from '../../../../app/search/decisions/parse-query.ts';
import { testsOf } from '../../../../app/search/decisions/query.ts';
import { countHosts } from '../../../../app/search/operations/count-hosts.ts';
import { hostTable } from '../../../../app/search/operations/host-table.ts';
import { searchHosts } from '../../../../app/search/operations/search-hosts.ts';
import { counted, grouped } from '../../../../kit/words/amounts.ts';
import { printableLines } from '../../../../kit/words/escape.ts';
import { valueText } from '../../../../kit/words/json.ts';
import { momentText } from '../../../../kit/words/moment.ts';
import { nearest } from '../../../../kit/words/near.ts';
import type { ArchiveReason } from '../../../../ports/index.ts';
import type { CommandContext } from '../../context.ts';
import type { ListForm } from '../../output/listing.ts';
import { recordWriter } from '../../output/record-writer.ts';

const PAGE_SIZE = 500;

interface SearchOptions {
  readonly archived?: true;
  readonly objects?: true;
  readonly account?: string;
  readonly where?: string;
  readonly sort?: string;
  readonly limit?: number;
  readonly start?: number;
  readonly columns?: string;
  readonly output?: ListForm;
  readonly json?: true;
}

interface FoundHost {
  readonly hostname: string;
  readonly account: string | null;
  readonly object_type: string;
  readonly labels: Readonly<Record<string, unknown>>;
  readonly last_seen: string | false;
  readonly archived: { readonly at: string; readonly by: ArchiveReason } | null;
  readonly values?: Readonly<Record<string, Cell>> | undefined;
}

/** Lists hosts as operators look for them: all, a query, the archive, objects, the hosts of one account. */
export async function searchHostsCommand(context: CommandContext, options: SearchOptions): Promise<void> {
  const output = options.output ?? (options.json ? 'json' : 'table');
  const isRecords = output === 'yaml' || (output === 'json' && options.columns === undefined);
  if (output !== 'table' && !isRecords) return writeHostTable(context, options, output);
  const fields = options.columns?.split(',').map((field) => field.trim());
  const write =
    output === 'json' || output === 'yaml'
      ? await hostRecords(context, output, fields)
      : await tableWriter(context, options, fields);
  const { where, sort } = options;
  /** Fields that no shown host has. */
  const blank = new Set(isRecords ? [] : (fields ?? []));
  if (!isRecords && sort !== undefined) blank.add(sort.replace(/^-/, ''));
  const columns = blank.size === 0 ? {} : { columns: [...blank].join(',') };
  let skipped = options.start ?? 0;
  let left = (options.limit ?? Number.POSITIVE_INFINITY) + skipped;
  let after: string | null = null;
  let size: number | null = null;
  let shown = 0;
  const leftOut = new Set<string>();
  let notFound: FoundPage['not_found'];
  while (left > 0) {
    context.terminal.signal.throwIfAborted();
    const page: FoundPage = await context.value(searchHosts, {
      ...askedOf(options),
      ...columns,
      inventory: isRecords && fields === undefined,
      limit: Math.min(left, PAGE_SIZE),
      ...(after === null ? {} : { after }),
    });
    const hosts = page.hosts.slice(skipped);
    skipped -= page.hosts.length - hosts.length;
    await write.rows(hosts);
    for (const field of blank) if (hosts.some(({ values = {} }) => cellText(values[field]) !== '')) blank.delete(field);
    left -= page.hosts.length;
    shown += hosts.length;
    for (const hostname of page.left_out ?? []) leftOut.add(hostname);
    notFound ??= page.not_found;
    size = page.size;
    after = page.next;
    if (after === null) break;
  }
  await write.end();
  if (leftOut.size > 0) context.note(leftOutText(leftOut));
  if (notFound !== undefined) context.note(notFoundText(notFound));
  if (isRecords) return;
  if (size === 0 && where === undefined && options.account === undefined)
    context.note('There are no hosts yet. Import some with "muster import <account>".');
  else context.note(summaryOf(shown, where === undefined ? size : null, after !== null));
  const query = shown === 0 && where !== undefined ? parseQuery(where) : undefined;
  if (query?.ok) for (const test of testsOf(query.value)) if (test.kind === 'test') blank.add(test.field);
  await noteUnknown(blank, context);
}

/** Names the fields that no host has, which are likely mistyped. */
async function noteUnknown(named: Iterable<string>, context: CommandContext): Promise<void> {
  const isOpen = (field: string): boolean => !('own' in hostField(field) || 'served' in hostField(field));
  const fields = [...named].filter(isOpen).slice(0, 20);
  if (fields.length === 0) return;
  const counts = await context.value(countHosts, { state: 'any', kind: 'all', values: 1, labels: 1, fields });
  const known = counts.label_names.map(({ field }) => field);
  for (const { field, values } of counts.fields.slice(0, fields.length)) {
    if (values.length > 0 || !counts.is_exact) continue;
    const near = nearest(field, known) ?? known.find((name) => name.startsWith(field));
    const hint = near === undefined ? `what rules set is asked for by served.${field}` : `did you mean ${near}?`;
    context.note(`no host has ${printableLines(field)}; ${printableLines(hint)}`);
  }
}

/** The answer of `GET /objects/search/table`. */
async function writeHostTable(
  context: CommandContext,
  options: SearchOptions,
  format: 'json' | 'csv' | 'name',
): Promise<void> {
  const limit = options.limit === undefined ? {} : { limit: options.limit };
  const { body } = await context.stream(hostTable, { ...askedOf(options), ...limit, format });
  // Data must not control a terminal; a file gets it unchanged.
  const written = context.terminal.stdout.isTTY ? printableLines : (text: string) => text;
  for await (const text of body) await context.result(written(String(text)));
}

function askedOf({ archived, objects, account, where, sort, columns }: SearchOptions) {
  return {
    state: archived ? 'archived' : 'active',
    kind: objects ? 'objects' : archived ? 'all' : 'hosts',
    ...(account === undefined ? {} : { account }),
    ...(where === undefined ? {} : { where }),
    ...(sort === undefined ? {} : { sort }),
    ...(columns === undefined ? {} : { columns }),
  };
}

export function leftOutText(hostnames: ReadonlySet<string>): string {
  const named = printableLines([...hostnames].slice(0, 10).join(', '));
  return `left out: ${counted(hostnames.size, 'host')} with a text too long for the pattern (${named}); ask for a plain text, or look at them by name`;
}

function notFoundText({ values, of }: NonNullable<FoundPage['not_found']>): string {
  return `not found: ${grouped(values.length)} of ${counted(of, 'value')}: ${printableLines(values.join(', '))}`;
}

/** Describes the number shown, and the known total. */
function summaryOf(shown: number, size: number | null, isMore: boolean): string {
  if (size !== null) return `${shown === size ? '' : `${grouped(shown)} of `}${counted(size, 'host')}`;
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
  { archived, objects }: SearchOptions,
  fields: readonly string[] | undefined,
): Promise<RowWriter> {
  const shown = fields?.map(columnOfField) ?? [
    ...columns(archived || objects ? [{ header: 'type', value: (host) => host.object_type }] : []),
    ...(archived ? archiveColumns() : [LABELS]),
  ];
  const write = await context.tableWriter(shown);
  return { rows: (hosts) => write(hosts), end: () => Promise.resolve() };
}

const LABELS: Column<FoundHost> = {
  header: 'labels',
  value: ({ labels }) =>
    Object.entries(labels)
      .map(([name, value]) => `${name}=${valueText(value)}`)
      .join(' '),
  shrink: true,
};

function columns(more: readonly Column<FoundHost>[]): Column<FoundHost>[] {
  return [
    { header: 'host', value: (host) => host.hostname, paint: (text, _host, colours) => colours.bold(text) },
    { header: 'account', value: (host) => host.account ?? '' },
    ...more,
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
