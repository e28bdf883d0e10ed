import { basename } from 'node:path';
import { AppError, type ReadContext, type SourceFiles, type SourceItem } from '../../ports/index.ts';
import { isCacheName } from '../records/ansible-cache.ts';
import { OptionFault } from '../records/option-fault.ts';
import { FileLists } from '../records/whole-list.ts';
import { type Said, saidBy, textOf, worded } from '../worded.ts';
import { fileFault } from './fault.ts';

/** One file to read, alone or in a folder. */
export interface FileTurn {
  readonly path: string;
  /** The name that the file gives to a host. */
  readonly host: string;
  readonly context: ReadContext;
  /** Takes what the file says of its list. */
  readonly lists: FileLists;
}

export interface EachFile {
  readonly path: string;
  /** True: a host is named by its file alone, so that it is known which one a file that cannot be read is about. */
  readonly namesHosts: boolean;
  read(turn: FileTurn): AsyncIterable<readonly SourceItem[]>;
}

/**
 * The records of a file, or of all files that the path stands for. Of several, one that cannot be read is a gap, or the skipped record
 * of its host; so nothing is archived because a file is broken. A path that stands for no file at all fails.
 */
export async function* readEachFile(
  { path, namesHosts, read }: EachFile,
  files: SourceFiles,
  context: ReadContext,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const listed = await files.list(path);
  const lists = new FileLists();
  if (listed === undefined) {
    yield* read({ path, host: hostOf(path), context, lists });
    for (const { gap } of lists.missing()) yield [gap];
    return;
  }
  if (listed.length === 0)
    throw fileFault(path, worded`has no files to read; is it the right folder, and is it mounted?`);
  let before = 0;
  for (const file of listed) {
    context.signal.throwIfAborted();
    let bytes = 0;
    const progress = (done: number): void => {
      bytes = done;
      context.progress(before + done);
    };
    const turn = { path: file, host: hostOf(file), context: { signal: context.signal, progress }, lists };
    try {
      for await (const items of read(turn)) yield items.map((item) => placed(item, basename(file)));
    } catch (error) {
      if (!isOfFile(error) || context.signal.aborted) throw error;
      yield [lost(turn, error, namesHosts)];
    }
    before += bytes;
  }
  for (const { file, gap } of lists.missing()) yield [placed(gap, basename(file))];
}

/** The name that a file gives to a host: its own without `.json`, `.yml` or `.yaml`. */
export function hostOf(path: string): string {
  return basename(path).replace(/\.(?:json|ya?ml)$/i, '');
}

/** Adds the name of the file to the position of an item. */
function placed(item: SourceItem, file: string): SourceItem {
  if (item.kind === 'gap') return { ...item, what: worded`${{ part: item.what }} in ${{ file }}` };
  return item.kind === 'left_out' || item.kind === 'bookmark'
    ? item
    : { ...item, position: `${file} ${item.position}`.trim() };
}

function lost({ path, host }: FileTurn, error: AppError, namesHosts: boolean): SourceItem {
  const file = basename(path);
  const problem = problemOf(error, path);
  // If a file cannot be read, it is unknown whether that is part of the host's name.
  return namesHosts && !isCacheName(host)
    ? { kind: 'skipped', position: file, hostname: host, reason: worded`the file ${{ problem }}` }
    : { kind: 'gap', what: worded`the file ${{ file }}`, reason: problem };
}

/** Returns what is wrong with a file, without the leading file name. */
function problemOf(error: AppError, path: string): Said {
  const { message, wording } = error;
  if (!message.startsWith(`${path} `)) return saidBy(error);
  const rest = message.slice(path.length + 1);
  const problem = wording?.values.problem;
  return typeof problem === 'object' && textOf(problem) === rest ? problem : rest;
}

function isOfFile(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'failed' && !(error instanceof OptionFault);
}
