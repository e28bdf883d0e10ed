import type { OfferedOutput } from '../../offered-operations.ts';

/** One host as an operator sees it. */
export type Host = OfferedOutput<'hosts/show-host'>;
export type FoundHost = OfferedOutput<'hosts/find-hosts'>['hosts'][number];
export type Labels = Host['labels'];

type Archived = NonNullable<Host['archived']>;

/** Why it is in the archive, as the rest of a sentence. */
export const ARCHIVE_REASONS: Readonly<Record<Archived['by'], string>> = {
  api: 'deleted over the API',
  import: 'no longer in its source',
  stale: 'not seen for too long',
  operator: 'by an operator',
};

/** What it takes for the host to come back, in words. */
export const WAYS_BACK: Readonly<Record<Archived['by'], string>> = {
  api: 'It comes back when its account writes it again, or when someone restores it.',
  import: 'It comes back when its source has it again, or when someone restores it.',
  stale: 'It comes back when its account sees it again, or when someone restores it.',
  operator: 'No import and no API write brings it back. Someone has to restore it.',
};

/** What host lists, pages of hosts and inventories show is asked for again after a host changed. */
export const HOST_CHANGES = ['hosts', 'inventory', 'relations'] as const;

/** What it is, in words. */
export function kindOf({ is_object: isObject, object_type: type }: Pick<Host, 'is_object' | 'object_type'>): string {
  return isObject && type !== 'object' ? `object of type ${type}` : type;
}
