import * as z from 'zod';
import type { Column } from '../../kernel/print.ts';

export const methodSchema = z.object({
  name: z.string().describe('The name of the account'),
  type: z.string(),
  label: z.string().describe('Text on the login page; empty if it is not offered'),
  enabled: z.boolean(),
  waits: z.boolean().describe('Whether the account waits for an administrator'),
  offered: z.boolean().describe('Whether the login page offers it; else "sign-in test" says why not'),
});

type Method = z.output<typeof methodSchema>;

export const METHOD_COLUMNS: readonly Column<Method>[] = [
  { header: 'name', value: ({ name }) => name, paint: (text, _method, colours) => colours.bold(text) },
  { header: 'type', value: ({ type }) => type },
  { header: 'label', value: ({ label }) => label },
  {
    header: 'state',
    value: ({ enabled, waits, offered }) =>
      offered ? 'offered' : !enabled ? 'off' : waits ? 'waits for an administrator' : 'cannot be used',
  },
];
