import type * as z from 'zod';
import { httpAccountMembers } from './members.ts';

/**
 * The options of every account of a system over HTTP, to be spread into those of its type:
 * `z.strictObject({...httpAccountOptions, … })`. User name and password belong to the account itself. The names match those of
 * existing installations, if they have one.
 */
export const httpAccountOptions = httpAccountMembers();

export type HttpAccountOptions = z.output<z.ZodObject<typeof httpAccountOptions>>;
