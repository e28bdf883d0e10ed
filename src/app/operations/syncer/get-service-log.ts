import * as z from 'zod';
import { AppError } from '../../../ports/index.ts';
import { defineOperation } from '../../execution/operation.ts';
import { importLogSource } from '../../import-run/log-entry.ts';
import { logAnswer, logEntrySchema } from './log-answer.ts';
import { visibleSources } from './visible-logs.ts';

export const getServiceLog = defineOperation({
  name: 'syncer/get-service-log',
  title: 'Latest log entry of a component',
  description: 'The most recent log entry of one component.',
  effect: 'read',
  roles: ['syncer'],
  weight: 'light',
  input: z.object({ service_name: z.string().describe('The source ident written to the log') }),
  output: z.object({ result: logEntrySchema }),
  async run({ service_name }, { services, caller }) {
    const visible = await visibleSources(services, caller);
    // An account's name stands for its imports, which log under an ident of their own.
    const [entry] = (
      await Promise.all(
        [service_name, importLogSource(service_name)]
          .filter((source) => visible === null || visible.includes(source))
          .map((source) => services.storage.logs.latest({ limit: 1, source })),
      )
    ).flat();
    if (entry === undefined) throw new AppError('not_found', `component ${service_name} has never written to the log`);
    return { result: logAnswer(entry) };
  },
});
