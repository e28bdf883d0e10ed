import type { HostAnswer } from '../../../../app/hosts/host-schemas.ts';
import { listHosts } from '../../../../app/hosts/operations/list-hosts.ts';
import type { Column } from '../../../../app/kernel/print.ts';
import { counted, grouped } from '../../../../app/words/amounts.ts';
import { valueText } from '../../../../app/words/json.ts';
import { momentText } from '../../../../app/words/moment.ts';
import type { CommandContext } from '../../context.ts';
import { wholeText } from '../../output/whole-text.ts';

const PAGE_SIZE = 500;

interface Page {
  readonly results: readonly HostAnswer[];
  readonly size: number;
}

/** All hosts as a table. */
export async function listHostsCommand(
  context: CommandContext,
  options: { limit?: number; start: number },
): Promise<void> {
  const write = await context.tableWriter(columns());
  let shown = 0;
  let size = 0;
  for await (const page of pages(context, options)) {
    await write(page.results);
    shown += page.results.length;
    size = page.size;
  }
  if (size === 0) context.note('There are no hosts yet. Import some with "muster import <account>".');
  else context.note(shown === size ? counted(size, 'host') : `${grouped(shown)} of ${counted(size, 'host')}`);
}

async function* pages(context: CommandContext, options: { limit?: number; start: number }): AsyncGenerator<Page> {
  let left = options.limit ?? Number.POSITIVE_INFINITY;
  let start = options.start;
  let after: string | undefined;
  do {
    context.terminal.signal.throwIfAborted();
    const page = await readPage(context, { start, limit: Math.min(left, PAGE_SIZE), after });
    yield page;
    left -= page.results.length;
    start += page.results.length;
    after = page.results.at(-1)?.hostname;
    if (page.results.length < PAGE_SIZE) return;
  } while (left > 0);
}

async function readPage(
  context: CommandContext,
  request: { start: number; limit: number; after: string | undefined },
): Promise<Page> {
  const { after, ...range } = request;
  const answer = await context.stream(listHosts, { ...range, ...(after === undefined ? {} : { after }) });
  return JSON.parse(await wholeText(answer)) as Page;
}

function columns(): Column<HostAnswer>[] {
  return [
    { header: 'host', value: (host) => host.hostname, paint: (text, _host, colours) => colours.bold(text) },
    { header: 'last seen', value: (host) => momentText(host.last_seen) },
    { header: 'last update', value: (host) => momentText(host.last_update) },
    { header: 'labels', value: labelsText, shrink: true },
  ];
}

function labelsText(host: HostAnswer): string {
  return Object.entries(host.labels)
    .map(([name, value]) => `${name}=${valueText(value)}`)
    .join(' ');
}
