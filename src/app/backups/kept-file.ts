import * as z from 'zod';

/** The name of a kept backup, as it comes in; whether there is one is seen when it is opened. */
export const keptFileSchema = z.string().min(1).max(200).describe('Name of the backup');
