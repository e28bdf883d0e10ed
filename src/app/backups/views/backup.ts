import { counted, sumOf } from '../../../kit/words/amounts.ts';
import { printable } from '../../../kit/words/escape.ts';
import type { Print } from '../../kernel/print.ts';

interface Backup {
  readonly file: string;
  readonly bytes: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly sha256: string;
}

/** The same, with what happened to older ones. */
export async function keptBackupView(
  backup: Backup & {
    readonly removed: readonly string[];
    readonly kept: number;
    readonly encrypted: boolean;
    readonly encryption: string;
    readonly file_sha256: string;
  },
  print: Print,
): Promise<void> {
  await backupView(backup, print);
  const older = backup.removed.length === 0 ? '' : `, ${counted(backup.removed.length, 'older one')} deleted`;
  const how = backup.encrypted ? 'Encrypted and proved' : 'Proved';
  if (backup.encryption === 'age') {
    print.note(
      `It was proved by a key of this run alone. That your identity opens it is seen where that is: restore it there into an empty store by --identity. Checksum of the file: ${backup.file_sha256}`,
    );
  }
  return print.note(`${how} by restoring it; ${counted(backup.kept, 'backup')} there now${older}.`);
}

/** Prints the place and size of the backup, on a line. */
export function backupView({ file, bytes, counts, sha256 }: Backup, print: Print): Promise<void> {
  return print.result(
    `${printable(file)}: ${counted(sumOf(counts), 'record')}, ${sizeText(bytes)}, sha256 ${sha256}\n`,
  );
}

/** `12 kB`, `3.4 MB`. */
export function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
