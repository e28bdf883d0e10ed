import type { RunServices } from '../services.ts';

/**
 * Returns the minutes between two starts of the job in the enabled group that starts it most often; `null` if only groups that
 * wait for requests have it, and `undefined` if none has it.
 */
export async function jobInterval(
  { cronGroups }: Pick<RunServices, 'cronGroups'>,
  command: string,
): Promise<number | null | undefined> {
  const groups = (await cronGroups.list(null)).filter(
    ({ enabled, jobs }) => enabled && jobs.some((job) => job.command === command),
  );
  const intervals = groups.flatMap(({ intervalMinutes }) => intervalMinutes ?? []);
  if (intervals.length > 0) return Math.min(...intervals);
  return groups.length > 0 ? null : undefined;
}
