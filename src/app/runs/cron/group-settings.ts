import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import {
  memberFlag,
  memberInteger,
  memberObjects,
  memberReference,
  memberText,
} from '../../../kit/document/members.ts';
import { phrase } from '../../../kit/worded.ts';
import type { JsonObject, RuleDocument } from '../../../ports/index.ts';
import { type CronGroup, intervalOf, weekdaysOf, windowOf } from './decisions/group.ts';
import { WEEKDAYS } from './decisions/schedule.ts';

const hour = z.number().int().min(0).max(24);

const jobSettingsSchema = z.object({
  name: z.string().default('').describe('Purpose of the job'),
  command: z.string().trim().min(1, phrase`choose a job`).describe('A registered job, such as Import'),
  account: z.string().nullable().default(null).describe('Name or id of the account that the job works with'),
});

/** The settings of a group that people edit. Its webhook token and policy have operations of their own. */
export const groupSettingsSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1, phrase`enter a name`)
    .regex(/^\P{Cc}*$/u, phrase`must not contain control characters`),
  enabled: z.boolean(),
  documentation: z.string().default('').describe('Purpose of the group'),
  interval_minutes: z.number().int().min(1).nullable().describe('null: only on request'),
  hours: z.object({ from: hour, to: hour }).nullable().describe('null: the whole day'),
  weekdays: z.array(z.enum(WEEKDAYS)).nullable().optional().describe('null: every day; absent leaves them'),
  jobs: z.array(jobSettingsSchema),
  continue_on_error: z.boolean().default(false).describe('Continues with the next job when one fails'),
  webhook_enabled: z.boolean().default(false).describe('Lets a webhook start the group'),
  sort_field: z.number().int().default(0).describe('Groups that are due together start in this order'),
});

export type GroupSettings = z.infer<typeof groupSettingsSchema>;

const NAMED_INTERVALS: ReadonlyMap<number, string> = new Map([
  [10, '10min'],
  [60, 'hour'],
  [24 * 60, 'daily'],
]);

export function groupSettings(group: CronGroup): GroupSettings {
  return {
    name: group.name,
    enabled: group.enabled,
    documentation: memberText(group.record.document.value, 'documentation'),
    interval_minutes: group.intervalMinutes,
    hours: group.window === null ? null : { ...group.window },
    weekdays: group.weekdays === null ? null : [...group.weekdays],
    jobs: group.jobs.map(({ name, command, account = null }) => ({ name, command, account })),
    continue_on_error: group.continueOnError,
    webhook_enabled: group.webhookEnabled,
    sort_field: group.sortField,
  };
}

/** Returns the document with these settings. Unknown members stay, and so does the spelling of unchanged values. */
export function withGroupSettings(document: RuleDocument, settings: GroupSettings): RuleDocument {
  const { name, enabled, documentation, continue_on_error, webhook_enabled, sort_field } = settings;
  return {
    ...document,
    name,
    ...(memberFlag(document, 'enabled') === enabled ? {} : { enabled }),
    ...(memberText(document, 'documentation') === documentation ? {} : { documentation }),
    ...(memberFlag(document, 'continue_on_error') === continue_on_error ? {} : { continue_on_error }),
    ...(memberFlag(document, 'webhook_enabled') === webhook_enabled ? {} : { webhook_enabled }),
    ...((memberInteger(document, 'sort_field') ?? 0) === sort_field ? {} : { sort_field }),
    ...schedule(document, settings),
    jobs: jobDocuments(memberObjects(document, 'jobs'), settings.jobs),
  };
}

function schedule(document: RuleDocument, { interval_minutes, hours, weekdays }: GroupSettings): RuleDocument {
  const keepsDays = weekdays === undefined || isDeepStrictEqual(weekdaysOf(document), weekdays);
  return {
    ...(intervalOf(document) === interval_minutes ? {} : intervalMembers(interval_minutes)),
    ...(isDeepStrictEqual(windowOf(document), hours) ? {} : hourMembers(hours)),
    ...(keepsDays ? {} : { weekdays: weekdays ?? [] }),
  };
}

function intervalMembers(minutes: number | null): RuleDocument {
  const named = minutes === null ? null : (NAMED_INTERVALS.get(minutes) ?? null);
  return { interval: named, custom_interval_in_minutes: named === null ? minutes : null };
}

function hourMembers(hours: GroupSettings['hours']): RuleDocument {
  return { timerange_from: hours?.from ?? 0, timerange_to: hours?.to ?? 24 };
}

/** Each job takes over the members of the stored one that it is: the same in all, else one of that name and command. */
function jobDocuments(stored: readonly JsonObject[], jobs: GroupSettings['jobs']): JsonObject[] {
  const left = new Set(stored);
  const take = (isIt: (job: JsonObject) => boolean): JsonObject | undefined => {
    const job = [...left].find(isIt);
    if (job !== undefined) left.delete(job);
    return job;
  };
  const same = jobs.map(({ name, command, account }) =>
    take((job) => isNamed(job, name, command) && (memberReference(job, 'account') ?? null) === account),
  );
  return jobs.map(({ name, command, account }, index) => {
    const known = same[index];
    if (known !== undefined) return known;
    const { account: _, ...others } = take((job) => isNamed(job, name, command)) ?? {};
    return { ...others, name, command, ...(account === null ? {} : { account }) };
  });
}

function isNamed(job: JsonObject, name: string, command: string): boolean {
  return memberText(job, 'name') === name && memberText(job, 'command') === command;
}
