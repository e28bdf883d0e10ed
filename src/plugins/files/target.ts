import { createHash, type Hash } from 'node:crypto';
import {
  AppError,
  type FileStage,
  type Target,
  type TargetAccount,
  type TargetDocument,
  type TargetHost,
  type TargetRun,
  type TargetServices,
} from '../../ports/index.ts';
import { type FileNames, fileNames } from './file-names.ts';
import { quoted, viewOf } from './host-view.ts';
import { makeShape } from './make-shape.ts';
import { type Manifest, type ManifestEntry, manifestName, manifestText, readManifest } from './manifest.ts';
import type { FilesOptions } from './options.ts';
import type { Folder } from './published-folder.ts';
import { HostFault, type Shape } from './shape.ts';
import { nextSerial } from './zone-serial.ts';

/** Bytes, on usual file systems. */
const LONGEST_NAME = 255;

/** What a run knows of a file. */
interface Draft {
  entries: number;
  /** Of a numbered file: of all but the number. */
  readonly hash: Hash | undefined;
  body?: string;
  serial?: number;
}

type Services = Pick<TargetServices, 'templates'> & { readonly files: Folder };

/** Files that are written whole and take their places together. */
export function filesTarget(
  options: FilesOptions,
  account: Pick<TargetAccount, 'name'>,
  { files, templates }: Services,
  today: () => Date = () => new Date(),
): Required<Target> {
  const names = fileNames(options, templates);
  makeShape(options, templates);
  const manifestPath = names.path(manifestName(account.name));
  const noted = async (): Promise<Manifest> => readManifest(await files.read(manifestPath), manifestPath);

  return {
    async write(hosts, run) {
      const shape = makeShape(options, templates);
      const before = await noted();
      const stage = files.stage(names.folder, run);
      try {
        const content = await stageHosts(hosts, { shape, names, stage, run });
        for (const [name, draft] of content.drafts) {
          if (shape.numbered === undefined || draft.hash === undefined) continue;
          number(draft, shape.numbered, before.get(name), today());
          await stage.head(names.path(name), shape.numbered(draft.serial ?? 0));
        }
        const made = await decide(stage, { names, before, content, adopt: options.adopt });
        const { gone, left } = await removable(made.unwanted);
        const documents = documentsOf({ ...made, deleted: gone, left }, names);
        if (!run.dryRun) await settle(stage, made, gone);
        return { others: documents.length > 0 ? 'written' : 'unchanged', documents };
      } finally {
        await stage.discard();
      }

      /** Which of them are as they were written. What somebody else changed since is theirs. */
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
        // Written down before the first file, so that a process that dies in between leaves no file that nobody knows.
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

interface Content {
  readonly drafts: ReadonlyMap<string, Draft>;
  /** Whether a file that no host makes stays as it is, because one that could not be written, or decided on, may have made it. */
  stays(name: string): boolean;
}

interface Staging {
  readonly shape: Shape;
  readonly names: FileNames;
  readonly stage: FileStage;
  readonly run: TargetRun;
}

/** Takes every host, and puts what it adds to which file. */
async function stageHosts(
  hosts: AsyncIterable<readonly TargetHost[]>,
  { shape, names, stage, run }: Staging,
): Promise<Content> {
  const drafts = new Map<string, Draft>();
  const places = new Places();
  /** Paths of hosts that could not be written; `undefined` among them: nobody knows of which. */
  const failed = new Set<string | undefined>();
  const paths = new Set<string>();

  async function draftOf(name: string): Promise<Draft> {
    const known = drafts.get(name);
    if (known !== undefined) return known;
    const draft: Draft = { entries: 0, hash: shape.numbered === undefined ? undefined : createHash('sha256') };
    drafts.set(name, draft);
    await stage.append(names.path(name), '');
    return draft;
  }

  async function add(name: string, draft: Draft, text: string): Promise<void> {
    draft.hash?.update(text);
    await stage.append(names.path(name), text);
  }

  for await (const batch of hosts) {
    for (const host of batch) {
      let name: string | undefined;
      try {
        const view = viewOf(host);
        name = names.of(view);
        const path = name;
        const made = shape.host(view, path);
        const pieces = (typeof made === 'string' ? [{ text: made }] : made).map(({ below, text }) => {
          return { file: nameOf(path, below), isShared: shared(below), text };
        });
        for (const { file } of pieces) places.take(file);
        paths.add(path);
        for (const { file, isShared, text } of pieces) {
          const draft = await draftOf(file);
          const front = isShared ? (draft.entries === 0 ? (shape.open ?? '') : (shape.between ?? '')) : '';
          draft.entries++;
          await add(file, draft, front + text);
        }
      } catch (error) {
        if (!(error instanceof HostFault)) throw error;
        failed.add(name);
        run.failed(host, error.message);
      }
    }
  }
  run.signal.throwIfAborted();
  // A file of hosts of which not one could be written would be emptied by a word that is misspelt.
  const isKept = (path: string): boolean => failed.has(path) && !paths.has(path);
  if (names.only !== undefined && !isKept(names.only)) paths.add(names.only);
  for (const path of paths) {
    const rest = shape.rest?.(path) ?? [{ text: '' }];
    for (const { below, text } of rest) {
      const name = nameOf(path, below);
      const draft = await draftOf(name);
      if (draft.entries === 0) await add(name, draft, shape.empty ?? `${shape.open ?? ''}${shape.close ?? ''}`);
      if (text !== '') await add(name, draft, text);
    }
  }
  for (const [name, draft] of drafts) {
    if (draft.entries > 0 && shape.close !== undefined) await add(name, draft, shape.close);
  }
  const isAnyonesGuess = failed.has(undefined) || run.undecided() > 0;
  const keptPaths = [...failed].filter((path) => path !== undefined).filter(isKept);
  return {
    drafts,
    stays: (name) => !drafts.has(name) && (isAnyonesGuess || keptPaths.some((path) => isOfPath(name, path))),
  };
}

/** Where a shape makes a folder of a path, all that is below belongs to it. */
function isOfPath(name: string, path: string): boolean {
  return path === '' || name === path || name.startsWith(`${path}/`);
}

/** Names of the files of one run and of their folders. */
class Places {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();

  /** Throws `HostFault` for what is a folder already, or lies below a file. */
  take(file: string): void {
    if (this.#files.has(file)) return;
    const parts = file.split('/');
    const folders = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
    const taken = folders.find((folder) => this.#files.has(folder)) ?? (this.#folders.has(file) ? file : undefined);
    if (taken !== undefined) {
      throw new HostFault(`${quoted(file)} cannot be written, because ${quoted(taken)} is of other hosts`);
    }
    if (Buffer.byteLength(parts.at(-1) ?? '') > LONGEST_NAME) {
      throw new HostFault(`${quoted(file)} is too long for the name of a file`);
    }
    this.#files.add(file);
    for (const folder of folders) this.#folders.add(folder);
  }
}

/** Whether several hosts stand in a file of a tree. */
function shared(below: string | undefined): boolean {
  return below === undefined || !below.includes('/');
}

function nameOf(name: string, below: string | undefined): string {
  if (below === undefined) return name;
  return name === '' ? below : `${name}/${below}`;
}

interface Decision {
  readonly created: readonly string[];
  readonly changed: readonly string[];
  /** What an earlier run wrote and this one does not. */
  readonly unwanted: Manifest;
  /** What is noted after the run. */
  readonly entries: Manifest;
  /** Files that were there and are now known as ours. */
  readonly isNew: boolean;
}

/** What becomes of each file. Throws when one is there that somebody else wrote. */
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
  let isNew = false;
  for await (const { path, digest, present } of stage.compare()) {
    const name = byPath.get(path) ?? path;
    const { serial, body } = drafts.get(name) ?? {};
    entries.set(name, { digest, ...(serial !== undefined && { serial }), ...(body !== undefined && { body }) });
    if (!before.has(name) || before.get(name)?.digest !== digest) isNew = true;
    if (present === undefined) created.push(name);
    else if (present !== digest) {
      if (!before.has(name) && !adopt) strangers.push(path);
      changed.push(name);
    }
  }
  if (strangers.length > 0) throw foreign(strangers);
  for (const [name, entry] of before) if (stays(name)) entries.set(name, entry);
  const unwanted = new Map([...before].filter(([name]) => !entries.has(name)));
  return { created, changed, unwanted, entries, isNew };
}

function foreign(paths: readonly string[]): AppError {
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : '';
  const named = `${paths.slice(0, 3).join(', ')}${more}`;
  return new AppError(
    'failed',
    `${named} ${paths.length === 1 ? 'is' : 'are'} there and not of this account; name another path, move what is there, or set adopt=true of the account to have it replaced`,
  );
}

/** A number that stays as long as the rest does. */
function number(draft: Draft, front: (serial: number) => string, before: ManifestEntry | undefined, now: Date): void {
  draft.body = (draft.hash as Hash).update(front(0)).digest('hex');
  const isSame = before?.serial !== undefined && before.body === draft.body;
  draft.serial = isSame ? (before.serial as number) : nextSerial(before?.serial, now);
}

type Changes = Readonly<Record<TargetDocument['change'], readonly string[]>>;

function documentsOf({ created, changed, deleted, left }: Changes, names: FileNames): readonly TargetDocument[] {
  const changes = Object.entries({ created, changed, deleted, left }) as [
    TargetDocument['change'],
    readonly string[],
  ][];
  return changes
    .flatMap(([change, list]) => list.map((name) => ({ name: names.path(name), change })))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

async function* oneText(text: string): AsyncGenerator<string> {
  yield text;
}
