import type { Hash } from 'node:crypto';
import { abridged, worded } from '../../kit/worded.ts';
import {
  AppError,
  type FileStage,
  type Target,
  type TargetAccount,
  type TargetDocument,
  type TargetServices,
} from '../../ports/index.ts';
import { type FileNames, fileNames } from './file-names.ts';
import { type Field, fieldOf } from './host-view.ts';
import { makeShape } from './make-shape.ts';
import { type Manifest, type ManifestEntry, manifestName, manifestText, readManifest } from './manifest.ts';
import { type FilesOptions, SHAPES_WITH_FIELDS } from './options.ts';
import type { Folder } from './published-folder.ts';
import { type Content, type Draft, stageHosts } from './stage-hosts.ts';
import { nextSerial } from './zone-serial.ts';

type Services = Pick<TargetServices, 'templates'> & { readonly files: Folder };

/** Number of files, the first by name, whose beginnings a dry run shows. */
const SHOWN = 5;

/** Files that are written whole and take their places together. */
export function filesTarget(
  options: FilesOptions,
  account: Pick<TargetAccount, 'name'>,
  { files, templates }: Services,
  today: () => Date = () => new Date(),
): Required<Target> {
  const names = fileNames(options, templates);
  makeShape(options, templates);
  const watched = watchedFields(options);
  const manifestPath = names.path(manifestName(account.name));
  const noted = async (): Promise<Manifest> => {
    // If the account may not write there, the error should name the configured path, not the manifest next to the files.
    if (names.only !== '') await files.size(options.path);
    return readManifest(await files.read(manifestPath), manifestPath);
  };

  return {
    async write(hosts, run) {
      const shape = makeShape(options, templates);
      const before = await noted();
      const stage = files.stage(names.folder, run);
      try {
        const content = await stageHosts(hosts, { shape, names, stage, run, watched });
        for (const [name, draft] of content.drafts) {
          if (shape.numbered === undefined || draft.hash === undefined) continue;
          number(draft, shape.numbered, before.get(name), today());
          await stage.head(names.path(name), shape.numbered(draft.serial ?? 0));
        }
        const made = await decide(stage, { names, before, content, adopt: options.adopt });
        const { gone, left } = await removable(made.unwanted);
        const lines = run.dryRun ? await linesOfChanged(stage, made) : undefined;
        const documents = documentsOf({ ...made, deleted: gone, left }, names, made.beginnings, lines);
        if (!run.dryRun) await settle(stage, made, gone);
        const { emptyFields, leftOut } = content;
        return {
          others: documents.length > 0 ? 'written' : 'unchanged',
          documents,
          emptyFields,
          ...(leftOut.length > 0 && { leftOut }),
        };
      } finally {
        await stage.discard();
      }

      /** Compares the displayed files. Files that others wrote are not read: the caller may not be allowed to read them. */
      async function linesOfChanged(staged: FileStage, { beginnings, ours }: Decision): Promise<Lines> {
        const lines = new Map<string, LineChanges>();
        for (const name of beginnings.keys()) {
          const path = names.path(name);
          if (!ours.has(name) || ((await files.size(path)) ?? 0) > MOST_COMPARED) continue;
          const changes = await lineChanges((await files.read(path)) ?? '', staged.contents(path));
          run.progress();
          if (changes !== undefined) lines.set(name, changes);
        }
        return lines;
      }

      /**
       * Splits files by whether they are unchanged since they were written. Files that others have changed since belong to them.
       */
      async function removable(unwanted: Manifest): Promise<{ gone: readonly string[]; left: readonly string[] }> {
        const [gone, left] = [[] as string[], [] as string[]];
        for (const [name, { digest, next }] of unwanted) {
          const present = await files.digest(names.path(name));
          run.progress();
          if (present === digest || present === next) gone.push(name);
          else if (present !== undefined) left.push(name);
        }
        return { gone, left };
      }

      async function settle(staged: FileStage, made: Decision, gone: readonly string[]): Promise<void> {
        const save = (manifest: Manifest): Promise<unknown> =>
          files.replace(manifestPath, oneText(manifestText(account.name, manifest)), run);
        const written = [...made.created, ...made.changed];
        // Saved before the first file, so that a process that dies in between leaves no unknown file.
        const pending = new Map(before);
        for (const each of written) {
          const { digest, ...rest } = made.entries.get(each) as ManifestEntry;
          pending.set(each, { ...rest, digest: before.get(each)?.digest ?? digest, next: digest });
        }
        if (written.length > 0) await save(pending);
        await staged.commit(written.map((each) => names.path(each)));
        run.signal.throwIfAborted();
        for (const each of gone) {
          await files.remove(names.path(each));
          run.progress();
        }
        if (written.length > 0 || made.unwanted.size > 0 || made.isNew) await save(made.entries);
      }
    },

    async check() {
      const known = await noted();
      const count = known.size === 1 ? '1 file' : `${known.size} files`;
      if (names.only === undefined || names.only === '') return `${names.folder}: ${count} of this account.`;
      const path = names.path(names.only);
      const size = await files.size(path);
      if (size === undefined) return `${path} does not exist yet and can be written.`;
      if (known.has(names.only)) return `${path} has ${size} bytes and can be replaced.`;
      if (options.adopt) return `${path} has ${size} bytes, is not of this account, and is taken over.`;
      throw foreign([path]);
    },
  };
}

/** Returns the configured columns and similar fields, as far as the shape writes them. */
function watchedFields({ shape, fields, address_field }: FilesOptions): readonly Field[] {
  const named = SHAPES_WITH_FIELDS.includes(shape) ? fields : [];
  const isAddressRead = address_field !== '' && shape !== 'template' && (shape !== 'csv' || fields.length === 0);
  return [...named, ...(isAddressRead ? [address_field] : [])].map(fieldOf);
}

interface Decision {
  readonly created: readonly string[];
  readonly changed: readonly string[];
  /** Files that an earlier run wrote and this one does not. */
  readonly unwanted: Manifest;
  /** The manifest after the run. */
  readonly entries: Manifest;
  /** Files that were there and are now known as ours. */
  readonly isNew: boolean;
  /** How the first files of a dry run begin, by name. */
  readonly beginnings: ReadonlyMap<string, string>;
  /** Those that change and are there as an earlier run wrote them. */
  readonly ours: ReadonlySet<string>;
}

type Lines = ReadonlyMap<string, LineChanges>;

/** Decides what to do with each file. Throws if there is one that was written by others. */
async function decide(
  stage: FileStage,
  {
    names,
    before,
    content: { drafts, stays },
    adopt,
  }: { names: FileNames; before: Manifest; content: Content; adopt: boolean },
): Promise<Decision> {
  const [created, changed, strangers] = [[] as string[], [] as string[], [] as string[]];
  const entries = new Map<string, ManifestEntry>();
  const byPath = new Map([...drafts.keys()].map((name) => [names.path(name), name]));
  const beginnings = new Map<string, string>();
  const ours = new Set<string>();
  let isNew = false;
  for await (const { path, digest, present, beginning } of stage.compare()) {
    const name = byPath.get(path) ?? path;
    if (beginning !== undefined && present !== digest) {
      beginnings.set(name, beginning);
      if (beginnings.size > SHOWN) beginnings.delete(lastOf(beginnings.keys()));
    }
    const { serial, body } = drafts.get(name) ?? {};
    entries.set(name, { digest, ...(serial !== undefined && { serial }), ...(body !== undefined && { body }) });
    if (!before.has(name) || before.get(name)?.digest !== digest) isNew = true;
    if (present === undefined) created.push(name);
    else if (present !== digest) {
      if (!before.has(name) && !adopt) strangers.push(path);
      changed.push(name);
      if (before.get(name)?.digest === present) ours.add(name);
    }
  }
  if (strangers.length > 0) throw foreign(strangers);
  for (const [name, entry] of before) if (stays(name)) entries.set(name, entry);
  const unwanted = new Map([...before].filter(([name]) => !entries.has(name)));
  return { created, changed, unwanted, entries, isNew, beginnings, ours };
}

function lastOf(names: Iterable<string>): string {
  return [...names].reduce((last, name) => (name > last ? name : last));
}

function foreign(paths: readonly string[]): AppError {
  const files = abridged(paths.slice(0, 3), paths.length);
  return new AppError(
    'failed',
    paths.length === 1
      ? worded`${{ files }} is there and not of this account; name another path, move what is there, or set adopt=true of the account to have it replaced`
      : worded`${{ files }} are there and not of this account; name another path, move what is there, or set adopt=true of the account to have it replaced`,
  );
}

/** A number that stays as long as the rest does. */
function number(draft: Draft, front: (serial: number) => string, before: ManifestEntry | undefined, now: Date): void {
  draft.body = (draft.hash as Hash).update(front(0)).digest('hex');
  const isSame = before?.serial !== undefined && before.body === draft.body;
  draft.serial = isSame ? (before.serial as number) : nextSerial(before?.serial, now);
}

type Changes = Readonly<Record<TargetDocument['change'], readonly string[]>>;

function documentsOf(
  { created, changed, deleted, left }: Changes,
  names: FileNames,
  beginnings: Decision['beginnings'],
  lines: Lines = new Map(),
): readonly TargetDocument[] {
  const changes = Object.entries({ created, changed, deleted, left }) as [
    TargetDocument['change'],
    readonly string[],
  ][];
  return changes
    .flatMap(([change, list]) =>
      list.map((name): TargetDocument => {
        const [beginning, changed] = [beginnings.get(name), lines.get(name)];
        return {
          name: names.path(name),
          change,
          ...(beginning !== undefined && { beginning }),
          ...(changed !== undefined && { lines: changed }),
        };
      }),
    )
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

async function* oneText(text: string): AsyncGenerator<string> {
  yield text;
}

/** Counts from comparing the lines of two texts, regardless of their positions. */
interface LineChanges {
  readonly added: number;
  readonly removed: number;
  readonly kept: number;
}

/** In characters, of each of the two texts. */
const MOST_COMPARED = 32 * 1024 * 1024;

/** How many lines of `before`, a whole text, the pieces of the other one still have. `undefined` when those are too many to look at. */
async function lineChanges(before: string, after: AsyncIterable<Uint8Array>): Promise<LineChanges | undefined> {
  const left = new Map<string, number>();
  let removed = 0;
  for (const line of linesOf(before)) {
    left.set(line, (left.get(line) ?? 0) + 1);
    removed++;
  }
  let [added, kept, length] = [0, 0, 0];
  const take = (line: string): void => {
    const same = left.get(line) ?? 0;
    if (same === 0) {
      added++;
      return;
    }
    left.set(line, same - 1);
    removed--;
    kept++;
  };
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of after) {
    length += piece.length;
    if (length > MOST_COMPARED) return undefined;
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  }
  rest += decoder.decode();
  if (rest !== '') take(rest);
  return { added, removed, kept };
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
