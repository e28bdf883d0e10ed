import * as z from 'zod';
import { printable } from '../../../kit/words/escape.ts';
import { defineOperation } from '../../accounts/services.ts';
import { columnNames } from '../../kernel/listing.ts';
import type { Column } from '../../kernel/print.ts';
import { presetTypes } from '../preset-types.ts';

const presetSchema = z.object({
  name: z.string(),
  type: z.string().describe('The type of accounts that can name it'),
  title: z.string(),
  description: z.string(),
  shipped: z.boolean().describe('Comes with the program'),
  parameters: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      default: z.string().optional().describe('Absent: an account must say it'),
    }),
  ),
});

const COLUMNS: readonly Column<z.output<typeof presetSchema>>[] = [
  { header: 'name', value: ({ name }) => name },
  { header: 'type', value: ({ type }) => type },
  { header: 'title', value: ({ title }) => title, shrink: true },
  { header: 'parameters', value: ({ parameters }) => parameters.map(({ name }) => name).join(', '), shrink: true },
];

export const listPresets = defineOperation({
  name: 'accounts/list-presets',
  title: 'Presets',
  description: 'Options and mapping for known systems, which accounts take by the option preset.',
  effect: 'read',
  roles: ['admin'],
  weight: 'light',
  at: {
    rest: { path: 'GET /presets' },
    tool: { name: 'list_presets' },
    command: {
      words: 'preset list',
      storage: 'optional',
      description: 'List the presets of known systems, with their parameters.',
      columns: columnNames(COLUMNS),
      json: 'answer the presets as JSON',
      examples: ['muster preset list'],
      view({ presets }, print) {
        if (print.asksForTable) return print.table(presets, COLUMNS, 'There are no presets.');
        for (const { name, type, description, parameters } of presets) {
          print.result(`${printable(name)} (${printable(type)})\n  ${printable(description)}\n`);
          for (const { name: parameter, description: what, default: value } of parameters) {
            const shown = value === undefined ? 'required' : value === '' ? 'empty' : value;
            print.result(`  ${printable(parameter)}: ${printable(what)} (${printable(shown)})\n`);
          }
        }
      },
    },
  },
  input: z.object({}),
  output: z.object({ presets: z.array(presetSchema) }),
  async run(_input, { services }) {
    const found: z.output<typeof presetSchema>[] = [];
    for (const [type, presets] of presetTypes(services)) {
      for (const preset of await presets.list()) {
        const parameters = Object.entries(preset.parameters).map(([name, { description, default: value }]) => ({
          name,
          description,
          ...(value === undefined ? {} : { default: value }),
        }));
        found.push({ ...preset, type, parameters });
      }
    }
    return { presets: found };
  },
});
