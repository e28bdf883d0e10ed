import * as z from 'zod';
import type { HostRecord } from '../../../ports/index.ts';
import { hostScopeOf } from '../../kernel/caller.ts';
import { columnNames } from '../../kernel/listing.ts';
import { required } from '../decisions/check.ts';
import { keyAsWritten, keyText } from '../decisions/host-keys.ts';
import { ownerName } from '../decisions/owner-name.ts';
import { inScope } from '../decisions/scope.ts';
import { archivedAnswer, archivedSchema } from '../host-archive.ts';
import { answeredKeys, keysSchema } from '../host-schemas.ts';
import { keysOfHosts } from '../keys-of-hosts.ts';
import { defineOperation } from '../services.ts';
import { KEYED_COLUMNS, keyedHostsView } from '../views/keyed-hosts.ts';

const HOSTS_A_READ = 16;
/** A key shared by more hosts is meaningless. */
const MOST_HOSTS = 1_000;

export const findByKey = defineOperation({
  name: 'hosts/find-by-key',
  title: 'Find hosts by key',
  description:
    'Hosts and objects that a source knows by a key, such as a serial number, whatever they are called. One as a rule; several where sources disagree.',
  effect: 'read',
  roles: ['objects'],
  weight: 'light',
  at: {
    command: {
      words: 'host find',
      description: 'Find hosts by what they are known by elsewhere: serial number, UUID, MAC address …',
      arguments: { key: { shown: '<key>', description: 'name and value of the key: serial=J4711' } },
      options: { state: { flags: '--state <state>', description: 'active, archived or any', default: 'any' } },
      columns: columnNames(KEYED_COLUMNS),
      json: 'answer the hosts as JSON',
      examples: ['muster host find serial=J4711', 'muster host find mac=00:1a:2b:3c:4d:5e --state active'],
      view: keyedHostsView,
    },
    rest: { path: 'GET /objects/by-key', query: ['key', 'state'] },
    tool: { name: 'find_hosts_by_key' },
  },
  input: z.object({
    key: z.string().max(1000).describe('Name and value: serial=J4711'),
    state: z.enum(['active', 'archived', 'any']).default('active').describe('active, archived or any'),
  }),
  output: z.object({
    key: z.string().describe('The key in the form in which it is kept'),
    hosts: z.array(
      z.object({
        hostname: z.string(),
        account: z.string().nullable().describe('The account that owns it'),
        object_type: z.string(),
        archived: archivedSchema,
        keys: keysSchema,
      }),
    ),
    is_cut: z.boolean().describe(`True if there are more than the ${MOST_HOSTS} that are named`),
  }),
  async run({ key: written, state }, { services, caller }) {
    const key = keyText(required(keyAsWritten(written, services.config.WORTHLESS_VALUES)));
    const { hosts, marks } = services.storage;
    const names = [...new Set((await marks.holders([key])).map(({ hostname }) => hostname))];
    const scope = hostScopeOf(caller);
    const fits = (host: HostRecord | undefined): host is HostRecord =>
      host !== undefined &&
      inScope(host, scope) &&
      (state === 'any' || (host.archive === null) === (state === 'active'));
    const found: Pick<HostRecord, 'hostname' | 'accountId' | 'objectType' | 'archive'>[] = [];
    for (let start = 0; start < names.length && found.length <= MOST_HOSTS; start += HOSTS_A_READ) {
      const records = await hosts.findEach(names.slice(start, start + HOSTS_A_READ));
      // Labels and sections may be large, and none of them is answered.
      for (const { hostname, accountId, objectType, archive } of records.filter(fits)) {
        found.push({ hostname, accountId, objectType, archive });
      }
    }
    const shown = found.slice(0, MOST_HOSTS);
    const [accounts, keys] = await Promise.all([
      services.accounts.list(null),
      keysOfHosts(
        marks,
        shown.map(({ hostname }) => hostname),
      ),
    ]);
    const accountNames = new Map(accounts.map(({ id, name }) => [id, name]));
    return {
      key,
      hosts: shown.map((host) => ({
        hostname: host.hostname,
        account: ownerName(host, accountNames),
        object_type: host.objectType,
        archived: archivedAnswer(host),
        keys: answeredKeys(keys.get(host.hostname) ?? {}),
      })),
      is_cut: found.length > MOST_HOSTS,
    };
  },
});
