import { dottedMembers } from '../../../../kit/json/dotted-members.ts';
import type { RecordScope } from '../../../../kit/options/hostname-template.ts';
import type { JsonValue, SourceRecord } from '../../../../ports/index.ts';

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
      return name === hostnameField ? hostname : dottedMembers(Object.entries(labels), name);
    },
    attributes() {
      const attributes = new Map<string, JsonValue>();
      if (hostnameField !== undefined) attributes.set(hostnameField, hostname);
      for (const [name, value] of Object.entries(labels)) attributes.set(name, value);
      return attributes.set('HOSTNAME', hostname.trim());
    },
  };
}
