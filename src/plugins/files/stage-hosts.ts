import { createHash, type Hash } from 'node:crypto';
import type { FileStage, TargetHost, TargetRun } from '../../ports/index.ts';
import type { FileNames } from './file-names.ts';
import { type Field, quoted, viewOf } from './host-view.ts';
import { HostFault, type LeftOut, type Piece, type Shape } from './shape.ts';

/** Bytes, on usual file systems. */
const LONGEST_NAME = 255;

/** The state of a file during a run. */
export interface Draft {
  entries: number;
  /** For a numbered file: hash of everything except the number. */
  readonly hash: Hash | undefined;
  body?: string;
  serial?: number;
}

export interface Content {
  readonly drafts: ReadonlyMap<string, Draft>;
  /** Whether a file that no host makes stays as it is, because one that could not be written, or decided on, may have made it. */
  stays(name: string): boolean;
  /** Those of the watched fields that no host had a value for; none without hosts. */
  readonly emptyFields: readonly string[];
  readonly leftOut: readonly LeftOut[];
}

interface Staging {
  readonly shape: Shape;
  readonly names: FileNames;
  readonly stage: FileStage;
  readonly run: TargetRun;
  /** The fields that the account names for each host. */
  readonly watched: readonly Field[];
}

type Made = string | readonly Piece[];

/** Takes every host, and puts what it adds to which file. */
export async function stageHosts(
  hosts: AsyncIterable<readonly TargetHost[]>,
  { shape, names, stage, run, watched }: Staging,
): Promise<Content> {
  const drafts = new Map<string, Draft>();
  const places = new Places();
  /** Paths of hosts that could not be written; contains `undefined` if the path of one is unknown. */
  const failed = new Set<string | undefined>();
  const paths = new Set<string>();
  const empty = new Map(watched.map((field) => [field.variable, field]));
  /** Those that were written, by path and the name that readers know them by. */
  const known = new Map<string, string>();
  /** Hosts that readers know by another name than their own: that may be the name of one that is still to come. */
  const changed: { readonly host: TargetHost; readonly path: string; readonly key: string; readonly made: Made }[] = [];
  let seen = 0;

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

  async function put(path: string, made: Made): Promise<void> {
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
  }

  function claim(key: string | undefined): void {
    const other = key === undefined ? undefined : known.get(key);
    if (other !== undefined) throw new HostFault(`it is one name with ${quoted(other)} there, which is written`);
  }

  function refuse(host: TargetHost, path: string | undefined, error: unknown): void {
    if (!(error instanceof HostFault)) throw error;
    failed.add(path);
    run.failed(host, error.message);
  }

  for await (const batch of hosts) {
    for (const host of batch) {
      let name: string | undefined;
      try {
        const view = viewOf(host);
        seen++;
        for (const variable of empty.keys()) if (view.text(variable) !== '') empty.delete(variable);
        name = names.of(view);
        const path = name;
        const made = shape.host(view, path);
        const readAs = shape.knownAs?.(view);
        const key = readAs === undefined ? undefined : `${path}\n${readAs}`;
        if (key !== undefined && readAs?.startsWith(host.hostname) === false) {
          changed.push({ host, path, key, made });
          continue;
        }
        claim(key);
        await put(path, made);
        if (key !== undefined) known.set(key, host.hostname);
      } catch (error) {
        refuse(host, name, error);
      }
    }
  }
  for (const { host, path, key, made } of changed) {
    try {
      claim(key);
      await put(path, made);
      known.set(key, host.hostname);
    } catch (error) {
      refuse(host, path, error);
    }
  }
  run.signal.throwIfAborted();
  // A file of hosts of which not one could be written would be emptied by a word that is misspelt.
  const isKept = (path: string): boolean => failed.has(path) && !paths.has(path);
  if (names.only !== undefined && !isKept(names.only)) paths.add(names.only);
  for (const path of paths) {
    const wanted = shape.groups?.(path);
    const groups = wanted === undefined ? [] : await run.groups(wanted);
    const rest = shape.rest?.(path, groups) ?? [{ text: '' }];
    for (const { below, text } of rest) {
      const name = nameOf(path, below);
      places.take(name);
      const draft = await draftOf(name);
      if (draft.entries === 0 && shared(below))
        await add(name, draft, shape.empty ?? `${shape.open ?? ''}${shape.close ?? ''}`);
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
    leftOut: shape.leftOut?.() ?? [],
    emptyFields: seen === 0 ? [] : [...empty.values()].map(({ name }) => name),
  };
}

/** If a shape makes a folder of a path, everything below belongs to it. */
function isOfPath(name: string, path: string): boolean {
  return path === '' || name === path || name.startsWith(`${path}/`);
}

/** Names of the files of one run and of their folders. */
class Places {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();

  /** Throws `HostFault` for a path that is already a folder, or is below a file. */
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

/** Whether a file of a tree holds several hosts. */
function shared(below: string | undefined): boolean {
  return below === undefined || !below.includes('/');
}

function nameOf(name: string, below: string | undefined): string {
  if (below === undefined) return name;
  return name === '' ? below : `${name}/${below}`;
}
