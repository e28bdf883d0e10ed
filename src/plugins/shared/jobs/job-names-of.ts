import type { JobName, JobSystem } from '../../../ports/job.ts';

type NamedJob = Pick<JobName, 'job'> & Partial<Pick<JobName, 'logsAs'>>;

/** The names that groups of existing installations call jobs of one system by: letter by letter, misspellings included. */
export function jobNamesOf(system: JobSystem, jobs: Readonly<Record<string, NamedJob>>): readonly JobName[] {
  return Object.entries(jobs).map(([name, { job, logsAs = [] }]) => ({
    name,
    logsAs,
    system,
    ...(job === undefined ? {} : { job }),
  }));
}
