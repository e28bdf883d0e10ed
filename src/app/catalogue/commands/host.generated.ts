import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `host …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description:
      'Answer "why has this host this value?": for every value the source or rule that gave it and what it took the place of, for every rule whether it hit and why.',
    words: 'host explain',
    summary: 'say for every value where it came from, and why each rule hit or not',
    arguments: {
      hostname: {
        shown: '<hostname>',
        description: 'name of the host',
      },
    },
    options: {
      attributes: {
        flags: '--attribute <name>',
        description: 'only this attribute or variable (may be repeated)',
        parse: 'list',
      },
      project: {
        flags: '--project <name>',
        description: 'explain the inventory of this project instead of automation',
        synonym: '--provider <name>',
      },
      target: {
        flags: '--target <account>',
        description: 'explain what an export to this account makes of the host, by the rules of its target too',
      },
    },
    json: 'answer the whole explanation as JSON',
    examples: [
      'muster host explain web01.example.org',
      'muster host explain web01.example.org --attribute site',
      'muster host explain web01.example.org --project backup --json',
      'muster host explain web01.example.org --target inventory-system',
    ],
    async operation() {
      return (await import('./../../rules/explain/operations/explain-host.ts')).explainHost;
    },
  },
  {
    description: 'Find hosts by what they are known by elsewhere: serial number, UUID, MAC address …',
    words: 'host find',
    arguments: {
      key: {
        shown: '<key>',
        description: 'name and value of the key: serial=J4711',
      },
    },
    options: {
      state: {
        flags: '--state <state>',
        description: 'active, archived or any',
        default: 'any',
      },
    },
    columns: ['host', 'account', 'type', 'archived', 'keys'],
    json: 'answer the hosts as JSON',
    examples: ['muster host find serial=J4711', 'muster host find mac=00:1a:2b:3c:4d:5e --state active'],
    async operation() {
      return (await import('./../../hosts/operations/find-by-key.ts')).findByKey;
    },
  },
  {
    description: 'Show labels, inventory, times and keys of one host.',
    words: 'host show',
    arguments: {
      hostname: {
        shown: '<hostname>',
        description: 'name of the host',
      },
    },
    json: 'answer the host record as JSON',
    examples: ['muster host show web01.example.org', 'muster host show web01.example.org --json'],
    async operation() {
      return (await import('./../../hosts/operations/get-host.ts')).getHost;
    },
  },
  {
    description: 'Show what changed at a host, when, and by whom; newest first.',
    words: 'host history',
    arguments: {
      hostname: {
        shown: '<hostname>',
        description: 'name of the host',
      },
    },
    options: {
      limit: {
        flags: '--limit <n>',
        description: 'at most this many changes',
        parse: {
          from: 1,
          to: 1000,
        },
        default: 20,
      },
    },
    columns: ['time', 'kind', 'by', 'changes'],
    json: 'answer the changes as JSON',
    examples: ['muster host history web01.example.org --limit 5'],
    async operation() {
      return (await import('./../../hosts/operations/host-history.ts')).hostHistory;
    },
  },
  {
    description: 'Show how many hosts there were at the end of each day.',
    words: 'host days',
    options: {
      days: {
        flags: '--days <n>',
        description: 'how many days back',
        parse: {
          from: 1,
          to: 400,
        },
      },
      account: {
        flags: '--account <name>',
        description: 'only hosts of this account',
      },
    },
    columns: ['day', 'hosts', 'objects', 'archived'],
    json: 'answer the days as JSON, with the numbers of each account',
    examples: ['muster host days', 'muster host days --days 7 --account datacentre'],
    async operation() {
      return (await import('./../../hosts/operations/list-days.ts')).listDays;
    },
  },
  {
    description: 'Show since when rules set each value of a host, and what made it so.',
    words: 'host values-since',
    summary: 'since when rules set the values of a host',
    arguments: {
      hostname: {
        shown: '<hostname>',
        description: 'name of the host',
      },
    },
    options: {
      project: {
        flags: '--project <name>',
        description: 'values in the inventory of this project instead of automation',
      },
    },
    columns: ['name', 'rule', 'since', 'by'],
    json: 'answer the values as JSON',
    examples: ['muster host values-since web01.example.org'],
    async operation() {
      return (await import('./../../inventory/operations/values-since.ts')).valuesSince;
    },
  },
  {
    description:
      'Show which labels hosts lack, values that differ in case or spaces alone, hosts that may be the same one, and what nobody saw lately; each with the query that finds these hosts.',
    words: 'host quality',
    summary: 'show what is incomplete or doubtful in the data of hosts',
    options: {
      unseen_days: {
        flags: '--unseen-days <n>',
        description: 'days without a sight after which a host counts as unseen',
        parse: {
          from: 1,
          to: 3650,
        },
      },
      limit: {
        flags: '--limit <n>',
        description: 'at most this many rows of each kind',
        parse: {
          from: 1,
          to: 1000,
        },
      },
    },
    columns: ['finding', 'of', 'hosts', 'query'],
    json: 'answer the whole report as JSON',
    examples: ['muster host quality', 'muster host quality --unseen-days 30 --json'],
    async operation() {
      return (await import('./../../search/operations/report-quality.ts')).reportQuality;
    },
  },
];
