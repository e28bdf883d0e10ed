import * as z from 'zod';
import { wordingFor } from '../../../kit/worded.ts';
import { plainSecondsOf } from '../../../kit/words/moment.ts';
import { defineOperation } from '../services.ts';
import { visibleSources } from '../visible-logs.ts';

export const listLogSources = defineOperation({
  name: 'syncer/list-log-sources',
  title: 'Components in the log',
  description: 'Every component that has written to the log, by name, with its latest entry.',
  effect: 'read',
  roles: ['syncer'],
  weight: 'light',
  at: { page: true },
  input: z.object({}),
  output: z.object({
    sources: z.array(
      z.object({
        source: z.string(),
        time: z.string().describe('YYYY-MM-DD HH:MM:SS, UTC'),
        message: z.string(),
        has_error: z.boolean(),
      }),
    ),
  }),
  async run(_input, { services, caller }) {
    const [newest, visible] = await Promise.all([
      services.storage.logs.newestBySource(),
      visibleSources(services, caller),
    ]);
    const names = visible === null ? null : new Set(visible);
    return {
      sources: newest
        .filter(({ source }) => names === null || names.has(source))
        .map(({ source, at, message, wording, hasError }) => ({
          source,
          time: plainSecondsOf(at),
          message,
          ...wordingFor(caller, wording),
          has_error: hasError,
        })),
    };
  },
});
