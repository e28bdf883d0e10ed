import { arch, availableParallelism, freemem, platform, release, totalmem } from 'node:os';
import * as z from 'zod';
import packageJson from '../../../../package.json' with { type: 'json' };
import { maskedAddressesIn } from '../../../kit/masking/masked-address.ts';
import { TRANSFER_PARTS } from '../../../ports/index.ts';
import { type ConfigKey, configSchema } from '../../kernel/config/schema.ts';
import { defineOperation } from '../services.ts';
import { shownConfigValue } from '../shown-config.ts';
import { findingsOf } from './run-doctor.ts';

const NEWEST_LOGS = 300;
const MOST_DETAILS = 20;

export const supportBundle = defineOperation({
  name: 'system/support-bundle',
  title: 'Support bundle',
  description:
    'Information for support: versions, changed configuration without secrets, findings of doctor, plugins, sizes, how components last ended, errors of the log, and how long calls of the store took. It names accounts, rules and hosts.',
  effect: 'read',
  roles: ['admin'],
  weight: 'light',
  auditReads: true,
  at: {
    rest: { path: 'GET /support-bundle' },
    command: {
      words: 'support-bundle',
      description:
        'Print what support needs to help you, as JSON: versions, changed configuration, findings of doctor, plugins, sizes, errors of the log. It has no secrets, and names accounts, rules and hosts: read it before you send it.',
      summary: 'print what support needs to help you',
      json: 'answer it as JSON on one line',
      examples: ['muster support-bundle > support.json'],
      view: (bundle, print) => print.result(`${JSON.stringify(bundle, null, 2)}\n`),
    },
    page: true,
  },
  input: z.object({}),
  output: z.object({
    made_at: z.string(),
    product: z.string(),
    machine: z.record(z.string(), z.union([z.string(), z.number()])),
    config: z
      .record(z.string(), z.object({ value: z.unknown(), origin: z.string() }))
      .describe('Values that differ from the default'),
    doctor: z.array(
      z.object({ check: z.string(), ok: z.boolean(), message: z.string(), warning: z.boolean().optional() }),
    ),
    plugins: z.array(
      z.object({ id: z.string(), version: z.string(), origin: z.string(), state: z.string(), message: z.string() }),
    ),
    storage: z.object({ ok: z.boolean(), message: z.string(), records: z.record(z.string(), z.number().int()) }),
    components: z
      .array(z.object({ source: z.string(), at: z.string(), has_error: z.boolean(), message: z.string() }))
      .describe('The newest entry of each'),
    errors: z.array(
      z.object({ source: z.string(), at: z.string(), message: z.string(), details: z.array(z.string()) }),
    ),
    store_calls: z
      .array(z.object({ call: z.string(), count: z.number().int(), seconds: z.number(), failed: z.number().int() }))
      .describe('Calls of this process'),
  }),
  async run(_, context) {
    const { services } = context;
    const { storage, config, configOrigins, timings, plugins, clock } = services;
    const findings = (await findingsOf(context)).map(({ wording: _parts, ...finding }) => finding);
    const records: Record<string, number> = {};
    for (const part of TRANSFER_PARTS) records[part] = await storage.transfer.count(part);
    const health = await storage.health();
    const keys = (Object.keys(configSchema.shape) as ConfigKey[]).filter((key) => configOrigins[key] !== 'default');
    const newest = await storage.logs.latest({ limit: NEWEST_LOGS });
    return cleaned({
      made_at: clock.now().toISOString(),
      product: `Muster ${packageJson.version}`,
      machine: {
        node: process.version,
        system: `${platform()} ${release()} ${arch()}`,
        processors: availableParallelism(),
        memory_bytes: totalmem(),
        free_bytes: freemem(),
        resident_bytes: process.memoryUsage.rss(),
        uptime_seconds: Math.round(process.uptime()),
      },
      config: Object.fromEntries(
        keys.map((key) => [key, { value: shownConfigValue(key, config[key]), origin: configOrigins[key] }]),
      ),
      doctor: findings,
      plugins: plugins
        .statuses()
        .map(({ id, version, origin, state, message }) => ({ id, version, origin, state, message })),
      storage: { ...health, records },
      components: (await storage.logs.newestBySource()).map(({ source, at, hasError, message }) => {
        return { source, at: at.toISOString(), has_error: hasError, message };
      }),
      errors: newest
        .filter(({ hasError }) => hasError)
        .map(({ source, at, message, details }) => ({
          source,
          at: at.toISOString(),
          message,
          details: details
            .filter(({ level }) => level === 'error' || level === 'warning')
            .slice(0, MOST_DETAILS)
            .map((detail) => detail.message),
        })),
      store_calls: timings.store.list().map(({ part, name, classes, seconds, failed }) => {
        return { call: `${part}.${name}`, count: classes.reduce((sum, count) => sum + count, 0), seconds, failed };
      }),
    });
  },
});

/** Once more over everything: texts of others may hold addresses with a password or a token. */
function cleaned<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_key, member: unknown) =>
    typeof member === 'string' ? maskedAddressesIn(member) : member,
  ) as T;
}
