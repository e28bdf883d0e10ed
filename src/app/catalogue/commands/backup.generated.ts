import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `backup …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description:
      'Write everything that is stored into one compressed file with a checksum, also while the service runs. Keep the instance key apart: it is not in the backup.',
    words: 'backup',
    arguments: {
      file: {
        shown: '<file>',
        description: 'path of the backup; an older backup of that name is replaced',
        parse: 'path',
      },
    },
    options: {
      recipients: {
        flags: '--recipient <age1…>',
        description: 'encrypt it for this recipient of age; may be repeated',
        parse: 'list',
      },
    },
    json: 'answer counts and checksum as JSON',
    examples: ['muster backup /var/backups/muster.gz', 'muster backup --recipient "$(cat backup.pub)" muster.gz.age'],
    async operation() {
      return (await import('./../../maintenance/operations/back-up.ts')).backUp;
    },
  },
];
