import type { JsonObject, JsonValue } from '../../../ports/index.ts';
import { shown } from '../file-source/fault.ts';
import { fieldValues } from './record-path.ts';

/** Stands for the name of the file that a record comes from. */
const FILE_NAME_FIELD = 'file:name';

export type RecordName = { readonly name: string } | { readonly reason: string };

/** Whether the file alone gives the name. */
export function isNamedByFile(option: string): boolean {
  return option === FILE_NAME_FIELD;
}

/** The fields that may have the name, the first of them that has one counts. */
export function nameFields(option: string): readonly string[] {
  if (!option.includes(',')) return [option];
  const fields = option.split(',').map((field) => field.trim());
  return fields.filter((field) => field !== '');
}

/** The name of a record, or why it has none. `file` is the name that its file gives it. */
export function recordName(record: JsonObject, option: string, file?: string): RecordName {
  const faults: string[] = [];
  for (const field of isOneField(record, option) ? [option] : nameFields(option)) {
    const values = field === FILE_NAME_FIELD && file !== undefined ? [file] : fieldValues(record, field);
    const name = values.find(isName);
    if (name !== undefined) return { name: String(name) };
    faults.push(`${shown(field)} ${faultOf(values[0])}`);
  }
  return { reason: `has no name: ${faults.join(', ')}` };
}

/** A member may have a comma in its name. */
function isOneField(record: JsonObject, option: string): boolean {
  return option.includes(',') && fieldValues(record, option).length > 0;
}

function isName(value: JsonValue): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
}

function faultOf(value: JsonValue | undefined): string {
  if (value === undefined) return 'is missing';
  if (value === null) return 'is null';
  return typeof value === 'string' ? 'is empty' : 'is not a text';
}
