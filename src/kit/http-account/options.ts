import type * as z from 'zod';
import { httpAccountMembers } from './members.ts';

/**
 * The options that every account of a system over HTTP has, to be spread into those of its type: `z.strictObject({...httpAccountOptions,
 * … })`. User name and password are the account's own. Names are those of existing installations, where they have one.
 */
export const httpAccountOptions = httpAccountMembers();

export type HttpAccountOptions = z.output<z.ZodObject<typeof httpAccountOptions>>;
