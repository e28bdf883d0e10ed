import type { JsonObject, JsonValue, Wording } from '../../ports/index.ts';
import { shown } from '../file-source/fault.ts';
import { enumerated, type Said, worded } from '../worded.ts';
import { fieldValues } from './record-path.ts';
import { isNoName } from './worthless-values.ts';

/** Stands for the name of the file that a record comes from. */
const FILE_NAME_FIELD = 'file:name';

/** `later` where the first field that may have it has none. */
export type RecordName = { readonly name: string; readonly later: boolean } | { readonly reason: Said };

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
  const faults: Said[] = [];
  for (const field of isOneField(record, option) ? [option] : nameFields(option)) {
    const values = field === FILE_NAME_FIELD && file !== undefined ? [file] : fieldValues(record, field);
    const name = values.find(isName);
    if (name !== undefined) return { name: String(name), later: faults.length > 0 };
    faults.push(faultOf(shown(field), values[0]));
  }
  return { reason: worded`has no name: ${{ faults: enumerated(faults) ?? '' }}` };
}

/** A member may have a comma in its name. */
function isOneField(record: JsonObject, option: string): boolean {
  return option.includes(',') && fieldValues(record, option).length > 0;
}

function isName(value: JsonValue): boolean {
  return typeof value === 'number' ? Number.isFinite(value) : typeof value === 'string' && !isNoName(value);
}

function faultOf(field: string, value: JsonValue | undefined): Said {
  if (value === undefined) return worded`${{ field }} is missing`;
  if (value === null) return worded`${{ field }} is null`;
  if (typeof value !== 'string') return worded`${{ field }} is not a text`;
  return value.trim() === '' ? worded`${{ field }} is empty` : noNameText(field, value);
}

/** `host says "NULL"`. */
export function noNameText(field: string, value: string): Wording {
  return worded`${{ field }} has the value ${{ value: shown(value) }}, which is not a name`;
}
