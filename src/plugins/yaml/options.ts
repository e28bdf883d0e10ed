import * as z from 'zod';
import { fileOptions } from '../../kit/file-source/options.ts';
import { httpAccountMembers } from '../../kit/http-account/members.ts';
import { madeOnce } from '../../kit/options/made-once.ts';
import { titled } from '../../kit/options/titled.ts';
import { objectOptions, recordOptions } from '../../kit/records/options.ts';
import { ignoredMembersOption } from '../../kit/records/whole-list.ts';
import { phrase } from '../../kit/worded.ts';

/** `hosts_key` and `variables_key` have the names of existing installations as aliases. */
export const yamlOptions = madeOnce(() =>
  z.strictObject(
    titled(
      {
        path: z
          .string()
          .min(1)
          .optional()
          .describe(
            'The file to import; a folder, or a name with * or ?: all such files; absent: the document at the address of the account, over HTTP',
          ),
        hostname_field: z
          .string()
          .min(1)
          .default('host')
          .describe(
            'In a list of records: the member with the hostname; dots reach into objects; of several, comma-separated, the first that has one',
          ),
        encoding: fileOptions().encoding,
        data_key: z
          .string()
          .min(1)
          .optional()
          .describe(
            'Path to the records: all.children, or a[].b through lists; absent: the document itself, or the only list in it',
          ),
        records: z
          .enum(['auto', 'document'], { error: phrase`must be auto or document` })
          .default('auto')
          .describe('auto: a list of records, or an object of records by name; document: the file is one record'),
        hosts_key: z
          .string()
          .default('')
          .describe('For a file of groups: the member of a group that names its hosts')
          .meta({ aliases: ['name_of_hosts_key'] }),
        variables_key: z
          .string()
          .default('')
          .describe('For a file of groups: the member of a group with the labels of its hosts')
          .meta({ aliases: ['name_of_variables_key'] }),
        ...recordOptions(),
        ...objectOptions(),
        ignored_members: ignoredMembersOption(),
        ...httpAccountMembers(),
      },
      {
        Where: { path: 'File', encoding: 'Encoding' },
        Which: {
          hostname_field: 'Member with the hostname',
          data_key: 'Path to the records',
          records: 'Structure of the records',
          hosts_key: 'Member with the hosts',
          variables_key: 'Member with the variables',
          ignored_members: 'Members that say nothing',
        },
      },
    ),
  ),
);

export type YamlOptions = z.infer<ReturnType<typeof yamlOptions>>;

/** The part that is read over HTTP. Files are not a part; they are everything else that the account has. */
export const HTTP_PART = { id: 'http', title: 'the document at the address' } as const;
