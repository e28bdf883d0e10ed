import { stringify } from 'yaml';

/**
 * Returns a value as YAML that readers of 1.1 and 1.2 parse alike: anything that either would parse as a time or a boolean is
 * quoted.
 */
export function yamlText(value: unknown): string {
  return stringify(JSON.parse(JSON.stringify(value)), { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });
}
