import type { ArchiveReason } from '../../ports/index.ts';

/** Why a host is in the archive, as the rest of a sentence. */
export const ARCHIVE_REASONS: Readonly<Record<ArchiveReason, string>> = {
  api: 'deleted over the API',
  import: 'no longer in its source',
  stale: 'not seen for too long',
  operator: 'by an operator',
};

/** What it takes for the host to come back. */
export const WAYS_BACK: Readonly<Record<ArchiveReason, string>> = {
  api: 'It comes back when its account writes it again, or when someone restores it.',
  import: 'It comes back when its source has it again, or when someone restores it.',
  stale: 'It comes back when its account sees it again, or when someone restores it.',
  operator: 'No import and no API write brings it back. Someone has to restore it.',
};

/** What the record is: `host`, `object of type network`. */
export function kindText({
  is_object: isObject,
  object_type: type,
}: {
  is_object: boolean;
  object_type: string;
}): string {
  return isObject && type !== 'object' ? `object of type ${type}` : type;
}
