import { byBytes } from '../../kit/names/variable-names.ts';
import type { ExportTally } from '../../kit/summaries/export-summary.ts';
import { type Said, secondsWording, worded } from '../../kit/worded.ts';
import {
  AppError,
  BEGINNING_CHARACTERS,
  type GroupsWanted,
  type HostScope,
  type InventoryGroup,
  type JsonObject,
  type Logger,
  type Target,
  type TargetDocument,
  type TargetGroup,
  type TargetHost,
  type TargetResult,
  type TargetRun,
} from '../../ports/index.ts';
import { ALL, groupTree, servedDefinitions } from '../inventory/group-tree.ts';
import { IdleWatch } from './idle-watch.ts';
import type { OpenedTarget } from './open-target.ts';

/** Time a target gets to end when its signal aborts, for example to remove a temporary file. */
const GRACE_SECONDS = 2;

export interface TargetDrive {
  readonly opened: OpenedTarget;
  /** For messages. */
  readonly account: string;
  readonly hosts: AsyncIterable<readonly TargetHost[]>;
  /** For what is wrong with groups. */
  readonly logger: Pick<Logger, 'warn'>;
  readonly scope: HostScope;
  readonly tally: ExportTally;
  readonly dryRun: boolean;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
  /** Called with what the target says of its progress. */
  onNote(note: string | undefined): void;
}

/**
 * Hands the hosts to the target and counts what it says of them. The iteration that the target reads ends normally only
 * when every host was handed over. Throws when the target fails, does nothing for too long, reports nonsense or ends too
 * early, when the run is called off, and what reading the hosts throws. Waits no longer than `GRACE_SECONDS` for a target
 * that does not end then.
 */
export async function driveTarget(drive: TargetDrive): Promise<void> {
  const { opened, account, tally, timeoutSeconds } = drive;
  const controller = new AbortController();
  const { signal } = controller;
  const { pluginId: plugin } = opened;
  const fault = (what: Said, cause?: unknown): AppError =>
    new AppError('failed', worded`plugin ${{ plugin }}: export to account ${{ account }} ${{ what }}`, { cause });
  const watch = new IdleWatch(timeoutSeconds, () =>
    controller.abort(fault(worded`made no progress for ${{ time: secondsWording(timeoutSeconds) }}`)),
  );
  const outstanding = new WeakSet<TargetHost>();
  let unreported = 0;
  let handedOver = false;
  let over = false;
  let definitions: Promise<readonly InventoryGroup[]> | undefined;

  async function* handOver(): AsyncGenerator<readonly TargetHost[]> {
    watch.pause();
    try {
      for await (const batch of drive.hosts) {
        signal.throwIfAborted();
        for (const host of batch) outstanding.add(host);
        unreported += batch.length;
        tally.seen += batch.length;
        watch.start();
        yield batch;
        watch.pause();
        signal.throwIfAborted();
      }
      signal.throwIfAborted();
      if (tally.seen === 0 && !opened.options.allow_empty) {
        throw new AppError(
          'failed',
          worded`there is no host to export, which would empty the target; if that is intended, set allow_empty of the account`,
        );
      }
      handedOver = true;
    } catch (error) {
      controller.abort(error);
      throw error;
    } finally {
      if (!over) watch.start();
    }
  }

  function take(host: TargetHost, count: () => void): void {
    if (over) return;
    watch.touch();
    if (!outstanding.delete(host)) {
      const error = fault(
        worded`failed: the target reported ${{ name: nameOf(host) }}, which it was not given or has already reported`,
      );
      controller.abort(error);
      throw error;
    }
    unreported--;
    count();
  }

  const run: TargetRun = {
    dryRun: drive.dryRun,
    signal,
    written: (host) => take(host, () => tally.written++),
    unchanged: (host) => take(host, () => tally.unchanged++),
    undecided: () => tally.undecided,
    async groups(wanted) {
      watch.pause();
      try {
        definitions ??= opened.groups({ scope: drive.scope, signal });
        return targetGroups(await definitions, wanted, drive.logger);
      } finally {
        if (!over) watch.start();
      }
    },
    failed: (host, reason) => take(host, () => tally.failure(host.hostname, opened.mask(reasonText(reason)))),
    progress(note) {
      if (over) return;
      watch.touch();
      drive.onNote(note);
    },
  };

  const stop = (): void => controller.abort(new AppError('cancelled', worded`the export was cancelled`));
  drive.signal.addEventListener('abort', stop, { once: true });
  if (drive.signal.aborted) stop();
  watch.start();
  const hosts = handOver();
  try {
    const answer = await settle(opened.target, hosts, run, {
      fault,
      graceSeconds: Math.min(GRACE_SECONDS, timeoutSeconds),
    });
    if (!handedOver) throw fault(worded`failed: the target ended before it had taken every host`);
    countOthers(answer, unreported, tally, fault);
    tally.documents = documentsOf(answer, opened.mask, drive.dryRun);
    tally.emptyFields = emptyFieldsOf(answer, opened.mask);
    for (const { name, reason } of leftOutOf(answer)) tally.missing(opened.mask(name), opened.mask(reasonText(reason)));
  } finally {
    over = true;
    watch.pause();
    drive.signal.removeEventListener('abort', stop);
    controller.abort();
    // A target that takes no further batch and says nothing would leave the store's cursor open.
    hosts.return(undefined).catch(() => undefined);
  }
}

type Fault = (what: Said, cause?: unknown) => AppError;

/** Returns the result of the target, unless the run is lost before; then throws the reason. */
async function settle(
  target: Target,
  hosts: AsyncIterable<readonly TargetHost[]>,
  run: TargetRun,
  { fault, graceSeconds }: { readonly fault: Fault; readonly graceSeconds: number },
): Promise<TargetResult | undefined> {
  const { signal } = run;
  const lost = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const writing = write(target, hosts, run);
  const settled = writing.then(
    () => undefined,
    () => undefined,
  );
  await Promise.race([settled, lost]);
  if (signal.aborted) {
    await within(graceSeconds, settled);
    throw signal.reason;
  }
  try {
    return await writing;
  } catch (cause) {
    throw fault(worded`failed: ${{ reason: cause instanceof Error ? cause.message : String(cause) }}`, cause);
  }
}

async function within(seconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, seconds * 1000);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

/** Plugins are written in plain JavaScript too: `write` may throw at once, and answer anything. */
async function write(
  target: Target,
  hosts: AsyncIterable<readonly TargetHost[]>,
  run: TargetRun,
): Promise<TargetResult | undefined> {
  return await target.write(hosts, run);
}

function countOthers(answer: unknown, unreported: number, tally: ExportTally, fault: Fault): void {
  const others: unknown =
    typeof answer === 'object' && answer !== null && 'others' in answer ? answer.others : undefined;
  if (others === 'written') tally.written += unreported;
  else if (others === 'unchanged') tally.unchanged += unreported;
  else if (others !== undefined || (answer !== undefined && typeof answer !== 'object')) {
    throw fault('failed: the target answered something other than {others: "written"}, {others: "unchanged"} or {}');
  } else if (unreported > 0) {
    throw fault(
      unreported === 1
        ? worded`failed: the target did not report 1 host as written or failed`
        : worded`failed: the target did not report ${{ count: unreported }} hosts as written or failed`,
    );
  }
}

const LONGEST_BEGINNING = 2_000;
/** Longer than any secret, also as it is written in JSON. */
const LONGEST_SECRET = 16_000;
const DOCUMENT_CHANGES: ReadonlySet<unknown> = new Set(['created', 'changed', 'deleted', 'left']);

/** Returns the files that the target reports; invalid reports are ignored. */
function documentsOf(
  answer: TargetResult | undefined,
  mask: (text: string) => string,
  isDry: boolean,
): ExportTally['documents'] {
  const reported: unknown = answer?.documents;
  if (!Array.isArray(reported)) return undefined;
  return reported
    .filter((one) => typeof one?.name === 'string' && DOCUMENT_CHANGES.has(one?.change))
    .map(({ name, change, beginning, lines }) => ({
      name: mask(name),
      change,
      ...(isDry && typeof beginning === 'string' && { beginning: shownBeginning(beginning, mask) }),
      ...(isDry && areLines(lines) && { lines: { added: lines.added, removed: lines.removed, kept: lines.kept } }),
    }));
}

function emptyFieldsOf(answer: TargetResult | undefined, mask: (text: string) => string): readonly string[] {
  const reported: unknown = answer?.emptyFields;
  return Array.isArray(reported) ? reported.filter((name) => typeof name === 'string').map(mask) : [];
}

function leftOutOf(answer: TargetResult | undefined): NonNullable<TargetResult['leftOut']> {
  const reported: unknown = answer?.leftOut;
  return Array.isArray(reported) ? reported.filter((one) => typeof one?.name === 'string') : [];
}

function areLines(reported: unknown): reported is NonNullable<TargetDocument['lines']> {
  if (typeof reported !== 'object' || reported === null) return false;
  const { added, removed, kept } = reported as Readonly<Record<string, unknown>>;
  return [added, removed, kept].every((count) => Number.isSafeInteger(count));
}

function reasonText(reason: unknown): string {
  const text = reason instanceof Error ? reason.message : reason;
  return typeof text === 'string' && text.trim() !== '' ? text : 'the target gave no reason';
}

function nameOf(host: unknown): string {
  const name = typeof host === 'object' && host !== null && 'hostname' in host ? host.hostname : host;
  return typeof name === 'string' ? JSON.stringify(name.slice(0, 80)) : 'something';
}

/** Masks the text before cutting it. The end of a text that arrived truncated may hold half of a secret, which no mask finds. */
function shownBeginning(given: string, mask: (text: string) => string): string {
  const masked = mask(given);
  const sure = given.length < BEGINNING_CHARACTERS ? masked.length : Math.max(0, masked.length - LONGEST_SECRET);
  return masked.slice(0, Math.min(sure, LONGEST_BEGINNING));
}

/** Puts what rules say of groups together with the groups that hosts are in. */
export function targetGroups(
  definitions: readonly InventoryGroup[],
  { used, written, original }: GroupsWanted,
  logger: Pick<Logger, 'warn'>,
): readonly TargetGroup[] {
  const tree = groupTree(
    servedDefinitions(definitions, written),
    used,
    (group, parent) =>
      logger.warn('a group is not exported as a child, because it is above its parent too', { group, parent }),
    original,
  );
  const groups = [...tree.names].sort(byBytes).map((name) => {
    const isTop = tree.top.has(name) || (tree.parents.get(name) ?? []).length === 0;
    const children = [...(tree.children.get(name) ?? [])].sort(byBytes);
    return { name, isTop, children, ...variablesOf(tree.definitions(name)) };
  });
  const common = variablesOf(tree.definitions(ALL));
  const all = {
    name: ALL,
    isTop: false,
    children: groups.filter(({ isTop }) => isTop).map(({ name }) => name),
    ...common,
  };
  const hasOwn = Object.keys({ ...common.variables, ...common.expressions }).length > 0;
  return [...groups, ...(hasOwn ? [all] : [])].sort((a, b) => byBytes(a.name, b.name));
}

function variablesOf(
  definitions: readonly InventoryGroup[],
): Pick<TargetGroup, 'variables' | 'expressions' | 'vouched'> {
  // A variable that data sets behind a rule is the data's.
  const vouched = new Set<string>();
  for (const each of definitions) {
    for (const name of Object.keys(each.variables)) vouched.delete(name);
    for (const name of each.vouched ?? []) vouched.add(name);
  }
  const variables: JsonObject = Object.assign({}, ...definitions.map((each) => each.variables));
  const expressions: JsonObject = Object.assign({}, ...definitions.map((each) => each.expressions ?? {}));
  return { variables, expressions, vouched: [...vouched] };
}
