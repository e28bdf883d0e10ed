import * as z from 'zod';
import { type HostAnswer, hostSchema } from './host-schemas.ts';

const MEMBERS = ['hostname', 'labels', 'inventory', 'last_seen', 'last_update', 'keys'] as const;
export const SECTION = 'inventory.';
const CHOICES = `${MEMBERS.join(', ')} or ${SECTION}<section>`;

/** A host of which members may be missing. */
export const partialHostSchema = hostSchema.partial().required({ hostname: true });

export type PartialHost = z.infer<typeof partialHostSchema>;

export const fieldsSchema = z
  .array(z.string().regex(new RegExp(`^(${MEMBERS.join('|')}|inventory\\.[^.]+)$`), `must be one of ${CHOICES}`), {
    error: `must be a list of ${CHOICES}`,
  })
  .min(1, `must name at least one of ${CHOICES}`)
  .optional()
  .describe(`Only these members of a host: ${CHOICES}; hostname is always there. Absent: all`);

export type Fields = z.infer<typeof fieldsSchema>;

/** The members that were asked for. */
export function withFields(host: HostAnswer, fields: Fields): PartialHost {
  if (fields === undefined) return host;
  const wanted = new Set<string>(fields);
  const sections = Object.entries(host.inventory).filter(([key]) => wanted.has(SECTION + key));
  return {
    hostname: host.hostname,
    ...(wanted.has('labels') ? { labels: host.labels } : {}),
    ...(wanted.has('inventory')
      ? { inventory: host.inventory }
      : sections.length > 0
        ? { inventory: Object.fromEntries(sections) }
        : {}),
    ...(wanted.has('last_seen') ? { last_seen: host.last_seen } : {}),
    ...(wanted.has('last_update') ? { last_update: host.last_update } : {}),
    ...(wanted.has('keys') && host.keys !== undefined ? { keys: host.keys } : {}),
  };
}

export interface ShortenedHost {
  readonly host: PartialHost;
  /** As `fields` names them. */
  readonly leftOut: readonly string[];
}

/** Returns the host without as many of its largest parts as needed to have at most `most` characters. */
export function shortenedHost(host: PartialHost, most: number): ShortenedHost {
  let size = sizeOf(host);
  if (size <= most) return { host, leftOut: [] };
  let { labels, inventory } = host;
  const parts = Object.entries(inventory ?? {}).map(([key, section]) => ({
    name: SECTION + key,
    size: sizeOf(section),
  }));
  if (labels !== undefined) parts.push({ name: 'labels', size: sizeOf(labels) });
  parts.sort((a, b) => b.size - a.size);
  const leftOut: string[] = [];
  for (const part of parts) {
    if (size <= most) break;
    leftOut.push(part.name);
    size -= part.size;
  }
  if (leftOut.includes('labels')) labels = undefined;
  if (inventory !== undefined) {
    inventory = Object.fromEntries(Object.entries(inventory).filter(([key]) => !leftOut.includes(SECTION + key)));
  }
  const { labels: _, inventory: __, ...rest } = host;
  return {
    host: {
      ...rest,
      ...(labels === undefined ? {} : { labels }),
      ...(inventory === undefined ? {} : { inventory }),
    },
    leftOut,
  };
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length;
}
