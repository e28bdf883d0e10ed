import { join } from 'node:path';
import type { Colours, Column } from '../../../../app/kernel/print.ts';
import { counted, grouped } from '../../../../kit/words/amounts.ts';
import { renderTable } from '../../output/table.ts';

/** The parts of an inventory document that the summary counts. */
export interface InventoryShape {
  readonly all: { readonly hosts: readonly string[]; readonly children?: readonly string[] };
  readonly [group: string]: unknown;
}

interface GroupCount {
  readonly group: string;
  readonly hosts: number;
}

const SHOWN_GROUPS = 16;
const BAR = 24;

/** The largest groups with their size. */
export function groupTable(
  inventory: InventoryShape,
  options: { colours: Colours; width: number | undefined },
): string {
  const counts = (inventory.all.children ?? [])
    .map((group): GroupCount => ({ group, hosts: hostsIn(inventory[group]) }))
    .sort((a, b) => b.hosts - a.hosts || (a.group < b.group ? -1 : 1));
  const largest = counts[0]?.hosts ?? 1;
  const columns: Column<GroupCount>[] = [
    { header: 'group', value: ({ group }) => group },
    { header: 'hosts', align: 'right', value: ({ hosts }) => grouped(hosts) },
    {
      header: '',
      value: ({ hosts }) => '█'.repeat(Math.max(1, Math.round((hosts / largest) * BAR))),
      paint: (text, _count, colours) => colours.cyan(text),
    },
  ];
  const more =
    counts.length > SHOWN_GROUPS
      ? options.colours.dim(`… and ${counted(counts.length - SHOWN_GROUPS, 'more group')}\n`)
      : '';
  return renderTable(counts.slice(0, SHOWN_GROUPS), columns, options) + more;
}

function hostsIn(group: unknown): number {
  const hosts = (group as { hosts?: unknown } | undefined)?.hosts;
  return Array.isArray(hosts) ? hosts.length : 0;
}

/** A host that the sample has in many groups. */
export function exampleHost({ all }: InventoryShape): string {
  return all.hosts.find((name) => name.startsWith('mw')) ?? all.hosts[0] ?? '';
}

export interface NextSteps {
  readonly address: string;
  readonly user: string;
  readonly password: string;
  /** Absent when the commands find the database by themselves. */
  readonly databaseUrl: string | undefined;
  /** Folder of the program, relative to the current one; empty if they are the same. */
  readonly folder: string;
  /** Whether a shell finds the program by its name. */
  readonly isOnPath: boolean;
  readonly hostname: string;
  readonly colours: Colours;
}

/** Commands to try, ready to be pasted into another terminal. */
export function nextSteps(steps: NextSteps): string {
  const { address, user, password, colours } = steps;
  const muster = steps.isOnPath ? 'muster' : join(steps.folder, 'bin/muster');
  const inventory = join(steps.folder, 'ansible/inventory');
  const commands = [
    ...(steps.databaseUrl === undefined ? [] : [`export SERVICE_DATABASE_URL=${steps.databaseUrl}`]),
    `${muster} host explain ${steps.hostname}`,
    `${muster} inventory automation --host=${steps.hostname}`,
    `ansible-inventory -i ${inventory} --graph`,
    `curl -s -u ${user}:${password} "${address}/api/v1/inventory/automation/automation?host=${steps.hostname}"`,
    `curl -s -u ${user}:${password} "${address}/api/v1/objects/all?start=0&limit=2"`,
  ];
  return [
    '',
    `${colours.bold('Muster serves')} ${colours.cyan(address)}`,
    `  login          ${user} / ${password}`,
    `  documentation  ${address}/docs`,
    '',
    `${colours.bold('Try in another terminal')} (Ctrl-C here stops the service):`,
    '',
    ...commands.map((command) => `  ${command}`),
    '',
    '',
  ].join('\n');
}
