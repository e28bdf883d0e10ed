import { counted } from '../../../kit/words/amounts.ts';
import { AppError, type Storage, type TransferPart } from '../../../ports/index.ts';
import { describeMarker, readMarker, type UnfinishedTransfer, writeMarker } from './unfinished-transfer.ts';

/** Parts whose loss would matter. A log or the audit entry of a refused try does not make a storage a used one. */
const CONTENT: readonly TransferPart[] = ['rules', 'hosts'];

/** A mark is not written for every batch: what was stored behind it is stored once more after a cut. */
const MARK_EVERY_MS = 500;

export interface FillOptions {
  readonly kind: UnfinishedTransfer['kind'];
  readonly source: string;
  /** Empties a target that holds something else. */
  readonly force: boolean;
  /** Runs when the target carries the mark and before anything in it is deleted. */
  beforeClearing?(): Promise<void>;
}

/** A target that is ready to be filled. */
export interface Filling {
  /** How far an earlier call came; `undefined` when this one begins. */
  readonly resumed: UnfinishedTransfer | undefined;
  /** Everything up to this record is stored. Notes it now and then. */
  stored(part: TransferPart, key: string, done: number): Promise<void>;
  /** Notes that the stored data differs from the source: the next call starts over. */
  differs(): Promise<void>;
}

/** Makes the target ready: empty and marked, or as an earlier call of the same kind left it. */
export async function fillTarget(to: Storage, options: FillOptions): Promise<Filling> {
  const { kind, source, force } = options;
  const found = await readMarker(to);
  const isOurs = found?.kind === kind && found.source === source;
  if (!isOurs && !force) await refuseUsed(to, found);
  const start: UnfinishedTransfer = { kind, source, state: 'clearing', part: null, key: '', done: 0 };
  const resumed = isOurs && found?.state === 'copying' ? found : undefined;
  if (resumed === undefined) {
    await writeMarker(to, start);
    await options.beforeClearing?.();
    await to.transfer.clear();
    await writeMarker(to, { ...start, state: 'copying' });
  }
  let marked = performance.now();
  return {
    resumed,
    async stored(part, key, done) {
      if (performance.now() - marked < MARK_EVERY_MS) return;
      await writeMarker(to, { ...start, state: 'copying', part, key, done });
      marked = performance.now();
    },
    differs: () => writeMarker(to, { ...start, state: 'different' }),
  };
}

async function refuseUsed(to: Storage, found: UnfinishedTransfer | undefined): Promise<void> {
  if (found !== undefined) {
    throw new AppError(
      'conflict',
      `the target is not complete: ${describeMarker(found)}, or use --force to delete everything in it first`,
    );
  }
  const counts = await Promise.all(CONTENT.map(async (part) => [part, await to.transfer.count(part)] as const));
  const used = counts.filter(([, count]) => count > 0);
  if (used.length === 0) return;
  const held = used.map(([part, count]) => counted(count, part.replace(/s$/, ''), part)).join(' and ');
  throw new AppError(
    'conflict',
    `the target is not empty: it contains ${held}; choose another, or use --force to delete everything in it first`,
  );
}
