import { createHash } from 'node:crypto';
import * as z from 'zod';
import { worded } from '../../kit/worded.ts';
import { AppError, type JsonObject, StoredJson } from '../../ports/index.ts';
import { type Caller, holdsRole, wholeAccountsOf } from '../kernel/caller.ts';
import { SNOOZES } from '../kernel/plugin-host/registry.ts';
import { requireGroup } from '../runs/cron/request-run.ts';
import type { RunServices } from '../runs/services.ts';

/** Roles that may act on a problem of each kind, and so may snooze it. */
const ROLES = {
  account: ['syncer'],
  cron: ['syncer'],
  rule: ['rules'],
  waiting: ['administrator'],
  plan: ['admin'],
  drift: ['admin'],
  system: ['admin'],
} as const;

type Kind = keyof typeof ROLES;

export const subjectSchema = z.object({
  kind: z.enum(Object.keys(ROLES) as [Kind, ...Kind[]]).describe('Kind of subject of the problem'),
  name: z.string().min(1).max(500).describe('Name of the account or cron group, else the id of the problem'),
});

type Subject = z.infer<typeof subjectSchema>;

export const snoozeSchema = subjectSchema
  .extend({
    severity: z.number().int().describe('How bad it was: the snooze ends when it is worse'),
    until: z.string(),
    by: z.string().describe('Name of the user'),
  })
  .meta({ title: 'Snooze' });

export type Snooze = z.infer<typeof snoozeSchema>;

/** Throws when the caller may not act on the subject. */
export async function requireSubject(services: RunServices, caller: Caller, subject: Subject): Promise<void> {
  const { kind, name } = subject;
  if (!holdsRole(caller, ROLES[kind])) {
    throw new AppError(
      'role_missing',
      worded`a problem of this kind is snoozed by those who may act on it: the role ${{ role: ROLES[kind][0] }} is missing`,
    );
  }
  if (kind === 'account') await services.accounts.inScope(name, wholeAccountsOf(caller));
  if (kind === 'cron') await requireGroup(services, caller, name);
}

/** Those in effect that the caller may act on. */
export async function snoozesFor(services: RunServices, caller: Caller): Promise<readonly Snooze[]> {
  const now = services.clock.now();
  const known = (await services.storage.rules.list(SNOOZES)).map(({ document }) => snoozeSchema.parse(document.value));
  const inEffect = known.filter(({ until }) => new Date(until) > now);
  const mine = await Promise.all(
    inEffect.map((snooze) =>
      requireSubject(services, caller, snooze).then(
        () => true,
        () => false,
      ),
    ),
  );
  return inEffect.filter((_, index) => mine[index]);
}

/** Keeps a snooze in place of one of the same subject, and removes those that have ended. */
export async function keepSnooze(services: RunServices, snooze: Snooze): Promise<void> {
  const { storage, clock } = services;
  const by = { at: clock.now(), actor: { kind: 'user', name: snooze.by } } as const;
  for (const { id, document } of await storage.rules.list(SNOOZES)) {
    if (new Date(snoozeSchema.parse(document.value).until) <= by.at)
      await storage.rules.remove({ type: SNOOZES, id, ...by });
  }
  const id = idOf(snooze);
  const document = StoredJson.ofValue<JsonObject>({ _id: { $oid: id }, ...snooze });
  const entry = { type: SNOOZES, id, name: keyOf(snooze), uniqueName: false, document, confirmedBy: null };
  await storage.rules.write({ entries: [entry], mode: 'replace', ...by });
}

/** False if there is none. */
export function endSnooze({ storage, clock }: RunServices, subject: Subject, by: string): Promise<boolean> {
  return storage.rules.remove({ type: SNOOZES, id: idOf(subject), at: clock.now(), actor: { kind: 'user', name: by } });
}

export function keyOf({ kind, name }: Subject): string {
  return `${kind} ${name}`;
}

function idOf(subject: Subject): string {
  return createHash('sha256').update(keyOf(subject)).digest('hex').slice(0, 24);
}
