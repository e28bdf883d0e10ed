import { worded } from '../../../kit/worded.ts';
import { AppError, type JobType } from '../../../ports/index.ts';
import type { PluginRegistry } from '../plugin-host/registry.ts';
import { JOB_NAMES, type JobMeaning, type JobName, type JobSystem } from './job-names.ts';

/** What a command of a cron group means. */
export interface KnownJob extends JobType {
  /** Why there is nothing here that does it, in one sentence; its run fails with that. */
  readonly missing?: string;
  /** The account must be of this type. */
  readonly accountType?: string;
  /** What monitoring of an existing installation knows its runs as in the log; empty for names of our own. */
  readonly logsAs: readonly string[];
}

type Registered = Pick<PluginRegistry, 'job' | 'namedJob' | 'source' | 'target'>;

const BY_NAME: ReadonlyMap<string, JobName> = new Map(JOB_NAMES.map((known) => [spelling(known.name), known]));

/**
 * The job that a command means: what a plugin registers under that name, else what the table says of it, else the job whose
 * pattern it fits. A name of the table never means another job of a similar name. `undefined` for what nobody knows.
 */
export function jobOf(plugins: Registered, command: string): KnownJob | undefined {
  const known = BY_NAME.get(spelling(command));
  const registered = known === undefined ? plugins.job(command) : registeredFor(plugins, known);
  if (registered !== undefined) return { ...registered, logsAs: known?.idents ?? [] };
  return known === undefined ? undefined : meant(plugins, known);
}

/** The sentence about a command that nothing here does; `undefined` for one that can run. */
export function missingJob(plugins: Registered & Pick<PluginRegistry, 'jobs'>, command: string): string | undefined {
  const job = jobOf(plugins, command);
  if (job !== undefined) return job.missing;
  const ids = plugins.jobs().map(({ id }) => id);
  return `"${command}" is not a registered job; registered jobs: ${ids.join(', ')}`;
}

/** Refuses an account that the job would do something else with. */
export function requireAccountType(plugins: Registered, job: KnownJob, account: { name: string; type: string }): void {
  if (job.accountType === undefined || isOfType(plugins, account.type, job.accountType)) return;
  throw new AppError(
    'failed',
    worded`${{ job: job.id }} works with accounts of type ${{ wanted: job.accountType }}, and ${{ name: account.name }} is of type ${{ type: account.type }}; name an account of its type`,
  );
}

/** A job that a plugin registers under the name of the table; ours under its own names are what the table means. */
function registeredFor(plugins: Registered, known: JobName): JobType | undefined {
  const job = plugins.namedJob(known.name);
  return job === undefined || job === plugins.namedJob(known.means.does) ? undefined : job;
}

function meant(plugins: Registered, { name, means, idents }: JobName): KnownJob {
  switch (means.does) {
    case 'nothing':
      return {
        ...named(name, idents),
        description: `Nothing to do: ${means.because}.`,
        run: async () => ({ message: `nothing to do: ${means.because}` }),
      };
    case 'by its name only':
      return missing(name, idents, nobodyDoes(plugins, name, means.system));
    case 'Import':
    case 'Inventorize':
    case 'Export':
      return withSystem(plugins, { name, idents }, means.does, means.system);
    default: {
      const job = plugins.namedJob(means.does);
      if (job === undefined) return missing(name, idents, notLoaded(name, means));
      return { ...job, id: name, aliases: [], account: 'optional', logsAs: idents };
    }
  }
}

function withSystem(
  plugins: Registered,
  { name, idents }: Pick<JobName, 'name' | 'idents'>,
  does: 'Import' | 'Inventorize' | 'Export',
  system: JobSystem,
): KnownJob {
  const type = system.accountType;
  const there = does === 'Export' ? plugins.target(type) : plugins.source(type);
  const job = plugins.namedJob(does);
  // Who may see a group does not change when the connector comes.
  const within = does === 'Import' ? { withinAccount: true as const } : {};
  if (there === undefined) return { ...missing(name, idents, noConnector(name, system)), ...within };
  if (job === undefined) return { ...missing(name, idents, notLoaded(name, { does })), ...within };
  return { ...job, id: name, aliases: [], accountType: type, logsAs: idents };
}

function nobodyDoes(plugins: Registered, name: string, system: JobSystem): string {
  const type = system.accountType;
  if (plugins.source(type) === undefined && plugins.target(type) === undefined) return noConnector(name, system);
  return `${name} is not among what the plugin for ${system.title} brings; a plugin can register a job of this name, and until then the group runs its other jobs`;
}

function noConnector(name: string, { title, accountType }: JobSystem): string {
  return `${name} needs a connector for ${title} (accounts of type ${accountType}), which this version does not have; a plugin can bring one, and until then the group runs its other jobs`;
}

function notLoaded(name: string, { does }: Pick<JobMeaning, 'does'>): string {
  return `${name} needs the job ${does}, whose plugin did not load; "muster plugins" says why`;
}

function missing(name: string, idents: readonly string[], sentence: string): KnownJob {
  return {
    ...named(name, idents),
    description: sentence,
    missing: sentence,
    run: () => Promise.reject(new AppError('failed', sentence)),
  };
}

function named(name: string, logsAs: readonly string[]): Pick<KnownJob, 'id' | 'aliases' | 'account' | 'logsAs'> {
  return { id: name, aliases: [], account: 'none', logsAs };
}

/** By the ident of the type or another one of its plugin. */
function isOfType(plugins: Registered, type: string, wanted: string): boolean {
  return type === wanted || (plugins.source(type) ?? plugins.target(type))?.item.id === wanted;
}

function spelling(name: string): string {
  return name.trim().toLowerCase();
}
