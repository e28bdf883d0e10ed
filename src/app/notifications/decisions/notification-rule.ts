import { memberFlag, memberInteger, memberList } from '../../../kit/document/members.ts';
import type { NotificationEvent, RuleRecord } from '../../../ports/index.ts';
import type { Happening } from '../../runs/decisions/happening.ts';

const COOL_DOWN_MINUTES = 60;
const SILENT_HOURS = 24;

export interface NotificationRule {
  readonly id: string;
  readonly name: string;
  /** Empty: all of them. */
  readonly events: readonly string[];
  /** Names, or beginnings that end in `*`; empty: all of them. */
  readonly subjects: readonly string[];
  readonly receivers: readonly string[];
  readonly coolDownMilliseconds: number;
  readonly silentHours: number;
}

/** `undefined` for a rule that is switched off. */
export function readNotificationRule({
  id,
  name,
  document,
}: Pick<RuleRecord, 'id' | 'name' | 'document'>): NotificationRule | undefined {
  const rule = document.value;
  if (!memberFlag(rule, 'enabled')) return undefined;
  const texts = (member: string): readonly string[] =>
    memberList(rule, member).filter((item): item is string => typeof item === 'string');
  return {
    id,
    name,
    events: texts('events'),
    subjects: texts('subjects'),
    receivers: [...new Set(texts('receivers'))],
    coolDownMilliseconds: (memberInteger(rule, 'cool_down_minutes') ?? COOL_DOWN_MINUTES) * 60_000,
    silentHours: memberInteger(rule, 'silent_hours') ?? SILENT_HOURS,
  };
}

export function tellsOf(rule: NotificationRule, { event, subject, silentHours }: Happening): boolean {
  if (rule.events.length > 0 && !rule.events.includes(event satisfies NotificationEvent)) return false;
  if (rule.subjects.length > 0 && !rule.subjects.some((pattern) => isNamed(pattern, subject))) return false;
  return silentHours === undefined || silentHours >= rule.silentHours;
}

function isNamed(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
