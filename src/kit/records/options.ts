import * as z from 'zod';
import { madeOnce } from '../options/made-once.ts';
import { titled } from '../options/titled.ts';
import { textList } from '../options/values.ts';
import { phrase } from '../worded.ts';
import { FilterTextFault, readFilter } from './filter-text.ts';
import { readPairField } from './pairs.ts';
import { readKeyField } from './record-keys.ts';

/** Spellings of missing values in databases and their exports. */
export const WRITTEN_NULLS = { null_values: 'NULL,\\N' };

const fieldList = madeOnce(() =>
  textList().refine((fields) => fields.every((field) => !field.startsWith('$') && !field.includes('.')), {
    message: phrase`must be names without dots that do not begin with $`,
  }),
);

const keyFields = madeOnce(() =>
  textList().refine((fields) => fields.every((field) => readKeyField(field) !== undefined), {
    message: phrase`must be names or paths of members, with the name of the key if it differs: serial, mac:interfaces[].mac`,
  }),
);

/** `key_fields`, for every source. */
export const keyOption = madeOnce(() =>
  keyFields()
    .default([])
    .describe(
      'Members that identify a record even if its name changes, comma-separated: serial, uuid:bios_uuid, mac:interfaces[].mac_address, id (of this source alone)',
    ),
);

/** Options of every source whose records are objects. */
export const recordOptions = madeOnce(() =>
  titled(
    {
      inventory_fields: fieldList()
        .default([])
        .describe('Members with nested data that become inventory sections instead of labels, comma-separated'),
    },
    { 'What becomes of it': { inventory_fields: 'Members that become inventory sections' } },
  ),
);

/** `record_filter`, for every source. */
export const filterOption = madeOnce(() =>
  z
    .string()
    .superRefine((text, context) => {
      try {
        readFilter(text);
      } catch (error) {
        if (!(error instanceof FilterTextFault)) throw error;
        context.addIssue({ code: 'custom', message: error.message });
      }
    })
    .optional()
    .describe(
      'Only records that meet these conditions are hosts of the account: status=active, kind!=Pod, name~^web; separate several by commas or "and"',
    ),
);

const pairFields = madeOnce(() =>
  textList().refine((fields) => fields.every((field) => readPairField(field) !== undefined), {
    message: phrase`must be names or paths of members, with the names of their keys and values if these are unusual: Tags, labels:k:v`,
  }),
);

/** Options of sources whose records are made by `RecordMaker`. */
export const objectOptions = madeOnce(() =>
  titled(
    {
      record_filter: filterOption(),
      key_fields: keyOption(),
      pair_fields: pairFields()
        .default([])
        .describe(
          'Members with lists of keys and values that become objects: of Tags, the label Tags.Name; comma-separated; Tags:k:v names the two, ports:name the key alone',
        ),
    },
    {
      Which: { record_filter: 'Only records with', key_fields: 'Keys that identify a host' },
      'What becomes of it': { pair_fields: 'Lists of keys and values' },
    },
  ),
);
