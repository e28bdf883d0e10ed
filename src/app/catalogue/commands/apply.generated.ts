import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `apply …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description:
      'Apply a plan exactly as it is. A change whose object has changed since the plan was made is refused by name, and the others go on.',
    words: 'apply',
    arguments: {
      plan: {
        shown: '<plan>',
        description: 'id of the plan, which "muster plan" and "muster plan list" say',
      },
    },
    json: 'answer the plan as JSON',
    examples: ['muster apply 65a1b2c3d4e5f60718293a4b', 'muster apply 65a1b2c3d4e5f60718293a4b --json'],
    async operation() {
      return (await import('./../../runs/plans/operations/apply-plan.ts')).applyStoredPlan;
    },
  },
];
