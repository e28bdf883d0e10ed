import type { Wording } from './errors.ts';
import type { ReadContext } from './source.ts';
import type { TargetRun } from './target.ts';

/**
 * The files that the account of a source may read: below `FILE_SOURCE_DIRS`, and elsewhere only where the operator of the
 * machine named the path. Never what the service itself keeps secret: its key, its database, its configuration.
 *
 * A relative path starts at the working directory. Whatever is refused is an `AppError('failed')` in words, which never
 * holds anything of a file's content, and for a path out of bounds is the same whether or not there is such a file.
 */
export interface SourceFiles {
  /**
   * Yields the bytes of a regular file from beginning to end and reports the position to `context.progress`. Links are resolved
   * first, and the file that was checked is the one that is read. A chunk is overwritten when the next one is requested. Throws
   * also if the file is written to in the meantime. An empty file yields no chunks.
   */
  read(path: string, context: ReadContext): AsyncIterable<Uint8Array>;
  /**
   * The files that a path stands for, to be read one by one: of a folder those in it, of a path whose last part has `*` or `?` those of
   * such names; sorted by name, without hidden ones and without those of inner folders. `undefined` when the path stands for itself.
   * A folder out of bounds is refused as a file would be, and what a link in a folder leads to is checked when it is read.
   */
  list(path: string): Promise<readonly string[] | undefined>;
  /**
   * Resolves the real location of a regular file, for code that can open files only by name, such as databases that keep further
   * files next to them. The caller that opens it calls `requireSame` afterwards.
   */
  locate(path: string): Promise<LocatedFile>;
  /**
   * Resolves the real location of a file, or of a folder with everything below it, for programs that read it themselves. A folder
   * is also refused if it contains anything that the service keeps secret.
   */
  place(path: string): Promise<SourcePlace>;
}

/** A file or folder that a program of this machine may read. */
export interface SourcePlace {
  /** Absolute, without links. */
  readonly path: string;
  readonly isFolder: boolean;
}

/** A file that was checked. */
export interface LocatedFile {
  /** Absolute, without links. */
  readonly path: string;
  /** Throws if the path now holds something else, so that the opened file may not be the one that was checked. */
  requireSame(): Promise<void>;
}

/**
 * The files that the account of a target may write: below `FILE_TARGET_DIRS`, and elsewhere only where the operator of the
 * machine named the path. What is refused is as for `SourceFiles`.
 */
export interface TargetFiles {
  /**
   * Makes the file hold this text. The old content stays until the new one is on the disk, then takes its place at once; a
   * text that breaks off, or a run that is called off, changes nothing. Content that is the same leaves the file alone. A dry
   * run answers what a real one would. A link to a file stays, and the file behind it is written.
   */
  replace(
    path: string,
    text: AsyncIterable<string>,
    run: Pick<TargetRun, 'dryRun' | 'signal' | 'progress'>,
  ): Promise<'written' | 'unchanged'>;
  /** How many bytes the file has, `undefined` when there is none. Throws when no file can be written there. */
  size(path: string): Promise<number | undefined>;
  /** The text of a file, such as what a target noted of its last run; `undefined` when there is none. It is read as a whole. */
  read(path: string): Promise<string | undefined>;
  /** The SHA-256 of a file, in hexadecimal digits; `undefined` when there is none. */
  digest(path: string): Promise<string | undefined>;
  /**
   * Begins a set of files that take their places together. Folders below `folder` are created when needed; `folder` itself must
   * exist, unless it is one of those for exports. The caller that begins a stage must discard it in the end.
   */
  stage(folder: string, run: Pick<TargetRun, 'dryRun' | 'signal' | 'progress'>): FileStage;
  /** Names of the regular files in a folder, sorted. */
  list(folder: string): Promise<readonly string[]>;
  /** Deletes a regular file. One that is not there is fine. */
  remove(path: string): Promise<void>;
}

/**
 * Files that are written piece by piece, any number at a time, and take their places once all of them are on disk. Needs memory
 * for their names and for some megabytes of their text. Until then it keeps temporary files on disk next to them, with names that
 * begin with a dot.
 */
export interface FileStage {
  /** Adds to the end of what a file is to hold. The first call for a path makes it one of the stage. */
  append(path: string, text: string): Promise<void>;
  /** Puts a text before all that a file is to hold; once for a file. */
  head(path: string, text: string): Promise<void>;
  /** Yields the planned and the current content of the files, in the order in which they were named. */
  compare(): AsyncIterable<StagedFile>;
  /** In a dry run: the bytes that a file of the stage would hold. */
  contents(path: string): AsyncIterable<Uint8Array>;
  /**
   * Puts the named files of the stage into their places. A failure before all of them are on the disk, and a run that is called off until
   * then, changes nothing. In a dry run it does nothing.
   */
  commit(paths: readonly string[]): Promise<void>;
  /** Takes away what it left on the disk. Idempotent. */
  discard(): Promise<void>;
}

/** Contents by their SHA-256, in hexadecimal digits. */
export interface StagedFile {
  readonly path: string;
  readonly digest: string;
  /** Digest of the existing file; absent if there is none. */
  readonly present?: string;
  /** In a dry run: the beginning of the file, up to 20,000 characters; shorter files are given in full. */
  readonly beginning?: string;
}

/** How far the files of an account may lie. */
export interface FileReach {
  /** True: outside of the folders too, because the operator of the machine named the path. */
  readonly anywhere: boolean;
  /** How it becomes that, to follow "or" in a message. */
  readonly advice: string | Wording;
}

/** Files of this machine, for accounts. */
export interface FileAccess {
  /** The folders that sources read from and those that targets write into, as an account names them. They need not be there. */
  folders(): { readonly sources: readonly string[]; readonly targets: readonly string[] };
  sources(reach: FileReach): SourceFiles;
  targets(reach: FileReach): TargetFiles;
  /**
   * Decides how a path is written that someone other than the operator of the machine gives a new target account: an empty text
   * if the path is used unchanged because it leads below one of the folders; the name of the first folder for a relative path
   * that leads nowhere else and is to begin there; `undefined` for a path that they may not write. Nothing has to exist. For
   * `path`, a literal beginning is enough.
   */
  beginning(path: string): Promise<string | undefined>;
  /**
   * Keeps a text or bytes as a new file in the first of the folders that sources read, creating the folder if it is missing, and
   * answers the path as an account names it. Throws if a file of that name exists, unless `replaces` allows replacing it as a
   * whole. The name is that of a file, without folders. With `room`, throws `FolderFull` if there is not enough space for the
   * text; of several files kept at once in this process, each counts those before it.
   */
  keep(name: string, text: string | Uint8Array, room?: FileRoom, replaces?: boolean): Promise<string>;
}

/** How much the files in a folder may take together, in bytes. */
export interface FileRoom {
  readonly most: number;
  /** Whether a file of that name counts. */
  counts(name: string): boolean;
}

/** Thrown if existing and new content together exceed the space allowed. */
export class FolderFull extends Error {
  override readonly name = 'FolderFull';
  /** As an account names it. */
  readonly folder: string;
  /** Bytes that are there. */
  readonly taken: number;

  constructor(folder: string, taken: number) {
    super(`${folder} is full: ${taken} bytes`);
    this.folder = folder;
    this.taken = taken;
  }
}
