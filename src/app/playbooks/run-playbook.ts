import { counted } from '../../kit/words/amounts.ts';
import {
  AppError,
  type Clock,
  type ExtraVariables,
  type HostScope,
  type Logger,
  type PlaybookRun,
  type PlaybookRunChoices,
  type PlaybookRunEnd,
  type PlaybookRunner,
  type Storage,
} from '../../ports/index.ts';
import type { InventoryCatalogue } from '../inventory/catalogue.ts';
import { type HeldLease, holdLease } from '../kernel/held-lease.ts';
import { waitsMessage } from '../rules/trust/pending.ts';
import { OutputTail } from './output-tail.ts';

export interface PlaybookRunDeps {
  readonly storage: Pick<Storage, 'playbooks'>;
  readonly playbookRunner: PlaybookRunner;
  readonly inventories: InventoryCatalogue;
  readonly config: { readonly PLAYBOOK_TIMEOUT_MINUTES: number };
  readonly clock: Clock;
  readonly logger: Logger;
  newId(): string;
}

export interface PlaybookRunRequest
  extends Pick<PlaybookRun, 'playbook' | 'provider' | 'hostname' | 'checkMode' | 'source' | 'startedBy'> {
  readonly extraVariables: ExtraVariables | null;
  /** The only hosts of the inventory that it runs for, and what they were found by. `hostname` is null then. */
  readonly limit?: Pick<PlaybookRunChoices, 'search' | 'group'> & { readonly hostnames: readonly string[] };
  /** Whose hosts the inventory may show. */
  readonly scope: HostScope;
  readonly signal: AbortSignal;
  /** Hides secrets in what is stored. */
  mask(text: string): string;
  onOutput?(text: string): void;
}

/** Number of hosts of a limited run that are kept by name. */
const HOSTS_KEPT = 20;
/** What is kept of the output. */
const OUTPUT_BYTES = 256 * 1024;
/** A run whose service died is lost after this time. */
const LEASE_MS = 30_000;
/** How often the store hears of a run, and the run whether it shall be cancelled. */
const BEAT_MS = 2_000;
const MINUTE_MS = 60_000;

type Outcome = Pick<PlaybookRunEnd, 'status' | 'exitCode' | 'message'>;

/**
 * Runs a playbook and keeps the record of it. Throws only when the record cannot be begun, and then nothing was run: whatever
 * happens to the playbook is in the record.
 */
export async function runPlaybook(deps: PlaybookRunDeps, request: PlaybookRunRequest): Promise<PlaybookRun> {
  const { storage, clock } = deps;
  const { playbook, provider, hostname, checkMode, source, startedBy } = request;
  const start = {
    id: deps.newId(),
    playbook,
    provider,
    hostname,
    checkMode,
    source,
    startedBy,
    startedAt: clock.now(),
    ...choicesOf(request),
  };
  const output = new OutputTail(OUTPUT_BYTES);
  await storage.playbooks.begin({ ...start, leaseMs: LEASE_MS });
  const outcome = await outcomeOf(deps, request, start.id, output);
  const at = clock.now();
  const message = request.mask(outcome.message);
  try {
    await storage.playbooks.end({ ...outcome, id: start.id, at, message, output: request.mask(output.text()) });
  } catch (error) {
    deps.logger.error('the end of a playbook run could not be stored', {
      run: start.id,
      status: outcome.status,
      error,
    });
  }
  return { ...start, ...outcome, message, endedAt: at };
}

function choicesOf({ limit, extraVariables }: PlaybookRunRequest): Pick<PlaybookRun, 'choices'> {
  const variables = Object.keys(extraVariables?.values ?? {});
  if (limit === undefined && variables.length === 0) return {};
  const { hostnames, ...by } = limit ?? {};
  const hosts = hostnames && { count: hostnames.length, first: hostnames.slice(0, HOSTS_KEPT) };
  return { choices: { ...by, ...(hosts && { hosts }), ...(variables.length > 0 && { variables }) } };
}

async function outcomeOf(
  deps: PlaybookRunDeps,
  request: PlaybookRunRequest,
  id: string,
  output: OutputTail,
): Promise<Outcome> {
  const minutes = deps.config.PLAYBOOK_TIMEOUT_MINUTES;
  const timedOut = AbortSignal.timeout(minutes * MINUTE_MS);
  const heart = beat(deps, request, { id, output });
  const stop = AbortSignal.any([request.signal, timedOut, heart.signal]);
  try {
    await requireNothingWaits(deps, request);
    await requireInInventory(deps, request, stop);
    const { playbook, provider, hostname, limit, checkMode, extraVariables } = request;
    const { exitCode } = await deps.playbookRunner.run(
      { playbook, provider, hostname, ...(limit && { hostnames: limit.hostnames }), checkMode, extraVariables },
      {
        signal: stop,
        onOutput(text) {
          output.add(text);
          request.onOutput?.(text);
        },
      },
    );
    // What ended by itself just before it was stopped did end by itself.
    if (exitCode === 0) return { status: 'succeeded', exitCode, message: '' };
    if (!stop.aborted) return { status: 'failed', exitCode, message: exitMessage(exitCode) };
  } catch (error) {
    if (!stop.aborted) return { status: 'failed', exitCode: null, message: reasonOf(deps, error) };
  } finally {
    await heart.stop();
  }
  if (heart.signal.aborted) return { status: 'cancelled', exitCode: null, message: 'cancelled on request' };
  if (request.signal.aborted) {
    return { status: 'cancelled', exitCode: null, message: 'the process that ran it was stopped' };
  }
  return {
    status: 'failed',
    exitCode: null,
    message: `it took longer than ${counted(minutes, 'minute')} and was ended; PLAYBOOK_TIMEOUT_MINUTES sets how long it may take`,
  };
}

/**
 * A playbook that runs without the connection variables of a rule would reach other machines, or as somebody else, than the
 * rule says.
 */
async function requireNothingWaits({ inventories }: PlaybookRunDeps, { provider }: PlaybookRunRequest): Promise<void> {
  const [waiting] = await inventories.waiting(provider);
  if (waiting !== undefined) throw new AppError('failed', waitsMessage(waiting));
}

/** An inventory without the host would make a run for nothing that succeeds. */
async function requireInInventory(
  { inventories }: PlaybookRunDeps,
  { provider, hostname, scope }: PlaybookRunRequest,
  signal: AbortSignal,
): Promise<void> {
  if (hostname === null) return;
  const answer = await inventories.answer({
    provider,
    hostname,
    request: { scope, signal },
    render: { templateText: 'break', names: 'keep', ansibleLabels: 'drop' },
  });
  for await (const _ of answer.body) signal.throwIfAborted();
}

/** Keeps the run alive in the store, with its output so far. Its signal aborts when the run is cancelled. */
function beat(
  { storage, logger }: PlaybookRunDeps,
  { mask }: PlaybookRunRequest,
  { id, output }: { readonly id: string; readonly output: OutputTail },
): HeldLease {
  let told = '';
  return holdLease({
    everyMs: BEAT_MS,
    async renew() {
      const text = output.text();
      const news = text === told ? {} : { output: mask(text) };
      const answer = await storage.playbooks.keep({ id, leaseMs: LEASE_MS, ...news });
      told = text;
      return answer !== 'cancel';
    },
    // The playbook works on machines, not on the store: a store that is away for a while is no reason to cut it off.
    failed: (error) => logger.warn('the record of a playbook run could not be kept', { run: id, error }),
  });
}

function exitMessage(exitCode: number | null): string {
  return exitCode === null ? 'a signal ended it' : `it ended with exit code ${exitCode}`;
}

function reasonOf({ logger }: PlaybookRunDeps, error: unknown): string {
  if (error instanceof AppError && error.code !== 'internal') return error.message;
  logger.error('a playbook could not be run', { error });
  return 'it could not be run for an unexpected reason; the program log has details';
}
