import { runMaintenance } from '../../../../app/maintenance/operations/run-maintenance.ts';
import type { Column } from '../../../../app/words/print.ts';
import type { CommandContext } from '../../context.ts';

interface Row {
  readonly what: string;
  readonly count: number;
}

export async function runMaintenanceCommand(context: CommandContext, options: { json?: true }): Promise<void> {
  const counts = await context.value(runMaintenance, {});
  if (options.json) {
    await context.json(counts);
    return;
  }
  const rows: Row[] = [
    { what: 'hosts archived as stale', count: counts.stale },
    { what: 'archived hosts deleted for good', count: counts.purged },
    { what: 'changes of hosts pruned', count: counts.changes },
    { what: 'versions of rules pruned', count: counts.versions },
    { what: 'log entries pruned', count: counts.logs },
    { what: 'audit entries pruned', count: counts.audit },
    { what: 'runs of playbooks pruned', count: counts.playbook_runs },
  ];
  await context.table(rows, COLUMNS, 'Nothing was done.');
}

const COLUMNS: readonly Column<Row>[] = [
  { header: 'what', value: (row) => row.what },
  { header: 'count', value: (row) => row.count.toLocaleString('en-US') },
];
