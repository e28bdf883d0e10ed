import * as z from 'zod';
import { madeOnce } from '../options/made-once.ts';
import { titled } from '../options/titled.ts';
import { flag, textList, whole } from '../options/values.ts';
import { phrase } from '../worded.ts';
import { processorList } from './chosen-processors.ts';
import { runOptions } from './run-options.ts';

/**
 * Existing installations have a filter over the fields of their hosts here. That of the type is one; what any other left alone would be
 * archived here, so they are refused.
 */
const archivedType = madeOnce(() =>
  z
    .string()
    .trim()
    .regex(/^object_type\s*:\s*[\w-]+$/),
);

/** The options that every account with a source has, in addition to those of the source itself. */
export const importOptions = madeOnce(() =>
  z.strictObject(
    titled(
      {
        rewrite_hostname: z
          .string()
          .default('')
          .describe('Template for the hostname, with HOSTNAME and the fields of the record: {{ HOSTNAME|lower }}'),
        lowercase_hostname: flag().default(false).describe('Store hostnames in lower case (after rewriting)'),
        check_for_valid_hostname: flag()
          .default(false)
          .describe('Skip records whose hostname is not a valid name by RFC 1123'),
        require_fqdn: flag().default(false).describe('Skip records whose hostname has no domain'),
        processors: processorList()
          .default([])
          .describe(
            'Processors of plugins that records go through before anything else: names, or a JSON list with their options',
          )
          .meta({ rare: true }),
        delete_host_if_not_found_on_import: z
          .union([flag(), archivedType()], 'must be true or false, or object_type:<type> for those of one type')
          .default(false)
          .describe(
            'Archive hosts of this account that the source no longer has; object_type:host: those of this type alone, as existing accounts have it',
          ),
        delete_threshold_percent: whole(0, 100)
          .default(20)
          .describe(
            'A run that would archive more than this percentage of the hosts of the account archives none and fails',
          ),
        allow_empty: flag().default(false).describe('Accept a source without a single record'),
        mode: z
          .enum(['own', 'contribute'], { error: phrase`must be own or contribute` })
          .default('own')
          .describe('own: the account owns the hosts; contribute: it adds labels to hosts of other accounts'),
        precedence: whole(-1_000_000, 1_000_000)
          .default(-1)
          .describe(
            'mode contribute: where accounts give the same label, the higher number wins; the owner of the host has 0',
          )
          .meta({ when: { mode: ['contribute'] } }),
        owned_labels: textList()
          .default([])
          .describe(
            'The labels this account gives: names or prefixes ending in *, with ! to exclude; none: all labels',
          ),
        null_values: textList()
          .default([])
          .describe(
            'Texts that mean that there is no value, exactly as the source writes them: such labels are left out (NULL,\\N)',
          ),
        list_labels: textList()
          .default([])
          .describe(
            'Labels that hold the values of all records of a host, which become one then, as where each row is an interface or a package: package,version; the first record gives the other labels',
          ),
        fills: z
          .enum(['host', 'section'], { error: phrase`must be host or section` })
          .default('host')
          .describe(
            'host: records become hosts; section: they only fill an inventory section of hosts that exist, whichever account owns them, and a complete run empties it on hosts that it no longer names',
          ),
        section: z
          .string()
          .default('')
          .describe('fills section: the inventory section; absent: inventorize_key, else the type of the account')
          .meta({ when: { fills: ['section'] } }),
        inventorize_key: z
          .string()
          .default('')
          .describe('Inventorizing: the inventory section that the records fill')
          .meta({ rare: true }),
        inventorize_match_by_domain: flag()
          .default(false)
          .describe('Inventorizing: a record fills every host whose name ends with its name')
          .meta({ rare: true }),
        inventorize_match_attribute: z
          .string()
          .default('')
          .describe(
            'Inventorizing: label=member fills only hosts whose label equals the member of the record; one word names both',
          )
          .meta({ rare: true }),
        inventorize_collect_by_key: z
          .string()
          .default('')
          .describe(
            'Inventorizing: a member that names a host; it gets the names of such records in the section <inventorize_key>_collection',
          )
          .meta({ rare: true }),
        inventorize_rewrite_collect_by_key: z
          .string()
          .default('')
          .describe('Inventorizing: template for the host that inventorize_collect_by_key names')
          .meta({ rare: true }),
        ...runOptions(),
      },
      {
        'What becomes of it': {
          rewrite_hostname: 'Rewrite hostnames',
          lowercase_hostname: 'Hostnames in lower case',
          processors: 'Processors',
          mode: 'Own hosts or contribute',
          precedence: 'Precedence',
          owned_labels: 'Labels of this account',
          null_values: 'Texts that mean no value',
          list_labels: 'Labels with lists',
          fills: 'Use of records',
          section: 'Inventory section',
          inventorize_key: 'Inventorizing: section',
          inventorize_match_by_domain: 'Inventorizing: match by domain',
          inventorize_match_attribute: 'Inventorizing: match by label',
          inventorize_collect_by_key: 'Inventorizing: collect for',
          inventorize_rewrite_collect_by_key: 'Inventorizing: rewrite the collecting host',
        },
        Which: { check_for_valid_hostname: 'Only valid hostnames', require_fqdn: 'Only hostnames with a domain' },
        'When it goes': {
          delete_host_if_not_found_on_import: 'Archive hosts that the source no longer has',
          delete_threshold_percent: 'Most hosts to archive at once, in percent',
          allow_empty: 'Accept an empty source',
        },
      },
    ),
  ),
);

export type ImportOptions = z.infer<ReturnType<typeof importOptions>>;

/** The type of the hosts that a run may archive; `undefined` for all of them. */
export function archivedTypeOf(options: Pick<ImportOptions, 'delete_host_if_not_found_on_import'>): string | undefined {
  const archives = options.delete_host_if_not_found_on_import;
  return typeof archives === 'string' ? archives.split(':')[1]?.trim() : undefined;
}
