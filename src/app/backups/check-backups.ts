import { messageOf, saidBy, worded } from '../../kit/worded.ts';
import { secondsOf } from '../../kit/words/moment.ts';
import { AppError } from '../../ports/index.ts';
import { keptFolders } from '../maintenance/folders.ts';
import type { MaintenanceServices } from '../maintenance/services.ts';
import type { Finding } from '../maintenance/upkeep-parts.ts';
import { type KeptBackup, newestBackup } from './kept-backups.ts';

/** Default for an unknown interval between backups. */
const LONGEST_MINUTES = 7 * 24 * 60;
/** A pass that began late, and the time that a backup takes. */
const SLACK_MINUTES = 60;

type BackupServices = Pick<
  MaintenanceServices,
  'backupInterval' | 'clock' | 'config' | 'hasOtherNodes' | 'machineFiles'
>;

/** Reports whether there is a kept backup, its age, and its last check. Empty if no backups are kept here. */
export async function backupFindings(services: BackupServices, hasStorage: boolean): Promise<readonly Finding[]> {
  const { config, machineFiles } = services;
  const folder = machineFiles.backupFolder;
  const check = 'backups';
  try {
    const interval = hasStorage ? await services.backupInterval() : undefined;
    const newest = await newestBackup(folder);
    const isKept = newest !== undefined || config.BACKUP_DIR !== '' || interval !== undefined;
    const place = isKept ? (await keptFolders(services)).find((each) => each.folder === 'backups') : undefined;
    if (place?.reason !== undefined) {
      const said = worded`kept backups in ${{ folder }} do not outlast this node: ${{ reason: place.reason }}; name a folder of other disks in BACKUP_DIR`;
      return [{ check, ok: false, ...messageOf(said) }];
    }
    if (newest !== undefined) return [{ check, ...ofNewest(services, newest, interval ?? undefined) }];
    if (config.BACKUP_DIR === '' && interval === undefined) return [];
    const said = worded`there is no kept backup in ${{ folder }} yet`;
    return [{ check, ok: true, warning: true, ...messageOf(said), commands: ['muster storage keep-backup'] }];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [{ check, ok: false, ...messageOf(saidBy(error)) }];
  }
}

function ofNewest(
  { clock }: BackupServices,
  { file, writtenAt, note }: KeptBackup,
  interval: number | undefined,
): Omit<Finding, 'check'> {
  const at = secondsOf(writtenAt);
  if (note?.failed_at !== undefined) {
    const said = worded`the newest, ${{ file }}, was not found whole at ${{ time: note.failed_at }}: ${{ reason: note.failure ?? '' }}`;
    return { ok: false, ...messageOf(said), commands: ['muster storage list-backups', 'muster storage keep-backup'] };
  }
  const minutes = interval === undefined ? LONGEST_MINUTES : 2 * interval + SLACK_MINUTES;
  if (clock.now().getTime() - writtenAt.getTime() > minutes * 60_000) {
    const said =
      interval === undefined
        ? worded`the newest is of ${{ at }}, older than a week, and no enabled cron group has the job Backup`
        : worded`the newest is of ${{ at }}, and the cron group that makes them starts every ${{ minutes: interval }} minutes`;
    return {
      ok: true,
      warning: true,
      ...messageOf(said),
      commands: ['muster storage keep-backup', 'muster cron list'],
    };
  }
  return { ok: true, ...messageOf(worded`the newest is of ${{ at }}`) };
}
