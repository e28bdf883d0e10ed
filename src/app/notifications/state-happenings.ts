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
  return (await accounts.list(null)).flatMap(({ name, type, enabled }): Happening[] => {
    const last = newest.get(runLogSource('import', name));
    if (!enabled || plugins.source(type) === undefined || last === undefined) return [];
    const silentHours = (now.getTime() - last.at.getTime()) / HOUR_MS;
    if (silentHours < 1) return [];
    return [
      {
        id: `silent:${name}:${secondsOf(last.at)}`,
        event: 'source_silent',
        subject: name,
        title: `${name} has not been imported for ${counted(Math.floor(silentHours), 'hour')}`,
        text: `The last import ended at ${momentText(secondsOf(last.at))} UTC: ${last.message}`,
        at: now,
        page: `/accounts/${encodeURIComponent(name)}`,
        silentHours,
      },
    ];
  });
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
