import type { RuleMembers } from '../../ports/rule-member.ts';

export const members: RuleMembers = {
  interval: {
    kind: 'choice',
    choices: ['10min', 'hour', 'daily'],
    description: 'How often the group runs; `custom_interval_in_minutes` wins over it.',
  },
  custom_interval_in_minutes: {
    kind: 'integer',
    minimum: 0,
    description: 'Minutes between two starts; 0 or empty for `interval`.',
  },
  timerange_from: {
    kind: 'integer',
    minimum: 0,
    maximum: 24,
    description: 'First hour of the window in which the group runs.',
  },
  timerange_to: {
    kind: 'integer',
    minimum: 0,
    maximum: 24,
    description: 'Hour at which the window ends; before `timerange_from` it crosses midnight.',
  },
  weekdays: {
    kind: 'list',
    description: 'Days on which the group starts by itself; empty for every day.',
    items: {
      kind: 'choice',
      choices: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
      description: 'A day of the week.',
    },
  },
  paused_until: {
    kind: 'date',
    description: 'Until then the group does not start; what webhooks and others request runs afterwards.',
  },
  jobs: {
    kind: 'list',
    description: 'The jobs, in order.',
    items: {
      kind: 'object',
      description: 'One job.',
      members: {
        name: { kind: 'text', description: 'Purpose of the job.' },
        command: { kind: 'text', required: true, description: 'A registered job, such as `Import` or `Maintenance`.' },
        account: { kind: 'reference', description: 'The account that the job works with.' },
      },
    },
  },
  run_once_next: { kind: 'flag', description: 'True runs the group on the next pass, whatever its schedule says.' },
  continue_on_error: { kind: 'flag', description: 'True continues with the next job when one fails.' },
  webhook_enabled: { kind: 'flag', description: 'True lets a webhook start the group.' },
  webhook_token_hash: { kind: 'text', secret: true, description: 'Hash of the token that the webhook carries.' },
  webhook_policy: {
    kind: 'object',
    description: 'Asks the webhook for a signature instead of a token.',
    members: {
      secret: { kind: 'text', secret: true, description: 'The signing secret in clear text; it is stored encrypted.' },
      secret_crypted: { kind: 'text', secret: true, description: 'The encrypted signing secret.' },
      window_seconds: {
        kind: 'integer',
        minimum: 1,
        description: 'How far the time of a signature may be off; 300 when empty.',
      },
      allow_ips: {
        kind: 'list',
        description: 'Networks that may call; empty for all.',
        items: { kind: 'text', required: true, description: 'An address, or a network as `10.0.0.0/8`.' },
      },
    },
  },
};
