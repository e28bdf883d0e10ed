import type { Print } from '../../kernel/print.ts';
import { counted } from '../../words/amounts.ts';
import { printable } from '../../words/escape.ts';

interface Backup {
  readonly file: string;
  readonly bytes: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly sha256: string;
}

/** Where the backup is and how large, on a line. */
export function backupView({ file, bytes, counts, sha256 }: Backup, print: Print): Promise<void> {
  const records = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const size = bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
  return print.result(`${printable(file)}: ${counted(records, 'record')}, ${size}, sha256 ${sha256}\n`);
}
