import * as z from 'zod';
import { LOGGER_LEVELS } from '../../../ports/index.ts';
import { type ConfigKey, configSchema } from '../../kernel/config/schema.ts';
import { columnNames } from '../../kernel/listing.ts';
import { defineOperation } from '../services.ts';
import { shownConfigValue } from '../shown-config.ts';
import { configView, KEY_COLUMNS } from '../views/config.ts';

export const showConfig = defineOperation({
  name: 'system/show-config',
  title: 'Configuration',
  description: 'Effective values of all configuration keys and their origins; secrets are masked.',
  effect: 'read',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'config show',
      description:
        'Show every configuration key: its value, the origin of the value (default, file, variable or option), and its purpose.',
      summary: 'show every key, its value and its origin',
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
    log_level: z
      .enum(LOGGER_LEVELS)
      .describe('Log level of the answering process; a set level holds until it is restarted'),
    config: z.array(z.object({ key: z.string(), value: z.unknown(), origin: z.string(), description: z.string() })),
  }),
  async run(_input, { services }) {
    const keys = Object.keys(configSchema.shape) as ConfigKey[];
    return {
      log_level: services.logLevel.level,
      config: keys.map((key) => ({
        key,
        value: shownConfigValue(key, services.config[key]),
        origin: services.configOrigins[key],
        description: configSchema.shape[key].description ?? '',
      })),
    };
  },
});
