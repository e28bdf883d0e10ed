import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `cron …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description:
      'Show how each cron group stands: whether it runs, its last start and next run in UTC, its schedule in hours of TIMEZONE, what its webhook asks for, and what its last run said.',
    words: 'cron status',
    summary: 'show how the cron groups stand',
    columns: ['group', 'state', 'last_start', 'next_run', 'schedule', 'webhook', 'message'],
    json: 'answer a JSON array of groups',
    examples: ['muster cron status', "muster cron status --json | jq '.[] | select(.has_error)'"],
    async operation() {
      return (await import('./../../runs/cron/operations/list-groups.ts')).listCronGroups;
    },
  },
  {
    description: 'Create a new webhook token for a cron group and show it once. The previous one is no longer valid.',
    words: 'cron token',
    arguments: {
      group_name: {
        shown: '<group>',
        description: 'name of the cron group',
      },
    },
    json: 'answer the token as JSON',
    examples: [
      'muster cron token nightly',
      'curl -X POST -H "X-Webhook-Token: $TOKEN" https://muster.example.org/api/v1/syncer/cron/trigger/nightly',
    ],
    async operation() {
      return (await import('./../../runs/cron/operations/make-token.ts')).makeCronToken;
    },
  },
  {
    description: 'Make a cron group run on the next pass, whatever its schedule says.',
    words: 'cron trigger',
    arguments: {
      group_name: {
        shown: '<group>',
        description: 'name of the cron group',
      },
    },
    json: 'answer the outcome as JSON',
    examples: ['muster cron trigger nightly'],
    async operation() {
      return (await import('./../../runs/cron/operations/trigger-group.ts')).triggerCronGroup;
    },
  },
];
