import { type Command, Option } from 'commander';
import type { ListForm, ListRequest } from './output/listing.ts';

const FORMS: readonly ListForm[] = ['table', 'json', 'yaml', 'csv', 'name'];

/** Options of a list, as commander names them. */
export interface ListOptions {
  readonly output?: ListForm;
  readonly columns?: readonly string[];
  readonly sort?: string;
  readonly json?: true;
}

/** The options of every command that lists: which columns, in which order, in which form. */
export function addListOptions(command: Command, columns: readonly string[]): void {
  command
    .option('--columns <names>', `these columns, or members of the JSON: ${columns.join(',')}`, namesOf)
    .option('--sort <column>', 'by a column, with a minus in front for the other direction')
    .addOption(outputOption());
}

export function outputOption(): Option {
  return new Option('-o, --output <form>', 'as a table, JSON, YAML, CSV, or a name a line').choices(FORMS);
}

/** Returns what was requested of a list, or `undefined` for the default table. `--json` means `-o json`. */
export function listRequestOf({ output, columns, sort, json }: ListOptions): ListRequest | undefined {
  const form = json === true ? 'json' : (output ?? 'table');
  if (form === 'table' && columns === undefined && sort === undefined) return undefined;
  return { form, ...(columns !== undefined && { columns }), ...(sort !== undefined && { sort }) };
}

function namesOf(text: string): readonly string[] {
  return text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
}
