import * as z from 'zod';
import { type ConfigKey, configSchema, maskUrlPassword, SECRET_KEYS } from '../../kernel/config/schema.ts';
import { columnNames } from '../../kernel/listing.ts';
import { MASK } from '../../kernel/masking/mask.ts';
import { defineOperation } from '../services.ts';
import { configView, KEY_COLUMNS } from '../views/config.ts';

export const showConfig = defineOperation({
  name: 'system/show-config',
  title: 'Configuration',
  description: 'Effective values of all configuration keys and where each came from; secrets are masked.',
  effect: 'read',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'config show',
      description:
        'Show every configuration key: its value, where that came from (default, file, variable or option), and what it is for.',
      summary: 'show every key, its value and where that came from',
      storage: 'unused',
      columns: columnNames(KEY_COLUMNS),
      json: 'answer a JSON array of keys',
      answered: ({ config }) => config,
      examples: ['muster config show', 'SERVICE_HTTP_PORT=9000 muster config show --json'],
      view: configView,
    },
    page: true,
  },
  input: z.object({}),
  output: z.object({
    config: z.array(z.object({ key: z.string(), value: z.unknown(), origin: z.string(), description: z.string() })),
  }),
  async run(_input, { services }) {
    const keys = Object.keys(configSchema.shape) as ConfigKey[];
    return {
      config: keys.map((key) => ({
        key,
        value: shownValue(key, services.config[key]),
        origin: services.configOrigins[key],
        description: configSchema.shape[key].description ?? '',
      })),
    };
  },
});

function shownValue(key: ConfigKey, value: unknown): unknown {
  if (SECRET_KEYS.has(key)) return value === '' ? '' : MASK;
  // Which settings of a plugin are secret only the plugin knows.
  if (key === 'PLUGIN_OPTIONS') return withoutTexts(value);
  return key === 'DATABASE_URL' ? maskUrlPassword(String(value)) : value;
}

function withoutTexts(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? '' : MASK;
  if (Array.isArray(value)) return value.map(withoutTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutTexts(member)]));
}
