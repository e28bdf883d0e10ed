import * as z from 'zod';
import { missingJob } from '../../../kernel/jobs/job-of.ts';
import { defineOperation } from '../../services.ts';
import { groupOverview, groupOverviewSchema } from '../group-overview.ts';
import { groupSettings, groupSettingsSchema } from '../group-settings.ts';
import { requireGroup } from '../request-run.ts';

export const showCronGroup = defineOperation({
  name: 'cron/show-group',
  title: 'Cron group',
  description: 'Status of one cron group, what it does and when, and what calls of its webhook need.',
  effect: 'read',
  roles: ['syncer'],
  weight: 'light',
  at: { page: true },
  input: z.object({ group_name: z.string().min(1) }),
  output: z.object({
    status: groupOverviewSchema,
    settings: groupSettingsSchema,
    has_token: z.boolean(),
    policy: z.object({ window_seconds: z.number(), allow_ips: z.array(z.string()) }).nullable(),
    unknown_jobs: z.array(z.string()).describe('Commands that nothing here does, and that will fail'),
    time_zone: z.string().describe('Time zone of the hours'),
    pass_seconds: z.number().describe('Between two cron passes'),
  }),
  async run({ group_name }, { services, caller }) {
    const group = await requireGroup(services, caller, group_name);
    const states = await services.cron.states();
    const { webhookPolicy: policy } = group;
    const timeZone = services.config.TIMEZONE;
    return {
      status: groupOverview(group, states.get(group.id), { now: services.clock.now(), timeZone }),
      settings: groupSettings(group),
      has_token: group.webhookTokenHash !== '',
      policy: policy === null ? null : { window_seconds: policy.windowSeconds, allow_ips: [...policy.allowIps] },
      unknown_jobs: group.jobs
        .map(({ command }) => command)
        .filter((command) => missingJob(services.plugins, command) !== undefined),
      time_zone: timeZone,
      pass_seconds: services.config.CRON_PASS_SECONDS,
    };
  },
});
