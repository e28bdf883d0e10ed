import { worded } from '../../../kit/worded.ts';
import { AppError, type JobName, type JobSystem, type JobType } from '../../../ports/index.ts';
import type { PluginRegistry } from '../plugin-host/registry.ts';

/** The meaning of a cron group's command. */
export interface KnownJob extends JobType {
  /** Why there is nothing here that does it, in one sentence; its run fails with that. */
  readonly missing?: string;
  /** The account must be of this type. */
  readonly accountType?: string;
  /** Names by which the monitoring of an existing installation knows its runs in the log; empty for names of our own. */
  readonly logsAs: readonly string[];
}

type Registered = Pick<PluginRegistry, 'job' | 'jobName' | 'namedJob' | 'source' | 'target'>;

/** Jobs that do the work of systems represented by an account type. Another job of such a name would be found the same way. */
const EXPORT = 'Export';
const IMPORT = 'Import';

/**
 * Returns the job that a command means: one registered by a plugin under that name, or else one that a plugin assigns to the
 * name, or else one whose pattern matches. A known name never means another job of a similar name. `undefined` for an unknown
 * command.
 */
export function jobOf(plugins: Registered, command: string): KnownJob | undefined {
  const known = plugins.jobName(command);
  const registered = known === undefined ? plugins.job(command) : registeredFor(plugins, known);
  if (registered !== undefined) return { ...registered, logsAs: known?.logsAs ?? [] };
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

/** A job that a plugin registers under a known name; the name's own job is what the name means. */
function registeredFor(plugins: Registered, { name, job: meant }: JobName): JobType | undefined {
  const job = plugins.namedJob(name);
  return job === undefined || (meant !== undefined && job === plugins.namedJob(meant)) ? undefined : job;
}

function meant(plugins: Registered, known: JobName): KnownJob {
  const { name, job: id, system, nothing } = known;
  if (nothing !== undefined) {
    return {
      ...named(known),
      description: `Nothing to do: ${nothing}.`,
      run: async () => ({ message: `nothing to do: ${nothing}` }),
    };
  }
  if (id === undefined) return missing(known, nobodyDoes(plugins, known));
  // The visibility of a group must not change when the connector is added.
  const within = id === IMPORT && system !== undefined ? { withinAccount: true as const } : {};
  if (system !== undefined && !isConnected(plugins, id, system)) {
    return { ...missing(known, noConnector(name, system)), ...within };
  }
  const job = plugins.namedJob(id);
  if (job === undefined) return { ...missing(known, notLoaded(name, id)), ...within };
  const own = { ...job, id: name, aliases: [], logsAs: known.logsAs };
  return system === undefined ? { ...own, account: 'optional' } : { ...own, accountType: system.accountType };
}

function isConnected(plugins: Registered, id: string, { accountType }: JobSystem): boolean {
  return (id === EXPORT ? plugins.target(accountType) : plugins.source(accountType)) !== undefined;
}

function nobodyDoes(plugins: Registered, { name, system }: JobName): string {
  if (system === undefined) return `${name} waits for a plugin that registers a job of this name`;
  const type = system.accountType;
  if (plugins.source(type) === undefined && plugins.target(type) === undefined) return noConnector(name, system);
  return `${name} is not among what the plugin for ${system.title} brings; a plugin can register a job of this name, and until then the group runs its other jobs`;
}

function noConnector(name: string, { title, accountType }: JobSystem): string {
  return `${name} needs a connector for ${title} (accounts of type ${accountType}), which this version does not have; a plugin can provide one, and until then the group runs its other jobs`;
}

function notLoaded(name: string, job: string): string {
  return `${name} needs the job ${job}, whose plugin did not load; "muster plugins" says why`;
}

function missing(known: JobName, sentence: string): KnownJob {
  return {
    ...named(known),
    description: sentence,
    missing: sentence,
    run: () => Promise.reject(new AppError('failed', sentence)),
  };
}

function named({ name, logsAs }: JobName): Pick<KnownJob, 'id' | 'aliases' | 'account' | 'logsAs'> {
  return { id: name, aliases: [], account: 'none', logsAs };
}

/** By the ident of the type or another one of its plugin. */
function isOfType(plugins: Registered, type: string, wanted: string): boolean {
  return type === wanted || (plugins.source(type) ?? plugins.target(type))?.item.id === wanted;
}
