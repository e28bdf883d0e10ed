import { grouped } from '../../../kit/words/amounts.ts';
import type { Column } from '../../kernel/print.ts';
import { sizeText } from './backup.ts';

interface KeptBackup {
  readonly file: string;
  readonly written_at: string;
  readonly bytes: number;
  readonly records: number | null;
  readonly encryption: string;
  readonly verified_at: string | null;
  readonly failed_at: string | null;
  readonly failure: string | null;
}

export const KEPT_BACKUP_COLUMNS: readonly Column<KeptBackup>[] = [
  { header: 'file', value: ({ file }) => file, names: true },
  { header: 'written', value: ({ written_at }) => written_at },
  { header: 'size', align: 'right', sortBy: ({ bytes }) => bytes, value: ({ bytes }) => sizeText(bytes) },
  {
    header: 'records',
    align: 'right',
    sortBy: ({ records }) => records ?? -1,
    value: ({ records }) => (records === null ? '' : grouped(records)),
  },
  { header: 'encrypted', value: ({ encryption }) => encryption },
  {
    header: 'verified',
    shrink: true,
    value: ({ verified_at, written_at, failed_at, failure }) =>
      failed_at === null ? (verified_at ?? written_at) : `failed ${failed_at}: ${failure ?? ''}`,
    paint: (text, { failed_at }, colours) => (failed_at === null ? text : colours.red(text)),
  },
];
