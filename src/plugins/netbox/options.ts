import * as z from 'zod';
import { httpAccountOptions } from '../shared/http-account/options.ts';
import { sourceMembers } from './source/options.ts';
import { targetMembers } from './target/options.ts';

/** The options of an account, whichever way it is used. */
export const netboxOptions = z.strictObject({ ...httpAccountOptions, ...sourceMembers, ...targetMembers });

export type NetBoxOptions = z.output<typeof netboxOptions>;
