import * as z from 'zod';
import { AppError } from '../../../ports/index.ts';
import { defineOperation } from '../../operation.ts';
import { logAnswer, logEntrySchema } from './log-answer.ts';

export const getServiceLog = defineOperation({
  name: 'syncer/get-service-log',
  title: 'Latest log entry of a component',
  description: 'The most recent log entry of one component.',
  effect: 'read',
  roles: ['syncer'],
  weight: 'light',
  input: z.object({ service_name: z.string().describe('The source ident written to the log') }),
  output: z.object({ result: logEntrySchema }),
  async run({ service_name }, { services }) {
    const [entry] = await services.storage.logs.latest({ limit: 1, source: service_name });
    if (entry === undefined) throw new AppError('not_found', `component ${service_name} has never written to the log`);
    return { result: logAnswer(entry) };
  },
});
