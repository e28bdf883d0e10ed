import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { sumOf } from '../../kit/words/amounts.ts';
import { AppError, type Storage } from '../../ports/index.ts';
import { passingIdentity } from './age-file.ts';
import { deleteKept, KEPT_NAME, keepNote, removeLostNotes } from './backup-notes.ts';
import { restoreBackup } from './restore-backup.ts';
import type { FileSeal } from './sealed-file.ts';
import { type BackupOptions, type BackupReport, writeBackup } from './write-backup.ts';

export interface ScheduledBackupOptions extends Omit<BackupOptions, 'seal' | 'recipients'> {
  /** Made when it is missing, for its owner alone. */
  readonly folder: string;
  /** How many are kept, the new one included. */
  readonly keep: number;
  /** Opens what encrypted backups are sealed with; they are encrypted where `encrypt` is true. */
  readonly seal: FileSeal;
  readonly encrypt: boolean;
  /** Those that backups are encrypted for instead; none: they are not. */
  readonly recipients?: readonly string[];
  openStorage(url: string): Promise<Storage>;
}

export interface ScheduledBackup extends BackupReport {
  /** Names of older backups that were deleted. */
  readonly removed: readonly string[];
  /** How many there are now. */
  readonly kept: number;
}

const LEFTOVER = /^(muster-\d{8}T\d{9}Z\.gz(\.age)?\.unverified.*|verifying-\w{6})$/;
/** Longer than any backup takes to write. */
const LEFTOVER_AGE_MS = 24 * 60 * 60_000;

/**
 * Writes a backup, restores it into a separate database next to it and compares, and deletes the oldest beyond `keep`. A backup
 * gets its name only after it was restored, so existing ones can be trusted; nothing is deleted if that fails.
 */
export async function scheduledBackup(storage: Storage, options: ScheduledBackupOptions): Promise<ScheduledBackup> {
  const { folder, productVersion, createdAt, seal, encrypt, recipients = [], signal, progress } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
    throw new AppError('failed', `the folder ${folder} for backups cannot be made; check BACKUP_DIR and its rights`, {
      cause,
    });
  });
  await removeLeftovers(folder, createdAt);
  await removeLostNotes(folder);
  const isForRecipients = recipients.length > 0;
  const file = join(folder, `${nameOf(createdAt)}${isForRecipients ? '.age' : ''}`);
  const draft = `${file}.unverified`;
  try {
    const written = { productVersion, createdAt, signal, progress };
    // The identities are not available here. A temporary recipient verifies the file, and is discarded afterwards.
    const passing = isForRecipients ? await passingIdentity() : undefined;
    const encryption =
      passing !== undefined ? { recipients: [...recipients, passing.recipient] } : encrypt ? { seal } : {};
    const report = await writeBackup(storage, draft, { ...written, ...encryption });
    await verify(draft, folder, options, passing === undefined ? [] : [passing.identity]);
    signal.throwIfAborted();
    // Before the file has its name: a name without a note is a backup of an earlier version.
    await keepNote(folder, basename(file), { file_sha256: report.fileSha256, records: sumOf(report.counts) });
    await rename(draft, file);
    progress({ done: report.bytes, unit: 'bytes', note: 'deleting old backups' });
    return { ...report, file, ...(await removeOld(folder, options.keep, basename(file))) };
  } finally {
    await rm(draft, { force: true });
  }
}

/** Throws unless the backup gives a whole store that is equal to what it holds. */
async function verify(
  draft: string,
  folder: string,
  { openStorage, seal, signal, progress }: ScheduledBackupOptions,
  identities: readonly string[],
): Promise<void> {
  const place = await mkdtemp(join(folder, 'verifying-'));
  try {
    const copy = await openStorage(`sqlite:${join(place, 'muster.db')}`);
    await copy.start();
    try {
      await restoreBackup(draft, copy, { force: false, signal, progress, seal: () => seal, identities });
    } finally {
      await copy.stop();
    }
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** The new one stays whatever its name is: after a clock was wrong, older ones may have names of a time to come. */
async function removeOld(
  folder: string,
  keep: number,
  written: string,
): Promise<{ removed: readonly string[]; kept: number }> {
  const others = (await readdir(folder)).filter((name) => KEPT_NAME.test(name) && name !== written).sort();
  const removed = others.slice(0, Math.max(0, others.length + 1 - keep));
  for (const name of removed) await deleteKept(folder, name);
  return { removed, kept: others.length + 1 - removed.length };
}

/** Removes the remains of a backup that was killed. */
async function removeLeftovers(folder: string, now: Date): Promise<void> {
  for (const name of (await readdir(folder)).filter((each) => LEFTOVER.test(each))) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || now.getTime() - found.mtimeMs < LEFTOVER_AGE_MS) continue;
    await rm(path, { recursive: true, force: true });
  }
}

/** In the order of their names they are in the order of time. */
function nameOf(at: Date): string {
  return `muster-${at.toISOString().replace(/[-:.]/g, '')}.gz`;
}
