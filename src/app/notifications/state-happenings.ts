import { createHash } from 'node:crypto';
import { counted } from '../../kit/words/amounts.ts';
import { momentText, secondsOf } from '../../kit/words/moment.ts';
import { runLogSource } from '../journal/run-log.ts';
import type { Happening } from '../runs/decisions/happening.ts';
import type { RunServices } from '../runs/services.ts';

const HOUR_MS = 60 * 60_000;

/** What lasts until people see to it: rules that do not work, sources that are silent. */
export async function stateHappenings(services: RunServices): Promise<readonly Happening[]> {
  return [...(await ruleHappenings(services)), ...(await silentSources(services))];
}

/** Once a day while it lasts. */
async function ruleHappenings({ evaluators, clock }: RunServices): Promise<readonly Happening[]> {
  const at = clock.now();
  const day = at.toISOString().slice(0, 10);
  return (await evaluators.broken()).map(({ type, id, name, lastError }) => ({
    id: `rule:${type}/${id}:${day}:${digest(lastError)}`,
    event: 'rule_failing',
    subject: name,
    title: `The rule ${name} (${type}) does not work, so inventories and exports fail`,
    text: lastError,
    at,
    page: `/rules/${type}`,
  }));
}

/** Accounts that were imported once, and not for a while. */
async function silentSources({ storage, accounts, plugins, clock }: RunServices): Promise<readonly Happening[]> {
  const now = clock.now();
  const newest = new Map((await storage.logs.newestBySource()).map((head) => [head.source, head]));
  const silent: Happening[] = [];
  for (const { name, type, enabled } of await accounts.list(null)) {
    const source = runLogSource('import', name);
    let last = newest.get(source);
    if (!enabled || plugins.source(type) === undefined || last === undefined) continue;
    // An entry of a clock that was wrong hides those that came after it.
    if (hoursFrom(now, last.at) >= 1)
      [last] = await storage.logs.latest({ limit: 1, source, before: { at: now, id: '' } });
    if (last === undefined) continue;
    const silentHours = hoursFrom(last.at, now);
    if (silentHours < 1) continue;
    silent.push({
      id: `silent:${name}:${secondsOf(last.at)}`,
      event: 'source_silent',
      subject: name,
      title: `${name} has not been imported for ${counted(Math.floor(silentHours), 'hour')}`,
      text: `The last import ended at ${momentText(secondsOf(last.at))} UTC: ${last.message}`,
      at: now,
      page: `/accounts/${encodeURIComponent(name)}`,
      silentHours,
    });
  }
  return silent;
}

function hoursFrom(earlier: Date, later: Date): number {
  return (later.getTime() - earlier.getTime()) / HOUR_MS;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
