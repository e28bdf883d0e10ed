import * as z from 'zod';
import { counted } from '../../../kit/words/amounts.ts';
import { printable } from '../../../kit/words/escape.ts';
import { sealClearSecrets, sealClearVersions } from '../clear-secrets.ts';
import { resealSecrets } from '../secret-rotation.ts';
import { defineOperation } from '../services.ts';

export const rotateKey = defineOperation({
  name: 'storage/rotate-key',
  title: 'Rotate instance key',
  description:
    'Replaces the instance key and re-encrypts every stored secret. Running services switch to the new key. The same call finishes an interrupted rotation.',
  effect: 'write',
  roles: ['admin'],
  weight: 'heavy',
  at: {
    command: {
      words: 'storage rotate-key',
      description:
        'Replace the instance key and re-encrypt all stored secrets. Services on this machine keep running and use the new key; copy the key file to other nodes. Run the same command again to finish an interrupted rotation.',
      progress: () => 'Re-encrypting secrets',
      json: 'answer the outcome as JSON',
      examples: ['muster storage rotate-key'],
      view: ({ resealed }, print) =>
        print.result(`The instance key is new; ${counted(resealed, 'secret')} re-encrypted\n`),
      outcome({ unreadable }, print) {
        for (const subject of unreadable) {
          print.note(
            print.noteColours.yellow(`not readable under the old key either, enter it again: ${printable(subject)}`),
          );
        }
        print.note('Backups from before need the old key. Other nodes need a copy of the new key file.');
      },
    },
  },
  input: z.object({}),
  output: z.object({
    resealed: z.number().int().describe('Re-encrypted secrets, in documents and their earlier versions'),
    unreadable: z.array(z.string()).describe('Documents with secrets that neither key can decrypt; enter them again'),
  }),
  async run(_input, { services, caller, signal, progress }) {
    // Under a key of another store nothing would open, and the right key would be lost by the rotation.
    await services.secrets.seal('', 'check');
    // Secrets that an older version left in clear, also in the history of removed documents, are sealed with the rest.
    await sealClearVersions(services);
    await sealClearSecrets(services);
    const actor = { kind: 'user', name: caller.name } as const;
    const report = await services.keyRotation.rotate(async (renew) => {
      await services.audit.settled();
      await services.audit.chain.reseal(renew);
      return resealSecrets(services, renew, { actor, signal, progress });
    });
    return { resealed: report.resealed, unreadable: [...new Set(report.unreadable)] };
  },
});
