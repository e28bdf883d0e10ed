import * as z from 'zod';
import { secondsOf } from '../../kit/words/moment.ts';
import type { HostRecord, Inventory, JsonObject, Labels } from '../../ports/index.ts';
import { openObject } from '../kernel/open-object.ts';
import type { KeyValues } from './keys-of-hosts.ts';

/** Schemas that several operations share, with what the documentation says of them. */

const labelScalar = { type: ['string', 'number', 'boolean', 'null'] };

export const labelsSchema = openObject<Labels>('Flat attributes; a value is a scalar or a list of scalars', {
  anyOf: [labelScalar, { type: 'array', items: labelScalar }],
});

export const inventorySchema = openObject<Inventory>('Nested sections, one top-level key a source system', {
  type: 'object',
});

export const sectionSchema = openObject<JsonObject>('The section, stored under its key', {});

export const hostnameSchema = z.string().trim().describe('Name of the host');

export const keysSchema = z
  .record(z.string(), z.array(z.string()))
  .describe('Keys that identify it elsewhere, such as serial, uuid and mac, each with its values');

const momentSchema = z
  .union([z.string(), z.literal(false)])
  .describe('ISO 8601 UTC timestamp, or false when it never happened');

export const hostSchema = z
  .object({
    hostname: hostnameSchema,
    labels: labelsSchema,
    inventory: inventorySchema,
    last_seen: momentSchema,
    last_update: momentSchema,
    keys: keysSchema.optional(),
  })
  .meta({ title: 'Host' });

export type HostAnswer = z.infer<typeof hostSchema>;

/** The host as the interface shows it, with its keys if it has some. */
export function hostAnswer(host: HostRecord, keys?: KeyValues): HostAnswer {
  return {
    hostname: host.hostname,
    labels: host.labels.value,
    inventory: host.inventory.value,
    ...momentsOf(host),
    ...(keys === undefined ? {} : { keys: answeredKeys(keys) }),
  };
}

export function answeredKeys(keys: KeyValues): Record<string, string[]> {
  return Object.fromEntries(Object.entries(keys).map(([name, values]) => [name, [...values]]));
}

/** The same without the inventory, which is not parsed then. */
export function briefHostAnswer(host: HostRecord): Omit<HostAnswer, 'inventory'> {
  return { hostname: host.hostname, labels: host.labels.value, ...momentsOf(host) };
}

/** Characters of JSON that have to be taken apart to answer it. */
export function sizeOfHost({ labels, inventory }: Pick<HostRecord, 'labels' | 'inventory'>): number {
  return labels.text.length + inventory.text.length;
}

function momentsOf({ lastSeen, lastUpdate }: HostRecord): Pick<HostAnswer, 'last_seen' | 'last_update'> {
  return {
    last_seen: lastSeen === null ? false : secondsOf(lastSeen),
    last_update: lastUpdate === null ? false : secondsOf(lastUpdate),
  };
}

/** The same as JSON text, without parsing what is stored as text. */
export function hostAnswerText(host: HostRecord, keys?: KeyValues): string {
  const seen = host.lastSeen === null ? 'false' : `"${secondsOf(host.lastSeen)}"`;
  const updated = host.lastUpdate === null ? 'false' : `"${secondsOf(host.lastUpdate)}"`;
  return (
    `{"hostname":${JSON.stringify(host.hostname)},"labels":${host.labels.text},"inventory":${host.inventory.text},` +
    `"last_seen":${seen},"last_update":${updated}${keys === undefined ? '' : `,"keys":${JSON.stringify(keys)}`}}`
  );
}
