import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `sign-in …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description: 'List the accounts that let people log in who are known elsewhere.',
    words: 'sign-in list',
    summary: 'list the ways to log in besides passwords of this service',
    columns: ['name', 'type', 'label', 'state'],
    json: 'answer a JSON array of methods',
    examples: ['muster sign-in list'],
    async operation() {
      return (await import('./../../logins/operations/list-methods.ts')).listSignInMethods;
    },
  },
  {
    description: 'Connect to a system that people log in with, and say what is wrong.',
    words: 'sign-in test',
    arguments: {
      method: {
        shown: '<account>',
        description: 'name of the account that people log in with',
      },
    },
    options: {
      groups: {
        flags: '--group <group>',
        description: 'say what a member of this group could do (may be repeated)',
        parse: 'list',
      },
    },
    json: 'answer what was found as JSON',
    examples: ['muster sign-in test directory', 'muster sign-in test directory --group cn=admins,dc=example,dc=org'],
    async operation() {
      return (await import('./../../logins/operations/test-method.ts')).testSignInMethod;
    },
  },
];
