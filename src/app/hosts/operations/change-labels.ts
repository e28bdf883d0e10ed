import * as z from 'zod';
import { phrase, schemaText, worded } from '../../../kit/worded.ts';
import { counted } from '../../../kit/words/amounts.ts';
import { type JsonObject, type LabelEntry, type Labels, StoredJson } from '../../../ports/index.ts';
import { type Caller, hostScopeOf } from '../../kernel/caller.ts';
import { checkLabels } from '../decisions/labels.ts';
import { hostnameSchema, labelsSchema } from '../host-schemas.ts';
import { defineOperation, type HostAccount, type HostServices } from '../services.ts';
import { writeAs } from '../write-as.ts';
import { outOfReach } from '../write-reach.ts';

/** One call is one atomic unit of the store for each account, which others wait for. */
const MOST_HOSTS = 1000;

const changeSchema = z.object({
  hostname: hostnameSchema,
  set: labelsSchema.optional().describe('Labels that get these values'),
  remove: z.array(z.string()).max(100).optional().describe('Names of labels that go'),
});

type LabelChange = z.output<typeof changeSchema>;

const outputSchema = z.object({
  changed: z.array(
    z.object({
      hostname: z.string(),
      before: labelsSchema.describe('Earlier values of the named labels; those that were not there are absent'),
      added: z.array(z.string()).describe('The labels among them that were not there'),
    }),
  ),
  unchanged: z.number().int().describe('Hosts that have these labels already'),
  refused: z.array(z.object({ hostname: z.string(), reason: z.string() })),
});

export const changeLabels = defineOperation({
  name: 'hosts/change-labels',
  title: 'Change labels of many hosts',
  description:
    'Sets and removes single labels of hosts and leaves their others as they are. Hosts whose labels come from a source are refused. A dry run only says what would change.',
  effect: 'write',
  roles: ['objects'],
  weight: 'light',
  at: {
    rest: { path: 'POST /objects/labels', body: 'required', errors: ['forbidden'] },
    page: true,
  },
  input: z.object({
    hosts: z
      .array(changeSchema)
      .min(1, phrase`name at least one host`)
      .max(MOST_HOSTS, schemaText(worded`at most ${{ most: String(MOST_HOSTS) }} hosts are named in one call`)),
    dry_run: z.boolean().default(false),
  }),
  output: outputSchema,
  subject: ({ hosts }) => counted(hosts.length, 'host'),
  async run({ hosts, dry_run: isDry }, { services, caller }) {
    const answer: z.output<typeof outputSchema> = { changed: [], unchanged: 0, refused: [] };
    for (const { account, changes } of await byAccount(services, caller, hosts, answer.refused)) {
      const entries: LabelEntry[] = [];
      const before = await ownLabels(services, account, changes);
      for (const [index, change] of changes.entries()) {
        const own = before[index];
        if (own === undefined) {
          answer.refused.push({ hostname: change.hostname, reason: 'it is gone' });
          continue;
        }
        const changed = changedLabels(own, change);
        if (changed === undefined) {
          answer.unchanged++;
          continue;
        }
        checkLabels(changed.labels);
        entries.push({ hostname: change.hostname, labels: StoredJson.ofValue(changed.labels) });
        answer.changed.push({ hostname: change.hostname, before: changed.before, added: changed.added });
      }
      if (isDry || entries.length === 0) continue;
      const outcomes = await services.storage.hosts.saveLabels({
        ...writeAs(account, caller, services.clock.now()),
        entries,
      });
      const failed = new Map(
        outcomes.flatMap((outcome, index) =>
          outcome === 'updated' || outcome === 'unchanged' ? [] : [[entries[index]?.hostname ?? '', outcome]],
        ),
      );
      answer.changed = answer.changed.filter(({ hostname }) => !failed.has(hostname));
      for (const [hostname, outcome] of failed) {
        answer.refused.push({
          hostname,
          reason: outcome === 'too_large' ? 'it would be too large' : 'it was changed meanwhile',
        });
      }
    }
    return answer;
  },
});

interface OfAccount {
  readonly account: HostAccount;
  readonly changes: LabelChange[];
}

/** The hosts that the caller may write, by the account that owns them; why the others are refused is put on the list. */
async function byAccount(
  { storage, accounts }: HostServices,
  caller: Caller,
  changes: readonly LabelChange[],
  refused: { hostname: string; reason: string }[],
): Promise<Iterable<OfAccount>> {
  const unique = [...new Map(changes.map((change) => [change.hostname, change])).values()];
  const names = unique.map(({ hostname }) => hostname);
  const owners = new Map((await accounts.list(caller.scope)).map((account) => [account.id, account]));
  const visible = await storage.hosts.visible(names, hostScopeOf(caller));
  const foreign = await outOfReach({ storage }, caller, names);
  const found = new Map<string, OfAccount>();
  for (let start = 0; start < unique.length; start += AT_ONCE) {
    const some = unique.slice(start, start + AT_ONCE);
    const records = await storage.hosts.findEach(some.map(({ hostname }) => hostname));
    for (const [index, change] of some.entries()) {
      const { hostname } = change;
      const owner = records[index]?.accountId;
      const account = owner == null ? undefined : owners.get(owner);
      const reason = !visible.has(hostname) || foreign.has(hostname) ? 'there is no such host' : ownerRefusal(account);
      if (reason !== undefined || account === undefined) {
        refused.push({ hostname, reason: reason ?? 'it has no account' });
        continue;
      }
      const group = found.get(account.id) ?? { account, changes: [] };
      found.set(account.id, group);
      group.changes.push(change);
    }
  }
  return found.values();
}

const AT_ONCE = 250;

function ownerRefusal(account: HostAccount | undefined): string | undefined {
  if (account === undefined) return 'it has no account';
  if (account.type !== 'api') return `its labels come from account ${account.name}; change them in the source`;
  return account.enabled ? undefined : `account ${account.name} is disabled`;
}

/** The labels that the account itself gave each host, whatever others contribute. */
async function ownLabels(
  { storage }: HostServices,
  { id, isObject, objectType }: HostAccount,
  changes: readonly LabelChange[],
): Promise<readonly (Labels | undefined)[]> {
  const nothing = StoredJson.ofValue({} as Labels);
  const previews = await storage.hosts.previewLabels({
    account: { id, isObject, objectType },
    entries: changes.map(({ hostname }) => ({ hostname, labels: nothing })),
  });
  return previews.map(({ before }) => before?.value);
}

/** `undefined` when nothing would change. */
function changedLabels(
  own: Labels,
  { set = {}, remove = [] }: LabelChange,
): { readonly labels: Labels; readonly before: Labels; readonly added: string[] } | undefined {
  const gone = new Set(remove.filter((name) => Object.hasOwn(own, name)));
  const given = Object.entries(set).filter(
    ([name, value]) => JSON.stringify((own as JsonObject)[name]) !== JSON.stringify(value),
  );
  if (gone.size === 0 && given.length === 0) return undefined;
  const labels = Object.fromEntries([...Object.entries(own).filter(([name]) => !gone.has(name)), ...given]) as Labels;
  const named = new Set([...gone, ...given.map(([name]) => name)]);
  return {
    labels,
    before: Object.fromEntries(Object.entries(own).filter(([name]) => named.has(name))) as Labels,
    added: given.filter(([name]) => !Object.hasOwn(own, name)).map(([name]) => name),
  };
}
