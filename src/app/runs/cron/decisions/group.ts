import {
  memberDate,
  memberFlag,
  memberInteger,
  memberList,
  memberObjects,
  memberReference,
  memberText,
  ownMember,
  scalarText,
} from '../../../../kit/document/members.ts';
import { isJsonObject } from '../../../../kit/json/json-object.ts';
import type { RuleDocument, RuleRecord } from '../../../../ports/index.ts';
import { WEEKDAYS, type Weekday } from './schedule.ts';

export interface CronJob {
  readonly name: string;
  readonly command: string;
  /** Name or id of an account. */
  readonly account: string | undefined;
}

/** The conditions that a signed call of the webhook must fulfil. */
export interface WebhookPolicy {
  readonly secretCrypted: string;
  readonly windowSeconds: number;
  /** Addresses and networks that may call; empty for all. */
  readonly allowIps: readonly string[];
}

/** Hours of the day in which a group starts by itself, `from` inclusive and `to` exclusive; it may cross midnight. */
export interface HourWindow {
  readonly from: number;
  readonly to: number;
}

/** A document of type `cron_groups`, read. */
export interface CronGroup {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly sortField: number;
  /** Minutes between two starts; `null` when there is none and the group waits for requests. */
  readonly intervalMinutes: number | null;
  /** `null` for the whole day. */
  readonly window: HourWindow | null;
  /** Days on which the group starts by itself, in their order; `null` for every day. */
  readonly weekdays: readonly Weekday[] | null;
  /** The time until which it does not start; `null` if it was never paused. */
  readonly pausedUntil: Date | null;
  readonly jobs: readonly CronJob[];
  readonly runOnceNext: boolean;
  readonly continueOnError: boolean;
  readonly webhookEnabled: boolean;
  /** SHA-256 in hexadecimal; empty when no token was made. */
  readonly webhookTokenHash: string;
  readonly webhookPolicy: WebhookPolicy | null;
  readonly record: RuleRecord;
}

const INTERVAL_MINUTES: ReadonlyMap<string, number> = new Map([
  ['10min', 10],
  ['hour', 60],
  ['daily', 24 * 60],
]);
const DEFAULT_WINDOW_SECONDS = 300;

export function readCronGroup(record: RuleRecord): CronGroup {
  const document = record.document.value;
  return {
    id: record.id,
    name: record.name,
    enabled: memberFlag(document, 'enabled'),
    sortField: memberInteger(document, 'sort_field') ?? 0,
    intervalMinutes: intervalOf(document),
    window: windowOf(document),
    weekdays: weekdaysOf(document),
    pausedUntil: memberDate(document, 'paused_until'),
    jobs: memberObjects(document, 'jobs').map((job) => ({
      name: memberText(job, 'name'),
      command: memberText(job, 'command'),
      account: memberReference(job, 'account'),
    })),
    runOnceNext: memberFlag(document, 'run_once_next'),
    continueOnError: memberFlag(document, 'continue_on_error'),
    webhookEnabled: memberFlag(document, 'webhook_enabled'),
    webhookTokenHash: memberText(document, 'webhook_token_hash'),
    webhookPolicy: policyOf(record),
    record,
  };
}

/** `intervalMinutes` of a group, by its document. */
export function intervalOf(document: RuleDocument): number | null {
  const custom = memberInteger(document, 'custom_interval_in_minutes') ?? 0;
  if (custom > 0) return custom;
  return INTERVAL_MINUTES.get(memberText(document, 'interval')) ?? null;
}

/** `window` of a group, by its document. */
export function windowOf(document: RuleDocument): HourWindow | null {
  const from = memberInteger(document, 'timerange_from') ?? 0;
  const to = memberInteger(document, 'timerange_to') ?? 24;
  // Two equal hours mean either no hour at all, which is never intended, or the whole day.
  return from % 24 === to % 24 ? null : { from, to };
}

/** `weekdays` of a group, by its document. */
export function weekdaysOf(document: RuleDocument): readonly Weekday[] | null {
  const named = memberList(document, 'weekdays');
  const days = WEEKDAYS.filter((day) => named.includes(day));
  return days.length === 0 || days.length === WEEKDAYS.length ? null : days;
}

function policyOf({ document }: RuleRecord): WebhookPolicy | null {
  const policy = ownMember(document.value, 'webhook_policy');
  if (!isJsonObject(policy)) return null;
  return {
    secretCrypted: memberText(policy, 'secret_crypted'),
    windowSeconds: memberInteger(policy, 'window_seconds') ?? DEFAULT_WINDOW_SECONDS,
    allowIps: memberList(policy, 'allow_ips').flatMap((network) => scalarText(network)?.trim() || []),
  };
}

/** Groups in the order in which they start: by `sort_field`, then name, then id. */
export function compareGroups(left: CronGroup, right: CronGroup): number {
  return left.sortField - right.sortField || compareText(left.name, right.name) || compareText(left.id, right.id);
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
