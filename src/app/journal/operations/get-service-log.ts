import * as z from 'zod';
import { AppError } from '../../../ports/index.ts';
import { logAnswer, logEntrySchema } from '../log-answer.ts';
import { momentsFor } from '../moments.ts';
import { newestOf, sourcesBehind } from '../old-idents.ts';
import { defineOperation } from '../services.ts';
import { accountLogSources, newestFirst, visibleSources } from '../visible-logs.ts';

export const getServiceLog = defineOperation({
  name: 'syncer/get-service-log',
  title: 'Latest log entry of a component',
  description: 'The most recent log entry of one component.',
  effect: 'read',
  roles: ['syncer'],
  weight: 'light',
  at: { rest: { path: 'GET /syncer/services/:service_name', errors: ['not_found'] } },
  input: z.object({
    service_name: z
      .string()
      .describe('The source ident written to the log, or one of an existing installation such as csv_import'),
  }),
  output: z.object({ result: logEntrySchema }),
  async run({ service_name }, { services, caller }) {
    const visible = await visibleSources(services, caller);
    const latest = (source: string) =>
      visible === null || visible.includes(source) ? services.storage.logs.latest({ limit: 1, source }) : [];
    const [own] = await latest(service_name);
    // An account's name stands for its imports and exports, which log under idents of their own.
    const runs = own === undefined ? (await Promise.all(accountLogSources(service_name).map(latest))).flat() : [];
    const sources = await sourcesBehind(services, caller, service_name);
    const behind = sources.length === 0 ? undefined : newestOf(await services.storage.logs.newestBySource(), sources);
    const old = behind === undefined ? [] : await latest(behind.source);
    const entry = [...old, ...(own === undefined ? runs : [own])].sort(newestFirst)[0];
    if (entry === undefined) throw new AppError('not_found', `component ${service_name} has never written to the log`);
    return { result: logAnswer(entry, caller, momentsFor(services.config, caller)) };
  },
});
