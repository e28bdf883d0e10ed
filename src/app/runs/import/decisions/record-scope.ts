import type { JsonValue, SourceRecord } from '../../../../ports/index.ts';
import type { RecordScope } from '../../../accounts/decisions/hostname-template.ts';
import { setOwn } from './own-property.ts';

/**
 * `HOSTNAME`, the record's fields, and the field that the hostname came from. Sources flatten nested members to dotted
 * names, so `site` of a record with `site.name` is put together again: `{{ site.name }}` reads as its author expects.
 */
export function recordScope(record: SourceRecord, hostnameField: string | undefined): RecordScope {
  const { hostname, labels } = record;
  return {
    get(name) {
      if (name === 'HOSTNAME') return hostname.trim();
      if (Object.hasOwn(labels, name)) return labels[name];
      return name === hostnameField ? hostname : nestedField(labels, `${name}.`);
    },
    attributes() {
      const attributes = new Map<string, JsonValue>();
      if (hostnameField !== undefined) attributes.set(hostnameField, hostname);
      for (const [name, value] of Object.entries(labels)) attributes.set(name, value);
      return attributes.set('HOSTNAME', hostname.trim());
    },
  };
}

function nestedField(labels: Readonly<Record<string, JsonValue>>, prefix: string): JsonValue | undefined {
  let found: Record<string, JsonValue> | undefined;
  for (const [key, value] of Object.entries(labels)) {
    if (!key.startsWith(prefix)) continue;
    found ??= {};
    const rest = key.slice(prefix.length);
    const dot = rest.indexOf('.');
    const member = dot === -1 ? rest : rest.slice(0, dot);
    if (dot === -1) setOwn(found, member, value);
    else if (!Object.hasOwn(found, member)) {
      const inner = nestedField(labels, `${prefix}${member}.`);
      if (inner !== undefined) setOwn(found, member, inner);
    }
  }
  return found;
}
