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
   * The bytes of a regular file from its beginning to its end, and how far it is to `context.progress`. Links are followed
   * first, and what was checked is what is read. A piece is overwritten when the next one is asked for. Throws also when
   * somebody writes to the file meanwhile. An empty file has no pieces.
   */
  read(path: string, context: ReadContext): AsyncIterable<Uint8Array>;
  /**
   * The files that a path stands for, to be read one by one: of a folder those in it, of a path whose last part has `*` or `?` those of
   * such names; sorted by name, without hidden ones and without those of inner folders. `undefined` when the path stands for itself.
   * A folder out of bounds is refused as a file would be, and what a link in a folder leads to is checked when it is read.
   */
  list(path: string): Promise<readonly string[] | undefined>;
  /**
   * Where a regular file really lies, for what can open files by their name only, as databases do that have further files beside
   * them. Whoever opens it calls `requireSame` afterwards.
   */
  locate(path: string): Promise<LocatedFile>;
  /**
   * Where a file, or a folder with all below it, really lies, for programs that read it by themselves. A folder is refused too when
   * anything that the service keeps secret lies below it.
   */
  place(path: string): Promise<SourcePlace>;
}

/** What a program of this machine may read. */
export interface SourcePlace {
  /** Absolute, without links. */
  readonly path: string;
  readonly isFolder: boolean;
}

/** A file that was checked. */
export interface LocatedFile {
  /** Absolute, without links. */
  readonly path: string;
  /** Throws when something else lies there by now, so that what was opened may not be what was checked. */
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
   * Begins files that take their places together. Folders below `folder` are made when they are needed; `folder` itself must be
   * there, unless it is one of those for exports. Whoever begins a stage discards it in the end.
   */
  stage(folder: string, run: Pick<TargetRun, 'dryRun' | 'signal' | 'progress'>): FileStage;
  /** Names of the regular files in a folder, sorted. */
  list(folder: string): Promise<readonly string[]>;
  /** Deletes a regular file. One that is not there is fine. */
  remove(path: string): Promise<void>;
}

/**
 * Files that are written piece by piece, any number at a time, and take their places when all of them are on the disk. Needs memory for
 * their names and for some megabytes of their text. What it puts on the disk until then are files beside them, whose names begin with a dot.
 */
export interface FileStage {
  /** Adds to the end of what a file is to hold. The first call for a path makes it one of the stage. */
  append(path: string, text: string): Promise<void>;
  /** Puts a text before all that a file is to hold; once for a file. */
  head(path: string, text: string): Promise<void>;
  /** What the files are to hold and what they hold now, in the order in which they were named. */
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
  /** Of the file that is there; absent when there is none. */
  readonly present?: string;
  /** Of a dry run: how the file begins, up to 20,000 characters; shorter ones are the whole text. */
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
   * Where targets of those who are not the operator of the machine write a path that somebody gives a new account: an empty text for the path as it
   * is, because it leads below one of the folders; the name of the first of the folders for a relative path that leads nowhere else and is to
   * begin there; `undefined` for a path that they may not write. Nothing has to be there. For `path` a literal beginning is enough.
   */
  beginning(path: string): Promise<string | undefined>;
  /**
   * Keeps a text or bytes as a new file in the first of the folders that sources read, which is made when it is missing, and answers its path as an
   * account names it. Throws where there is a file of that name, unless `replaces` says that it is to be replaced as a whole. The name is one of a file, without folders. With `room`
   * it throws `FolderFull` where there is none for the text; of several that are kept at once in this process each counts those before.
   */
  keep(name: string, text: string | Uint8Array, room?: FileRoom, replaces?: boolean): Promise<string>;
}

/** How much the files in a folder may take together, in bytes. */
export interface FileRoom {
  readonly most: number;
  /** Whether a file of that name counts. */
  counts(name: string): boolean;
}

/** What is there already, and what was to come, are more than there is room for. */
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
