import * as z from 'zod';
import { defineOperation } from '../services.ts';

const MOST_CHARACTERS = 5_000_000;
const ENDS = ['csv', 'json', 'yaml'] as const;

export const uploadFile = defineOperation({
  name: 'accounts/upload-file',
  title: 'Upload a file for an account',
  description:
    'Keeps a text as a new file in the first folder of FILE_SOURCE_DIRS on this node, for an account to be made. No file is ever replaced.',
  effect: 'write',
  roles: ['admin'],
  weight: 'light',
  at: { page: true },
  input: z.object({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,80}$/i, 'use letters, digits, - and _')
      .describe('What the name of the file begins with'),
    end: z.enum(ENDS).describe('What it ends with'),
    text: z.string().min(1, 'the file is empty').max(MOST_CHARACTERS, 'is longer than 5 million characters'),
  }),
  output: z.object({ path: z.string().describe('As an account names it') }),
  subject: ({ name, end }) => `${name}.${end}`,
  async run({ name, end, text }, { services }) {
    return { path: await services.files.keep(`${name}-${services.newId().slice(-6)}.${end}`, text) };
  },
});
