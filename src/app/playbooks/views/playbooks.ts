import type { Column, Print } from '../../kernel/print.ts';

interface Manifest {
  readonly playbooks: readonly ManifestPlaybook[];
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}

interface ManifestPlaybook {
  readonly file: string;
  readonly name: string;
  readonly inventory: string;
  readonly description: string;
}

export function manifestView({ playbooks }: Manifest, print: Print): Promise<void> {
  return print.table(playbooks, PLAYBOOK_COLUMNS, 'The manifest names no playbook.');
}

export const PLAYBOOK_COLUMNS: readonly Column<ManifestPlaybook>[] = [
  { header: 'file', value: (row) => row.file },
  { header: 'name', value: (row) => row.name },
  { header: 'inventory', value: (row) => row.inventory },
  { header: 'description', value: (row) => row.description, shrink: true },
];

/** Entries of the manifest that cannot be used make the command fail. */
export function manifestOutcome({ problems }: Manifest, print: Print): void {
  for (const { path, message } of problems) print.note(print.noteColours.yellow(`${path}: ${message}`));
  if (problems.length > 0) print.failed();
}
