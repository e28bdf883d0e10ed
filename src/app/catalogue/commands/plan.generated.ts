import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `plan …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description: 'Approve a plan that waits for it. The user who made a plan cannot approve it.',
    words: 'plan approve',
    summary: 'approve a plan that another user made',
    arguments: {
      plan: {
        shown: '<plan>',
        description: 'id of the plan',
      },
    },
    json: 'answer the plan as JSON',
    examples: ['muster plan approve 65a1b2c3d4e5f60718293a4b'],
    async operation() {
      return (await import('./../../runs/plans/operations/approve-plan.ts')).approvePlan;
    },
  },
  {
    description:
      'End a plan that is ready, refused or interrupted without applying it, or the rest of it. It stays to be read.',
    words: 'plan discard',
    summary: 'end a plan without applying it',
    arguments: {
      plan: {
        shown: '<plan>',
        description: 'id of the plan',
      },
    },
    json: 'answer the plan as JSON',
    examples: ['muster plan discard 65a1b2c3d4e5f60718293a4b'],
    async operation() {
      return (await import('./../../runs/plans/operations/discard-plan.ts')).discardPlan;
    },
  },
  {
    description: 'List plans, newest first.',
    words: 'plan list',
    summary: 'list plans',
    options: {
      account: {
        flags: '--account <name>',
        description: 'only plans of this account',
      },
      limit: {
        flags: '--limit <n>',
        description: 'how many',
        parse: {
          from: 1,
          to: 1000,
        },
      },
      before: {
        flags: '--before <plan>',
        description: 'only plans that are older than this one',
      },
    },
    columns: ['plan', 'made', 'account', 'by', 'status', 'changes', 'message'],
    json: 'answer a JSON array of plans',
    examples: ['muster plan list', 'muster plan list --account inventory-system --limit 5'],
    async operation() {
      return (await import('./../../runs/plans/operations/list-plans.ts')).listPlans;
    },
  },
  {
    description:
      'Compare what the target of an account has with what the hosts want there, and store what an export would change. Nothing is changed there; "muster apply" does what the plan says.',
    words: 'plan',
    arguments: {
      account: {
        shown: '<account>',
        description: 'name of the account',
      },
    },
    options: {
      part: {
        flags: '--part <part>',
        description: 'plan one part of the target, where it has several',
      },
    },
    json: 'answer the plan as JSON',
    examples: [
      'muster plan inventory-system',
      'muster plan inventory-system --part devices',
      'muster plan inventory-system --json',
    ],
    async operation() {
      return (await import('./../../runs/plans/operations/make-plan.ts')).makeStoredPlan;
    },
  },
  {
    description: 'Show a plan with its changes, field by field.',
    words: 'plan show',
    summary: 'show a plan and what it changes',
    arguments: {
      plan: {
        shown: '<plan>',
        description: 'id of the plan',
      },
    },
    options: {
      action: {
        flags: '--action <action>',
        description: 'only these: create, update, move, delete, adopt, conflict',
      },
      kind: {
        flags: '--kind <kind>',
        description: 'only objects of this kind',
      },
      outcome: {
        flags: '--outcome <outcome>',
        description: 'only these: open, done, refused, changed, gone, exists, not_tried, unknown, blocked',
      },
      text: {
        flags: '--text <text>',
        description: 'only objects and hosts whose name has this text',
      },
      after: {
        flags: '--after <number>',
        description: 'only changes behind this one',
        parse: {
          from: 0,
        },
      },
      limit: {
        flags: '--limit <n>',
        description: 'how many changes',
        parse: {
          from: 1,
          to: 1000,
        },
      },
    },
    json: 'answer the plan and its changes as JSON',
    examples: [
      'muster plan show 65a1b2c3d4e5f60718293a4b',
      'muster plan show 65a1b2c3d4e5f60718293a4b --action delete --json',
    ],
    async operation() {
      return (await import('./../../runs/plans/operations/show-plan.ts')).showPlan;
    },
  },
];
