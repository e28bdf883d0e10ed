import * as z from 'zod';
import { fileOptions } from '../../kit/file-source/options.ts';
import { madeOnce } from '../../kit/options/made-once.ts';
import { titled } from '../../kit/options/titled.ts';
import { objectOptions, recordOptions } from '../../kit/records/options.ts';
import { ignoredMembersOption } from '../../kit/records/whole-list.ts';
import { phrase } from '../../kit/worded.ts';

export const jsonOptions = madeOnce(() =>
  z.strictObject(
    titled(
      {
        path: fileOptions().path,
        hostname_field: z
          .string()
          .min(1)
          .default('host')
          .describe(
            'The member with the hostname; dots reach into objects; of several, comma-separated, the first that has one',
          ),
        encoding: fileOptions().encoding,
        data_key: z
          .string()
          .min(1)
          .optional()
          .describe(
            'Path to the list of records: data.hosts, or a[].b through lists; absent: the document itself, or the only list in it',
          ),
        records: z
          .enum(['list', 'by_name', 'lines', 'document'], { error: phrase`must be list, by_name, lines or document` })
          .default('list')
          .describe(
            'Structure of the records: list; by_name: an object of records, each under its hostname; lines: one JSON document per line; document: the file is one record',
          ),
        ...recordOptions(),
        ...objectOptions(),
        ignored_members: ignoredMembersOption(),
      },
      {
        Where: { path: 'File', encoding: 'Encoding' },
        Which: {
          hostname_field: 'Member with the hostname',
          data_key: 'Path to the records',
          records: 'Structure of the records',
          ignored_members: 'Members that say nothing',
        },
      },
    ),
  ),
);

export type JsonOptions = z.infer<ReturnType<typeof jsonOptions>>;
