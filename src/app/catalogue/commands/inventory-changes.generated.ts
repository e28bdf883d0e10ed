import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `inventory-changes …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description: 'Show what an inventory has today that it had not at an earlier time: hosts, groups, variables.',
    words: 'inventory-changes',
    summary: 'compare an inventory with an earlier time',
    arguments: {
      provider: {
        shown: '[provider]',
        description: 'name of the provider; automation when absent',
      },
    },
    options: {
      since: {
        flags: '--since <time>',
        description: 'today, yesterday, an age such as 24h or 7d, a date or time in UTC',
        default: 'yesterday',
      },
      text: {
        flags: '--text <text>',
        description: 'only hosts with this part in their name',
      },
      limit: {
        flags: '--limit <n>',
        description: 'hosts to show',
        parse: {
          from: 1,
          to: 10000,
        },
        default: 100,
      },
    },
    json: 'answer the differences as JSON',
    examples: ['muster inventory-changes automation --since yesterday', 'muster inventory-changes --since 7d --json'],
    async operation() {
      return (await import('./../../inventory/operations/compare-times.ts')).compareTimes;
    },
  },
];
