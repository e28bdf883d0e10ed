import { stringify } from 'yaml';

/** A value as YAML, which readers of 1.1 and 1.2 take for the same: what either would take for a time or a boolean is quoted. */
export function yamlText(value: unknown): string {
  return stringify(JSON.parse(JSON.stringify(value)), { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });
}
