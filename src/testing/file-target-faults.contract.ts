import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  AppError,
  type FileStage,
  type JsonObject,
  StoredJson,
  type Target,
  type TargetFiles,
  type TargetHost,
} from '../ports/index.ts';
import { LONG_TIMEOUT } from './timeouts.ts';
import { usedGroups } from './used-groups.ts';

/** Faults of disks, by their names in tests. */
export type FileFault = 'disk full' | 'permission missing' | 'folder gone';

export interface FileTargetFaultHarness {
  /** A target that writes into this folder, by `wrapped` of the files that the account may write. */
  open(folder: string, wrapped: (files: TargetFiles) => TargetFiles): Target | Promise<Target>;
  /** Variables of hosts, if the target needs any in addition to `os` and `filling`. */
  readonly variables?: JsonObject;
}

interface Outcome {
  readonly error: unknown;
  readonly failed: readonly string[];
  readonly reasons: readonly string[];
}

const HOSTNAMES = ['a', 'b', 'c', 'd'];
/** Whatever is longer than this does not fit on a disk that is full. */
const ROOM = 64;
const FAULTS: readonly FileFault[] = ['disk full', 'permission missing', 'folder gone'];

/**
 * Tests faults of disks with one target that writes files. Whatever the fault: each file is unchanged or completely new, no
 * existing file is lost, the message says what to do, and the next run does what this one could not.
 */
export function describeFileTargetFaults(name: string, harness: FileTargetFaultHarness): void {
  describe(`${name}: faults of a target of files`, LONG_TIMEOUT, () => {
    for (const fault of FAULTS) {
      it(fault, () =>
        inFolder(async (folder) => {
          await runIn(harness, folder, 'debian');
          const before = await textsBelow(folder);
          expect(Object.keys(before).length).toBeGreaterThan(0);
          const { error, failed, reasons } = await withFault(harness, folder, fault);
          expect(error !== undefined || failed.length === HOSTNAMES.length, 'the run or every host has failed').toBe(
            true,
          );
          if (error !== undefined) expect(error, 'an error that callers can show').toBeInstanceOf(AppError);
          const messages = error instanceof AppError ? [error.message] : reasons;
          for (const message of messages) expectHelp(message);
          expect(await textsBelow(folder), 'nothing is changed, and nothing left behind').toEqual(before);
          await runIn(harness, folder, 'rocky');
          const after = await textsBelow(folder);
          expect(Object.keys(after)).toEqual(Object.keys(before));
          expect(after).not.toEqual(before);
          await runIn(harness, folder, 'rocky');
          expect(await textsBelow(folder)).toEqual(after);
        }),
      );
    }

    it('a first run on a full disk leaves nothing behind', () =>
      inFolder(async (folder) => {
        const { error, failed } = await withFault(harness, folder, 'disk full');
        expect(error !== undefined || failed.length === HOSTNAMES.length).toBe(true);
        expect(await textsBelow(folder)).toEqual({});
        await runIn(harness, folder, 'rocky');
        expect(Object.keys(await textsBelow(folder)).length).toBeGreaterThan(0);
      }));
  });
}

async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const outer = await mkdtemp(join(tmpdir(), 'muster-target-'));
  try {
    const folder = join(outer, 'there');
    await mkdir(folder);
    await test(folder);
  } finally {
    await rm(outer, { recursive: true, force: true });
  }
}

async function withFault(harness: FileTargetFaultHarness, folder: string, fault: FileFault): Promise<Outcome> {
  if (fault !== 'folder gone') return outcomeIn(harness, folder, 'rocky', (files) => faultyFiles(files, fault));
  const elsewhere = `${folder}-elsewhere`;
  await rename(folder, elsewhere);
  try {
    return await outcomeIn(harness, folder, 'rocky');
  } finally {
    // A target that creates the folder again would hide that it is gone.
    await expect(readdir(folder)).rejects.toThrow();
    await rename(elsewhere, folder);
  }
}

async function runIn(harness: FileTargetFaultHarness, folder: string, os: string): Promise<void> {
  const { error, failed, reasons } = await outcomeIn(harness, folder, os);
  if (error !== undefined) throw error;
  expect(failed, reasons.join('; ')).toEqual([]);
}

async function outcomeIn(
  { open, variables = {} }: FileTargetFaultHarness,
  folder: string,
  os: string,
  wrapped: (files: TargetFiles) => TargetFiles = (files) => files,
): Promise<Outcome> {
  const failed: string[] = [];
  const reasons: string[] = [];
  const nothing = (): void => undefined;
  const hosts = HOSTNAMES.map((hostname): TargetHost => {
    const own = { ...variables, os, filling: 'x'.repeat(ROOM), HOSTNAME: hostname };
    return { hostname, variables: StoredJson.ofValue(own), groups: [], outcomes: {} };
  });
  try {
    const target = await open(folder, wrapped);
    await target.write(batchOf(hosts), {
      dryRun: false,
      signal: new AbortController().signal,
      written: nothing,
      unchanged: nothing,
      undecided: () => 0,
      groups: usedGroups,
      progress: nothing,
      failed({ hostname }, reason) {
        failed.push(hostname);
        reasons.push(reason);
      },
    });
    return { error: undefined, failed, reasons };
  } catch (error) {
    return { error, failed, reasons };
  }
}

async function* batchOf(hosts: readonly TargetHost[]): AsyncGenerator<readonly TargetHost[]> {
  yield hosts;
}

/** Files as they are on a disk that has no room, or in a folder that may not be written. */
function faultyFiles(files: TargetFiles, fault: 'disk full' | 'permission missing'): TargetFiles {
  const refusal = (path: string): AppError => {
    const why = fault === 'disk full' ? 'the disk is full' : 'permission denied in its folder';
    return new AppError('failed', `${path} cannot be written: ${why}`);
  };
  return {
    ...files,
    replace: (path, text, run) =>
      files.replace(
        path,
        upTo(text, () => refusal(path)),
        run,
      ),
    remove: (path) => (fault === 'disk full' ? files.remove(path) : Promise.reject(refusal(path))),
    stage: (folder, run) => faultyStage(files.stage(folder, run), fault, refusal),
  };
}

/** A text that breaks off as the room ends. */
async function* upTo(text: AsyncIterable<string>, refusal: () => AppError): AsyncGenerator<string> {
  let length = 0;
  for await (const piece of text) {
    length += piece.length;
    if (length > ROOM) throw refusal();
    yield piece;
  }
  throw refusal();
}

function faultyStage(
  stage: FileStage,
  fault: 'disk full' | 'permission missing',
  refusal: (path: string) => AppError,
): FileStage {
  let length = 0;
  return {
    async append(path, text) {
      length += text.length;
      if (fault === 'disk full' && length > ROOM) throw refusal(path);
      await stage.append(path, text);
    },
    head: (path, text) => stage.head(path, text),
    compare: () => stage.compare(),
    contents: (path) => stage.contents(path),
    commit: ([path = 'a file']) => Promise.reject(refusal(path)),
    discard: () => stage.discard(),
  };
}

async function textsBelow(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const texts = files
    .sort()
    .map(async (file) => [file.slice(folder.length + 1), await readFile(file, 'utf8')] as const);
  return Object.fromEntries(await Promise.all(texts));
}

/** A sentence that says what is wrong and where. */
function expectHelp(message: string): void {
  expect(message.length, `"${message}" says what is wrong`).toBeGreaterThan(20);
  expect(message).not.toMatch(/\bat \S+:\d+:\d+|\[object Object\]|undefined/);
}
