import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { RELATION_COLUMNS } from '../../../src/adapters/cli/commands/host/relations.ts';
import { LOG_COLUMNS } from '../../../src/adapters/cli/commands/logs/columns.ts';
import { CommandContext } from '../../../src/adapters/cli/context.ts';
import { type ListRequest, listingText } from '../../../src/adapters/cli/output/listing.ts';
import { buildProgram, loadGroup } from '../../../src/adapters/cli/program.ts';
import { columnNames } from '../../../src/app/kernel/listing.ts';
import type { Column } from '../../../src/app/kernel/print.ts';
import { fakeTerminal } from './fake-terminal.ts';
import { type MusterHarness, musterHarness } from './run-muster.ts';

interface Row {
  readonly name: string;
  readonly hosts: number;
  readonly last_run: { readonly at: string } | null;
}

const ROWS: readonly Row[] = [
  { name: 'b', hosts: 9, last_run: { at: '2026-01-02T03:04:05Z' } },
  { name: 'a', hosts: 10, last_run: null },
  { name: '=cmd()', hosts: 100, last_run: { at: '2026-01-01T03:04:05Z' } },
];

const COLUMNS: readonly Column<Row>[] = [
  { header: '', value: () => '✓' },
  { header: 'name', value: ({ name }) => name, names: true },
  { header: 'hosts', align: 'right', value: ({ hosts }) => String(hosts) },
  { header: 'last run (UTC)', value: ({ last_run }) => last_run?.at ?? '' },
];

const COLOURS = Object.fromEntries(
  ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'].map((name) => [name, (text: string) => text]),
) as unknown as Parameters<typeof listingText>[3]['colours'];

const text = (request: ListRequest, rows = ROWS): Promise<string> =>
  listingText(rows, COLUMNS, request, { colours: COLOURS });

describe('a list', () => {
  it('has the columns that were asked for, in that order, and members of the rows', async () => {
    expect(await text({ form: 'table', columns: ['hosts', 'name', 'last_run.at'] })).toBe(
      'HOSTS  NAME    LAST_RUN.AT\n    9  b       2026-01-02T03:04:05Z\n   10  a\n  100  =cmd()  2026-01-01T03:04:05Z\n',
    );
  });

  it('is sorted by size where cells are numbers, in both directions, with what is empty at the end', async () => {
    const names = async (sort: string) => (await text({ form: 'name', sort })).trimEnd().split('\n');
    expect(await names('hosts')).toEqual(['b', 'a', '=cmd()']);
    expect(await names('-hosts')).toEqual(['=cmd()', 'a', 'b']);
    expect(await names('name')).toEqual(['=cmd()', 'a', 'b']);
    expect(await names('last_run')).toEqual(['=cmd()', 'b', 'a']);
    expect(await names('-last_run')).toEqual(['b', '=cmd()', 'a']);
  });

  it('keeps formulas out of spreadsheets', async () => {
    expect(await text({ form: 'csv' })).toBe(
      "name,hosts,last_run\r\nb,9,2026-01-02T03:04:05Z\r\na,10,\r\n'=cmd(),100,2026-01-01T03:04:05Z\r\n",
    );
  });

  it('has values and not texts as JSON and YAML', async () => {
    const request = { columns: ['name', 'hosts', 'last_run'], sort: 'hosts' };
    const expected = ROWS.map(({ name, hosts, last_run }) => ({ name, hosts, last_run: last_run ?? '' }));
    expect(JSON.parse(await text({ form: 'json', ...request }))).toEqual(expected);
    const yaml = await text({ form: 'yaml', ...request });
    expect(parse(yaml)).toEqual(expected);
    expect(parse(yaml, { version: '1.1' })).toEqual(expected);
  });

  it('says which columns there are, where one is not known', async () => {
    await expect(text({ form: 'csv', columns: ['nam'] })).rejects.toThrow(
      'there is no column nam; there are name, hosts, last_run, and the members that -o json shows',
    );
    await expect(text({ form: 'csv', sort: '-nam' })).rejects.toThrow('there is no column nam');
    expect(await text({ form: 'csv', columns: ['members'] }, [])).toBe('members\r\n');
  });

  it('has a line for each name, whatever is in it', async () => {
    expect(await text({ form: 'name' }, [{ name: 'a\nb', hosts: 1, last_run: null }])).toBe('a\\nb\n');
  });
});

describe('commands that list', () => {
  let muster: MusterHarness;

  beforeAll(async () => {
    muster = await musterHarness();
  });

  afterAll(() => muster.close());

  it('take the same options, whatever they list', async () => {
    const lists = (await leafCommands()).filter(({ options }) => options.some(({ long }) => long === '--output'));
    expect(lists.length).toBeGreaterThan(20);
    for (const command of lists) {
      expect(command.options.map(({ long }) => long)).toEqual(
        expect.arrayContaining(['--columns', '--sort', '--json']),
      );
    }
  });

  it.each([
    ['account', 'list'],
    ['user', 'list'],
    ['plan', 'list'],
    ['run', 'active'],
    ['cron', 'status'],
    ['search', 'list'],
    ['host', 'list'],
    ['logs'],
    ['rules', 'waiting'],
  ])('%s %s answers an empty list in every form', async (...words) => {
    const { stdout, exitCode } = await muster.run([...words, '-o', 'csv']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^[a-z_,]+\r\n$/);
    expect((await muster.run([...words, '-o', 'name'])).stdout).toBe('');
    expect((await muster.run([...words, '-o', 'yaml'])).exitCode).toBe(0);
  });

  it('names the columns that there are', async () => {
    for (const [words, columns] of [
      ['muster logs', LOG_COLUMNS],
      ['muster host relations', RELATION_COLUMNS],
    ] as const) {
      const command = (await leafCommands()).find((candidate) => pathOf(candidate) === words);
      const { description } = command?.options.find(({ long }) => long === '--columns') ?? {};
      expect(description).toContain(columnNames(columns).join(','));
    }
  });

  it('show the log since a time, and what of it failed', async () => {
    await muster.run(['account', 'add', 'gone', '--type', 'csv', '--set', 'path=gone.csv']);
    expect((await muster.run(['import', 'gone'])).exitCode).toBe(1);
    expect(await muster.json<unknown[]>(['logs', '--since', '1h', '--errors'])).toHaveLength(1);
    expect(await muster.json<unknown[]>(['logs', '--since', '1h', '--text', 'nowhere'])).toHaveLength(0);
    expect(await muster.json<unknown[]>(['logs', '--since', '0s'])).toHaveLength(0);
    expect((await muster.run(['logs', '--since', 'soon'])).exitCode).toBe(2);
  });

  it('follow the log until they are stopped, each entry once', async () => {
    const stop = new AbortController();
    const following = muster.run(['logs', '--follow', '--since', '1h', '--json'], { signal: stop.signal });
    await setTimeout(2_600);
    stop.abort(new DOMException('SIGINT', 'AbortError'));
    const { stdout, exitCode } = await following;
    expect(exitCode).toBe(130);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).source),
    ).toEqual(['import:gone']);
  });
});

async function leafCommands(): Promise<readonly Command[]> {
  const context = new CommandContext(fakeTerminal().terminal, '0', () => Promise.reject(new Error('not opened')));
  const program = buildProgram(context);
  for (const command of program.commands) await loadGroup(command, context);
  const below = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(below)];
  return below(program);
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
