import * as z from 'zod';
import { AppError, LOGGER_LEVELS } from '../../../ports/index.ts';
import { defineOperation } from '../services.ts';

export const setLogLevel = defineOperation({
  name: 'system/set-log-level',
  title: 'Log level',
  description:
    'Sets the log level of the answering process until it is restarted; LOG_LEVEL does not change. Without a level, shows the present one.',
  effect: 'write',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'log-level',
      description:
        'Say or set what a running service logs, until it is started again. It is for a service elsewhere (--url); on this machine, "kill -USR2 <process id>" switches between debug and LOG_LEVEL.',
      summary: 'say or set what a running service logs',
      arguments: { level: { shown: '[level]', description: LOGGER_LEVELS.join(', ') } },
      json: 'answer the level as JSON',
      examples: [
        'muster log-level debug --url https://muster.example.org',
        'muster log-level --url https://muster.example.org',
      ],
      view: ({ level, configured }, print) => print.note(`The level is ${level}; LOG_LEVEL is ${configured}.`),
    },
    page: true,
  },
  input: z.object({ level: z.enum(LOGGER_LEVELS).optional().describe('Absent: only say it') }),
  output: z.object({ level: z.enum(LOGGER_LEVELS), configured: z.enum(LOGGER_LEVELS).describe('LOG_LEVEL') }),
  subject: ({ level }) => level ?? '',
  async run({ level }, { services, caller }) {
    const { logLevel, config, logger } = services;
    if (caller.entrance === 'cli') {
      throw new AppError(
        'conflict',
        'a command on this machine is a process of its own and does not reach the service: use --url, or "kill -USR2 <process id>" for debug and back',
      );
    }
    if (level !== undefined && level !== logLevel.level) {
      logger.warn('the log level changes', { from: logLevel.level, to: level, by: caller.name });
      logLevel.set(level);
    }
    return { level: logLevel.level, configured: config.LOG_LEVEL };
  },
});
