import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `log-level …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description:
      'Say or set what a running service logs, until it is started again. It is for a service elsewhere (--url); on this machine, "kill -USR2 <process id>" switches between debug and LOG_LEVEL.',
    words: 'log-level',
    summary: 'say or set what a running service logs',
    arguments: {
      level: {
        shown: '[level]',
        description: 'debug, info, warn, error, silent',
      },
    },
    json: 'answer the level as JSON',
    examples: [
      'muster log-level debug --url https://muster.example.org',
      'muster log-level --url https://muster.example.org',
    ],
    async operation() {
      return (await import('./../../maintenance/operations/set-log-level.ts')).setLogLevel;
    },
  },
];
