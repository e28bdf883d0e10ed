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
  entry: { readonly message: string; readonly address: string; readonly refusal?: string },
): Promise<void> {
  const details: LogDetail[] = [{ level: 'info', message: `from ${entry.address || 'this machine'}` }];
  if (entry.refusal !== undefined) details.push({ level: 'error', message: entry.refusal });
  await storage.logs.append({
    id: newId(),
    at: clock.now(),
    message: entry.message,
    source: API_SOURCE,
    details,
    hasError: entry.refusal !== undefined,
  });
}
