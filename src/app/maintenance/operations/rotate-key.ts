import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { counted } from '../../words/amounts.ts';
import { printable } from '../../words/escape.ts';
import { sealClearSecrets, sealClearVersions } from '../clear-secrets.ts';
import { resealSecrets } from '../secret-rotation.ts';

export const rotateKey = defineOperation({
  name: 'storage/rotate-key',
  title: 'Rotate instance key',
  description:
    'Replaces the instance key and seals every stored secret anew. Running services take the new key over. The same call finishes a rotation that was cut off.',
  effect: 'write',
  roles: ['admin'],
  weight: 'heavy',
  at: {
    command: {
      words: 'storage rotate-key',
      description:
        'Replace the instance key and seal all stored secrets anew. Services on this machine go on and use the new key; copy the key file to other nodes. A rotation that was cut off is finished by the same command.',
      storage: 'existing',
      progress: () => 'Sealing secrets anew',
      json: 'answer the outcome as JSON',
      examples: ['muster storage rotate-key'],
      view: ({ resealed }, print) =>
        print.result(`The instance key is new; ${counted(resealed, 'secret')} sealed anew\n`),
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
    resealed: z.number().int().describe('Secrets that were sealed anew, in documents and their past versions'),
    unreadable: z.array(z.string()).describe('Documents with secrets that opened under neither key; enter them again'),
  }),
  async run(_input, { services, caller, signal, progress }) {
    // What an older version left in clear, also in the history of removed documents, is sealed with the rest.
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
