import * as z from 'zod';
import { httpAccountMembers } from '../../kit/http-account/members.ts';
import { madeOnce } from '../../kit/options/made-once.ts';
import { titled } from '../../kit/options/titled.ts';
import { flag, whole } from '../../kit/options/values.ts';
import { keyOption } from '../../kit/records/options.ts';

export const musterOptions = madeOnce(() =>
  z.strictObject(
    titled(
      {
        ...httpAccountMembers(),
        inventory: flag().default(true).describe('Take the inventory sections of hosts over, too'),
        relations: flag()
          .default(false)
          .describe(
            'Take the relations of hosts over, too: a request for each host, and the other installation has CMDB_MODE on',
          ),
        key_fields: keyOption(),
        page_size: whole(2, 10_000).default(1_000).describe('Hosts that one request asks for'),
      },
      {
        'What becomes of it': { inventory: 'Take over inventory sections', relations: 'Take over relations' },
        Which: { key_fields: 'Keys that identify a host' },
        Where: { page_size: 'Hosts a page' },
      },
    ),
  ),
);

export type MusterOptions = z.infer<ReturnType<typeof musterOptions>>;
