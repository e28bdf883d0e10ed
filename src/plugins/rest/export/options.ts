import * as z from 'zod';
import { httpAccountMembers } from '../../../kit/http-account/members.ts';
import { madeOnce } from '../../../kit/options/made-once.ts';
import { titled } from '../../../kit/options/titled.ts';
import { whole } from '../../../kit/options/values.ts';
import { onlySet, presetOptions, requestMembers, withoutDefaults } from '../options.ts';
import { EXAMPLE } from './example.ts';

const path = madeOnce(() => z.string().min(1).optional());

const members = madeOnce(() =>
  titled(
    {
      ...httpAccountMembers(),
      ...presetOptions(),
      objects: z
        .string()
        .default('')
        .describe(
          'The kinds of objects, as YAML or JSON: how they are read, the desired state by host, and the requests that write them',
        )
        .meta({ lines: true, example: EXAMPLE }),
      protocol: requestMembers().protocol,
      join_requests: whole(1, 16)
        .default(4)
        .describe('How many requests for single objects are under way at once')
        .meta({ rare: true }),
      check_path: path()
        .describe('The path that "muster account test" asks; absent: the first page of the first kind')
        .meta({ rare: true }),
      version_key: path()
        .describe('Dotted path to the version of the system in the answer at check_path')
        .meta({ rare: true }),
    },
    {
      Which: { objects: 'Kinds of objects' },
      Where: {
        protocol: 'Protocol',
        join_requests: 'Requests at once',
        check_path: 'Path of the connection test',
        version_key: 'Path to the version',
      },
    },
  ),
);

const completeOptions = madeOnce(() => z.strictObject(members()));
export type TargetOptions = z.output<ReturnType<typeof completeOptions>>;

/** Options as accounts set them: a preset may provide the others, so there are no defaults at this point. */
export const targetAccountOptions = madeOnce(() => withoutDefaults(members()));
export type TargetAccountOptions = z.output<ReturnType<typeof targetAccountOptions>>;

/** Options of an account before those of its preset, and the defaults behind both. */
export function completeTarget(
  preset: Readonly<Record<string, unknown>>,
  account: TargetAccountOptions,
): TargetOptions {
  return completeOptions().parse({ ...preset, ...onlySet(account) });
}
