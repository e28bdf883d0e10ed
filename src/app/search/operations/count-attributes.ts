import * as z from 'zod';
import { scalarText } from '../../../kit/document/members.ts';
import type { JsonValue } from '../../../ports/index.ts';
import { hostScopeOf } from '../../kernel/caller.ts';
import { defineOperation } from '../../rules/services.ts';

const BATCH_SIZE = 250;
/** The user is typing: attributes not counted by then are not offered. */
const PATIENCE_MS = 2500;

const counts = z.array(z.object({ text: z.string(), hosts: z.number().int() }));

export const countAttributes = defineOperation({
  name: 'rules/count-attributes',
  title: 'Attributes and their values',
  description:
    'Which attributes hosts have behind the rules that are for every consumer, and which values one of them has, the most frequent first. Secrets of accounts are not among them.',
  effect: 'read',
  roles: ['rules'],
  acrossAccounts: true,
  weight: 'preview',
  at: { page: true },
  input: z.object({
    attribute: z.string().max(1000).optional().describe('Attribute whose values are counted'),
    limit: z.number().int().min(1).max(1000).default(300),
  }),
  output: z.object({
    names: counts.describe('Attributes by the number of hosts that have them'),
    values: counts.describe('Values of the attribute that was named; long ones are left out'),
    hosts: z.number().int().describe('Hosts that were looked at'),
    is_exact: z.boolean().describe('False if there was no time to look at all hosts'),
  }),
  async run({ attribute, limit }, { services, caller, signal }) {
    const program = await services.evaluators.preview(null);
    const filter = { scope: hostScopeOf(caller), kind: 'hosts', state: 'active' } as const;
    const counter = new AttributeCounter(attribute);
    const end = Date.now() + PATIENCE_MS;
    let hosts = 0;
    for await (const batch of services.storage.hosts.scan(filter, BATCH_SIZE)) {
      signal.throwIfAborted();
      if (Date.now() > end) return { ...counter.most(limit), hosts, is_exact: false };
      for (const host of batch) counter.add(program.attributes(host));
      hosts += batch.length;
    }
    return { ...counter.most(limit), hosts, is_exact: true };
  },
});

/** Names come from data: no more of them are counted, and no more values. */
const MOST = 5000;
/** Longer texts are of no use in comparisons. */
const MOST_LENGTH = 200;

/** How many hosts have an attribute, and how many one of its values. */
class AttributeCounter {
  readonly #attribute: string | undefined;
  readonly #names = new Map<string, number>();
  readonly #values = new Map<string, number>();

  constructor(attribute: string | undefined) {
    this.#attribute = attribute;
  }

  add(attributes: ReadonlyMap<string, JsonValue>): void {
    for (const name of attributes.keys()) count(this.#names, name);
    const value = this.#attribute === undefined ? undefined : attributes.get(this.#attribute);
    if (value === undefined) return;
    for (const text of new Set(texts(value))) count(this.#values, text);
  }

  /** The most frequent first. */
  most(limit: number) {
    return { names: sorted(this.#names, limit), values: sorted(this.#values, limit) };
  }
}

function texts(value: JsonValue): readonly string[] {
  const items: readonly JsonValue[] = Array.isArray(value) ? value : [value];
  return items.map((item) => scalarText(item) ?? '').filter((text) => text !== '' && text.length <= MOST_LENGTH);
}

function count(counts: Map<string, number>, text: string): void {
  const before = counts.get(text);
  if (before !== undefined || counts.size < MOST) counts.set(text, (before ?? 0) + 1);
}

function sorted(counts: ReadonlyMap<string, number>, limit: number) {
  return [...counts]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([text, hosts]) => ({ text, hosts }));
}
