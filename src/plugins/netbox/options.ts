import * as z from 'zod';
import { madeOnce } from '../../app/kernel/options/made-once.ts';
import { httpAccountMembers } from '../shared/http-account/members.ts';
import { sourceMembers } from './source/options.ts';
import { targetMembers } from './target/options.ts';

/** The options of an account, whichever way it is used. */
export const netboxOptions = madeOnce(() =>
  z.strictObject({ ...httpAccountMembers(), ...sourceMembers(), ...targetMembers() }),
);

export type NetBoxOptions = z.output<ReturnType<typeof netboxOptions>>;
