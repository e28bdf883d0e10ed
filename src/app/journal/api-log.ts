import { messageOf, type Said, worded } from '../../kit/worded.ts';
import type { Clock, LogDetail, Storage } from '../../ports/index.ts';

interface ApiLogDeps {
  readonly storage: Pick<Storage, 'logs'>;
  readonly clock: Clock;
  newId(): string;
}

/** The component that triggers of cron groups, and refused tries, log as. */
const API_SOURCE = 'API';

/** Writes to the operators' log what was asked of cron groups from outside. */
export async function appendApiLog(
  { storage, clock, newId }: ApiLogDeps,
  entry: { readonly message: Said; readonly address: string; readonly refusal?: Said },
): Promise<void> {
  const from = entry.address === '' ? worded`from this machine` : worded`from ${{ address: entry.address }}`;
  const details: LogDetail[] = [{ level: 'info', ...messageOf(from) }];
  if (entry.refusal !== undefined) details.push({ level: 'error', ...messageOf(entry.refusal) });
  await storage.logs.append({
    id: newId(),
    at: clock.now(),
    ...messageOf(entry.message),
    source: API_SOURCE,
    details,
    hasError: entry.refusal !== undefined,
  });
}
