import { momentText } from '../../../kit/words/moment.ts';
import type { Column, Print } from '../../kernel/print.ts';

interface WaitingDocument {
  readonly rule_type: string;
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly acts: readonly string[];
  readonly changed_at: string;
  readonly changed_by: string;
}

interface Waiting {
  readonly waiting: readonly WaitingDocument[];
  readonly more: boolean;
}

/** Prints the documents that wait for an administrator, and how to confirm one. */
export async function waitingView({ waiting, more }: Waiting, print: Print): Promise<void> {
  await print.table(waiting, WAITING_COLUMNS, 'Nothing waits for an administrator.');
  if (more) print.note(`… and more than these ${waiting.length}`);
  if (waiting.length > 0) print.note('Read and confirm one: muster rules confirm <type> <name>');
}

export const WAITING_COLUMNS: readonly Column<WaitingDocument>[] = [
  { header: 'type', value: ({ rule_type }) => rule_type },
  { header: 'name', names: true, value: ({ name }) => name },
  { header: 'id', value: ({ id }) => id },
  { header: 'version', align: 'right', value: ({ version }) => String(version) },
  { header: 'it', value: ({ acts }) => acts.join(', ') },
  { header: 'written by', value: ({ changed_by }) => changed_by },
  { header: 'at', value: ({ changed_at }) => momentText(changed_at) },
];
