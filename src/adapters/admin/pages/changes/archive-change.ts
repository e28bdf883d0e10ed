import { t } from '@lingui/core/macro';
import { ARCHIVE_REASONS } from '../hosts/archive-words.ts';
import type { Change } from '../parts/change-rows.ts';
import { exactText, type Zone } from '../parts/moments.ts';

/** Puts the mark of the archive into words; leaves all other changes unchanged. */
export function inWords<Of extends Change>(changes: readonly Of[], zone: Zone): readonly Of[] {
  return changes.map((change) =>
    change.path === 'archive'
      ? {
          ...change,
          ...('before' in change && { before: archivedText(change.before, zone) }),
          ...('after' in change && { after: archivedText(change.after, zone) }),
        }
      : change,
  );
}

/** `archived by the import, 2026-01-31 14:05:09`. */
function archivedText(mark: unknown, zone: Zone): unknown {
  if (typeof mark !== 'object' || mark === null || !('at' in mark) || !('by' in mark)) return mark;
  if (typeof mark.at !== 'string' || Number.isNaN(Date.parse(mark.at))) return mark;
  const time = exactText(mark.at, zone);
  if (mark.by === 'import') return t`archived by the import, ${time}`;
  const reason = Object.entries(ARCHIVE_REASONS).find(([known]) => known === mark.by)?.[1];
  return reason === undefined ? mark : t`archived (${reason}), ${time}`;
}
