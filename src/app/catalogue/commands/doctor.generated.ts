import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `doctor …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description:
      'Check storage, instance key, plugins, rules, clock, disk and kept backups, and say what to do. Exit code 1 when something is wrong.',
    words: 'doctor',
    storage: {
      failure: 'start_failure',
    },
    columns: ['check', 'finding'],
    json: 'answer the findings as JSON',
    examples: ['muster doctor', 'muster doctor --fix', 'muster doctor --fix --yes'],
    async operation() {
      return (await import('./../../maintenance/operations/run-doctor.ts')).runDoctor;
    },
  },
];
