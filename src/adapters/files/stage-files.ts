import { createReadStream } from 'node:fs';
import { appendFile, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FileStage, StagedFile } from '../../ports/files.ts';
import type { TargetRun } from '../../ports/target.ts';
import { Beginning } from './beginning.ts';
import type { Bounds } from './bounds.ts';
import { Digest, digestOfFile } from './digest.ts';
import { writingFault } from './fault.ts';
import { WRITTEN_MODE } from './replace-file.ts';
import { type FileToWrite, type TargetPlace, targetPlace } from './target-place.ts';
import type { TemporaryNames } from './temporary-names.ts';

/** Number of characters, over all files together, that are buffered before they are written to the disk. */
const HELD_CHARACTERS = 8 * 1024 * 1024;

/** One file of a stage. Its text consists of the head, the part on the disk, and the buffered part, in this order. */
interface Draft {
  readonly file: FileToWrite;
  /** Location of the beginning of its text: a name in the folder of the file, or in the one of the dry run. */
  readonly spillName: string;
  head: string;
  spilled: boolean;
  /** True if its whole text is next to it on the disk, or is being written there. */
  prepared: boolean;
  held: string[];
}

export interface StageSettings {
  readonly bounds: Bounds;
  readonly names: TemporaryNames;
  fileOf(path: string): FileToWrite;
  /** Absolute. */
  readonly folder: string;
  readonly run: Pick<TargetRun, 'dryRun' | 'signal' | 'progress'>;
}

/** Implements `TargetFiles.stage`. No file is kept open, so there may be any number of them. */
export function stageFiles({ bounds, names, fileOf, folder, run }: StageSettings): FileStage {
  const { dryRun, signal, progress } = run;
  const drafts = new Map<string, Draft>();
  /** Folders already searched for remains of killed runs. */
  const swept = new Set<string>();
  let held = 0;
  let privateFolder: string | undefined;

  /** Runs `work` with the place of a file, which is held open meanwhile. */
  async function at<T>(draft: Draft, work: (place: TargetPlace) => Promise<T>): Promise<T> {
    const place = await targetPlace(bounds, draft.file, { make: !dryRun, below: folder });
    try {
      const inFolder = dirname(draft.file.absolute);
      if (!dryRun && !swept.has(inFolder)) {
        swept.add(inFolder);
        await names.sweep(place);
      }
      return await work(place);
    } catch (error) {
      throw writingFault(draft.file.path, error);
    } finally {
      await place.close();
    }
  }

  /** A dry run leaves the folder alone: text that it cannot hold is kept in a private place. */
  async function privatePath(draft: Draft): Promise<string> {
    privateFolder ??= await mkdtemp(join(tmpdir(), 'muster-dry-run-'));
    return join(privateFolder, draft.spillName);
  }

  async function spillPath(draft: Draft, place: TargetPlace): Promise<string> {
    return dryRun ? await privatePath(draft) : place.within(draft.spillName);
  }

  async function spill(draft: Draft): Promise<void> {
    if (draft.held.length === 0) return;
    signal.throwIfAborted();
    const text = draft.held.join('');
    await at(draft, async (place) => {
      const path = await spillPath(draft, place);
      draft.spilled = true;
      await appendFile(path, text, { mode: WRITTEN_MODE });
    });
    draft.held = [];
    held -= text.length;
    progress();
  }

  const contents = (draft: Draft, place: TargetPlace): AsyncIterable<Uint8Array> =>
    piecesOf(draft, () => spillPath(draft, place));

  async function* piecesOf(draft: Draft, pathOf: (draft: Draft) => Promise<string>): AsyncGenerator<Uint8Array> {
    if (draft.head !== '') yield Buffer.from(draft.head);
    if (draft.spilled) yield* createReadStream(await pathOf(draft), { signal });
    for (const text of draft.held) yield Buffer.from(text);
  }

  async function compared(draft: Draft): Promise<StagedFile> {
    return await at(draft, async (place) => {
      const digest = new Digest();
      const beginning = dryRun ? new Beginning() : undefined;
      for await (const piece of contents(draft, place)) {
        digest.add(piece);
        beginning?.add(piece);
      }
      return {
        path: draft.file.path,
        digest: digest.text(),
        ...(place.size !== undefined && { present: await digestOfFile(place.within(place.name), signal) }),
        ...(beginning !== undefined && { beginning: beginning.text() }),
      };
    });
  }

  const readyName = (draft: Draft): string => `${draft.spillName.slice(0, -'.part'.length)}.tmp`;

  /** Writes the whole text next to the file, on the disk. */
  async function prepare(draft: Draft): Promise<void> {
    draft.prepared = true;
    await at(draft, async (place) => {
      const handle = await open(place.within(readyName(draft)), 'wx', WRITTEN_MODE);
      try {
        for await (const piece of contents(draft, place)) await handle.writeFile(piece);
        await handle.chmod(WRITTEN_MODE);
        await handle.sync();
      } finally {
        await handle.close();
      }
    });
    progress();
  }

  return {
    async append(path, text) {
      let draft = drafts.get(path);
      if (draft === undefined) {
        const file = fileOf(path);
        const spillName = `${names.fresh()}.part`;
        draft = { file, spillName, head: '', spilled: false, prepared: false, held: [] };
        drafts.set(path, draft);
      }
      if (text === '') return;
      draft.held.push(text);
      held += text.length;
      if (held > HELD_CHARACTERS) for (const each of drafts.values()) await spill(each);
    },

    async head(path, text) {
      const draft = drafts.get(path);
      if (draft === undefined) throw new Error(`${path} is not a file of the stage`);
      draft.head = text;
    },

    async *compare() {
      for (const draft of drafts.values()) {
        signal.throwIfAborted();
        progress();
        yield await compared(draft);
      }
    },

    async *contents(path) {
      const draft = drafts.get(path);
      if (draft === undefined || !dryRun) throw new Error(`${path} is not a file of the stage of a dry run`);
      yield* piecesOf(draft, privatePath);
    },

    async commit(paths) {
      if (dryRun) return;
      const ready = paths.flatMap((path) => drafts.get(path) ?? []);
      for (const draft of ready) {
        signal.throwIfAborted();
        await prepare(draft);
      }
      signal.throwIfAborted();
      for (const draft of ready) {
        await at(draft, async (place) => {
          await rename(place.within(readyName(draft)), place.within(place.name));
          await place.sync();
        });
        progress();
      }
    },

    async discard() {
      if (privateFolder !== undefined) await rm(privateFolder, { recursive: true, force: true });
      privateFolder = undefined;
      if (dryRun) return;
      for (const draft of drafts.values()) {
        if (!draft.spilled && !draft.prepared) continue;
        await at(draft, async (place) => {
          await rm(place.within(draft.spillName), { force: true });
          await rm(place.within(readyName(draft)), { force: true });
        }).catch(() => undefined);
      }
      drafts.clear();
    },
  };
}
