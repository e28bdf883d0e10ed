import type { JsonObject, JsonValue } from '../../../../ports/index.ts';
import type { OfferedOutput } from '../../offered-operations.ts';
import { flagOf, referenceOf, textOf, withValue } from '../forms/document.ts';

export const RULE_TYPE = 'notification_policies';

/** Members of a notification rule that the page shows. */
export interface NotificationRule {
  readonly id: string;
  readonly name: string;
  readonly isEnabled: boolean;
  /** Empty for all events. */
  readonly events: readonly string[];
  /** Empty for all subjects. */
  readonly subjects: readonly string[];
  readonly receivers: readonly string[];
}

export interface SortedRules {
  /** By receiver, the rule shown as ticks. */
  readonly ticked: ReadonlyMap<string, NotificationRule>;
  /** Rules that ticks for one receiver cannot express. */
  readonly others: readonly NotificationRule[];
}

/**
 * Assigns to each receiver the first enabled rule that names only this receiver and only events with boxes. All other rules are left
 * to the rule editor.
 */
export function sortRules(
  documents: readonly JsonObject[],
  receivers: readonly string[],
  events: readonly string[],
): SortedRules {
  const ticked = new Map<string, NotificationRule>();
  const others: NotificationRule[] = [];
  for (const document of documents) {
    const rule = readRule(document);
    const [receiver = ''] = rule.receivers;
    const isTicked =
      rule.isEnabled &&
      rule.receivers.length === 1 &&
      receivers.includes(receiver) &&
      !ticked.has(receiver) &&
      rule.events.every((event) => events.includes(event)) &&
      ['events', 'subjects', 'receivers'].every((member) => isTexts(document[member]));
    if (isTicked) ticked.set(receiver, rule);
    else others.push(rule);
  }
  return { ticked, others };
}

function readRule(document: JsonObject): NotificationRule {
  return {
    id: referenceOf(document._id),
    name: textOf(document.name),
    isEnabled: flagOf(document.enabled),
    events: textsOf(document.events),
    subjects: textsOf(document.subjects),
    receivers: [...new Set(textsOf(document.receivers))],
  };
}

/** Returns the ticked events; a rule without events covers all of them. */
export function tickedEvents(document: JsonObject, events: readonly string[]): readonly string[] {
  const named = textsOf(document.events);
  return named.length === 0 ? events : named;
}

/** Writes the ticks into the rule. With every box ticked it names no events, so it also covers events of later versions. */
export function withTicked(document: JsonObject, ticked: readonly string[], events: readonly string[]): JsonObject {
  const isAll = events.every((event) => ticked.includes(event));
  const named = isAll ? undefined : events.filter((event) => ticked.includes(event));
  return withValue(document, ['events'], named) as JsonObject;
}

/** Begins the rule of a receiver, under the name of the receiver; numbered if the name is taken. */
export function newRule(receiver: string, names: readonly string[]): JsonObject {
  let name = receiver;
  for (let number = 2; names.includes(name); number++) name = `${receiver} ${number}`;
  return { name, enabled: true, receivers: [receiver] };
}

export type Notification = OfferedOutput<'notifications/list-notifications'>['notifications'][number];

/** Returns the notification that shows the state of a receiver: one not accepted now, else the last one sent or given up, else one that waits. */
export function lastSend(newestFirst: readonly Notification[]): Notification | undefined {
  return (
    newestFirst.findLast(({ state, error }) => state === 'waiting' && error !== '') ??
    newestFirst.find(({ state }) => state === 'sent' || state === 'dead') ??
    newestFirst.find(({ state }) => state === 'waiting')
  );
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item: JsonValue) => typeof item === 'string') : [];
}

function isTexts(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || (Array.isArray(value) && textsOf(value).length === value.length);
}
