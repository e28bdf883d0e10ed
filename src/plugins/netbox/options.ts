import * as z from 'zod';
import { httpAccountMembers } from '../../kit/http-account/members.ts';
import { madeOnce } from '../../kit/options/made-once.ts';
import { targetMembers } from './export/options.ts';
import { sourceMembers } from './source/options.ts';

/** The options of an account, whichever way it is used. */
export const netboxOptions = madeOnce(() =>
  z.strictObject({ ...httpAccountMembers(), ...sourceMembers(), ...targetMembers() }),
);

export type NetBoxOptions = z.output<ReturnType<typeof netboxOptions>>;
