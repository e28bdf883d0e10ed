import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as z from 'zod';

/** Names of kept backups. A file has such a name only when it was proved by restoring it. */
export const KEPT_NAME = /^muster-\d{8}T\d{9}Z\.gz(\.age)?$/;

const noteSchema = z.object({
  file_sha256: z.string(),
  records: z.number().int(),
  verified_at: z.string().optional(),
  failed_at: z.string().optional(),
  failure: z.string().optional(),
});

/** The note of a backup, in a separate file: its state when it was written, and the result of the last check. */
export type BackupNote = z.output<typeof noteSchema>;

/** Stores the note of a backup; an earlier one is replaced as a whole. */
export async function keepNote(folder: string, file: string, note: BackupNote): Promise<void> {
  const draft = join(folder, `${noteName(file)}.partial`);
  await writeFile(draft, `${JSON.stringify(note)}\n`, { mode: 0o600 });
  await rename(draft, join(folder, noteName(file)));
}

/** Deletes a backup with its note. */
export async function deleteKept(folder: string, file: string): Promise<void> {
  await rm(join(folder, file), { force: true });
  await rm(join(folder, noteName(file)), { force: true });
}

/** Removes notes whose backup is gone. */
export async function removeLostNotes(folder: string): Promise<void> {
  const names = new Set(await readdir(folder));
  for (const name of names) {
    const file = basename(name, '.json');
    if (file !== name && KEPT_NAME.test(file) && !names.has(file)) await rm(join(folder, name), { force: true });
  }
}

function noteName(file: string): string {
  return `${file}.json`;
}

/** Returns the note of a backup; `undefined` if there is none or it cannot be read. */
export async function noteOf(folder: string, file: string): Promise<BackupNote | undefined> {
  const text = await readFile(join(folder, noteName(file)), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return noteSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
