import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { AppError, type ReadContext, type SourceItem } from '../../../src/ports/index.ts';
import { putTogether } from '../../support/english-wordings.ts';

const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** A file that is gone after the test. */
export async function temporaryFile(content: string | Uint8Array): Promise<string> {
  const path = join(await temporaryFolder(), 'hosts');
  await writeFile(path, content);
  return path;
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-source-'));
  folders.push(folder);
  return folder;
}

export function readContext(progress: ReadContext['progress'] = () => undefined): ReadContext {
  return { signal: new AbortController().signal, progress };
}

export async function collect(items: AsyncIterable<readonly SourceItem[]>): Promise<SourceItem[]> {
  const all: SourceItem[] = [];
  for await (const batch of items) all.push(...batch);
  return all;
}

/** The message of the failed read, which has its parts, for pages in other languages. */
export async function failure(items: AsyncIterable<readonly SourceItem[]>): Promise<string> {
  try {
    await collect(items);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'failed') throw error;
    expect(error.wording && putTogether(error.wording)).toBe(error.message);
    return error.message;
  }
  throw new Error('the read did not fail');
}
