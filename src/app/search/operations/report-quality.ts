import * as z from 'zod';
import { columnNames } from '../../kernel/listing.ts';
import { missingText } from '../decisions/conditions.ts';
import { DuplicateFinder } from '../decisions/quality/duplicates.ts';
import { LabelQuality } from '../decisions/quality/label-quality.ts';
import { LastSeen, unseenText } from '../decisions/quality/last-seen.ts';
import { MOST_LOOKED, openSearch } from '../open-search.ts';
import { defineOperation } from '../services.ts';
import { QUALITY_COLUMNS, qualityView } from '../views/quality.ts';

const count = z.number().int();
const where = z.string().describe('The query that finds just these hosts, among active hosts that are not objects');
const found = z.object({ hosts: count, where });
const total = count.describe('How many there are in all; the list ends at the limit');

export const reportQuality = defineOperation({
  name: 'search/report-quality',
  title: 'Data quality',
  description:
    'How complete and uniform the labels of active hosts are, which hosts may be the same one, and which hosts and sources have not been seen lately.',
  effect: 'read',
  roles: ['objects'],
  weight: 'heavy',
  at: {
    page: true,
    rest: { path: 'GET /objects/quality', query: ['unseen_days', 'limit'] },
    command: {
      words: 'host quality',
      description:
        'Show which labels hosts lack, labels whose names differ in case alone, values that differ in case or spaces alone, hosts that may be the same one, and hosts and sources not seen lately; each with the query that finds these hosts.',
      summary: 'show what is incomplete or doubtful in the data of hosts',
      options: {
        unseen_days: {
          flags: '--unseen-days <n>',
          description: 'days without a sight after which a host counts as unseen',
          parse: { from: 1, to: 3650 },
        },
        limit: {
          flags: '--limit <n>',
          description: 'at most this many rows of each kind',
          parse: { from: 1, to: 1000 },
        },
      },
      columns: columnNames(QUALITY_COLUMNS),
      progress: () => 'Looking at hosts',
      json: 'answer the whole report as JSON',
      examples: ['muster host quality', 'muster host quality --unseen-days 30 --json'],
      view: qualityView,
    },
  },
  input: z.object({
    unseen_days: z.coerce.number().int().min(1).max(3650).default(7).describe('Days after which a host is unseen'),
    limit: z.coerce.number().int().min(1).max(1000).default(50).describe('At most this many rows of each kind'),
  }),
  output: z.object({
    size: count.describe('How many hosts were looked at'),
    is_exact: z.boolean().describe('False when there were too many to look at all of them, or to compare all values'),
    unseen_days: count,
    unseen: found.describe('Hosts that no source named within these days'),
    unowned: found.describe('Hosts that belong to no account'),
    silent_sources: z
      .array(found.extend({ account: z.string(), last_seen: z.string() }))
      .describe('Accounts none of whose hosts was seen within these days'),
    labels: z
      .array(
        z.object({
          label: z.string(),
          filled: found.describe('Hosts that have it with a value'),
          empty: found.describe('Hosts that have it without a value, or with an empty one in its list'),
          missing: found.describe('Hosts that do not have it'),
        }),
      )
      .describe('Those that the fewest hosts have filled first'),
    labels_total: total,
    spellings: z
      .array(
        found.extend({
          label: z.string(),
          spellings: z.array(z.object({ value: z.string(), hosts: count })),
        }),
      )
      .describe('Values of a label that differ in case and spaces alone'),
    spellings_total: total,
    label_names: z
      .array(found.extend({ names: z.array(z.object({ name: z.string(), hosts: count })) }))
      .describe('Labels whose names differ in case alone'),
    label_names_total: total,
    duplicates: z
      .array(
        found.extend({
          kind: z.enum(['spelling', 'serial', 'uuid', 'address', 'short_name']),
          value: z.string().describe('Value that the hosts share'),
          sample: z.array(z.string()).describe('The first of them'),
        }),
      )
      .describe(
        'Hosts whose names differ in spelling alone (upper and lower case, signs that are not seen …), with the same serial number (a label such as serial_number), the same UUID, also with swapped bytes, the same address (a label such as ip) or the same name up to the first dot',
      ),
    duplicates_total: z.object({ spelling: count, serial: count, uuid: count, address: count, short_name: count }),
  }),
  async run({ unseen_days, limit }, { services, caller, signal, progress }) {
    const request = { where: '', kind: 'hosts', state: 'active', provider: 'automation' } as const;
    const search = await openSearch(request, { services, caller, signal, operation: 'search/report-quality' });
    const lastSeen = new LastSeen(services.clock.now(), unseen_days);
    const labels = new LabelQuality();
    const finder = new DuplicateFinder(services.config.WORTHLESS_VALUES);
    let size = 0;
    for await (const { hosts } of search.found(undefined)) {
      for (const host of hosts) {
        lastSeen.add(host);
        labels.add(host);
        finder.add(host);
      }
      size += hosts.length;
      progress({ done: size, unit: 'hosts' });
      if (size >= MOST_LOOKED) break;
    }
    const shares = labels.shares();
    const spelled = labels.spelledDifferently();
    const named = labels.namedDifferently();
    const spelling = finder.found('spelling');
    const serial = finder.found('serial');
    const uuid = finder.found('uuid');
    const address = finder.found('address');
    const shortName = finder.found('short_name');
    return {
      size,
      is_exact: size < MOST_LOOKED && !labels.isCut && !finder.isCut,
      unseen_days,
      unseen: { hosts: lastSeen.unseen, where: unseenText(unseen_days) },
      unowned: { hosts: lastSeen.unowned, where: missingText('own.account') },
      silent_sources: lastSeen
        .silentSources(search.known.accounts)
        .map(({ lastSeen, ...source }) => ({ ...source, last_seen: lastSeen.toISOString() })),
      labels: shares.slice(0, limit).map((share) => ({
        label: share.label,
        filled: { hosts: share.filled, where: share.filledWhere },
        empty: { hosts: share.empty, where: share.emptyWhere },
        missing: { hosts: share.missing, where: share.missingWhere },
      })),
      labels_total: shares.length,
      spellings: spelled.slice(0, limit).map(({ spellings, ...each }) => ({
        ...each,
        spellings: spellings.map(({ value, count: hosts }) => ({ value, hosts })),
      })),
      spellings_total: spelled.length,
      label_names: named.slice(0, limit).map(({ names, ...each }) => ({
        ...each,
        names: names.map(({ name, count: hosts }) => ({ name, hosts })),
      })),
      label_names_total: named.length,
      duplicates: [spelling, serial, uuid, address, shortName].flatMap((each) =>
        each.slice(0, limit).map((duplicate) => ({ ...duplicate, sample: [...duplicate.sample] })),
      ),
      duplicates_total: {
        spelling: spelling.length,
        serial: serial.length,
        uuid: uuid.length,
        address: address.length,
        short_name: shortName.length,
      },
    };
  },
});
