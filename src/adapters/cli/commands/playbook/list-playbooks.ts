import type * as z from 'zod';
import { listPlaybooks } from '../../../../app/runs/playbooks/operations/list-playbooks.ts';
import type { Column } from '../../../../app/words/print.ts';
import type { CommandContext } from '../../context.ts';

export async function listPlaybooksCommand(context: CommandContext, options: { json?: true }): Promise<void> {
  const { playbooks, problems } = await context.value(listPlaybooks, {});
  if (options.json) await context.json(playbooks);
  else await context.table(playbooks, COLUMNS, 'The manifest names no playbook.');
  for (const { path, message } of problems) context.note(context.noteColours.yellow(`${path}: ${message}`));
  if (problems.length > 0) context.failed();
}

type Row = z.infer<typeof listPlaybooks.output>['playbooks'][number];

const COLUMNS: readonly Column<Row>[] = [
  { header: 'file', value: (row) => row.file },
  { header: 'name', value: (row) => row.name },
  { header: 'inventory', value: (row) => row.inventory },
  { header: 'description', value: (row) => row.description, shrink: true },
];
