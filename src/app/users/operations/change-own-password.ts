import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import { AppError } from '../../../ports/index.ts';
import { changeDocument } from '../../rules/transfer/store-document.ts';
import { confirmOwnPassword } from '../confirm-password.ts';
import { ownWriter } from '../own-document.ts';
import { applyPasswordPolicy } from '../password-policy.ts';
import { requireUser } from '../require-user.ts';
import { defineOperation } from '../services.ts';

export const changeOwnPassword = defineOperation({
  name: 'users/change-own-password',
  title: 'Change own password',
  description:
    'Changes the password of the caller, who must give the current one. Every user except read-only users may, whatever the roles.',
  effect: 'write',
  roles: 'decided-by-operation',
  weight: 'light',
  at: { page: true },
  input: z.object({
    present_password: z.string().describe('The password that the caller has now'),
    new_password: z.string().describe('Kept as an Argon2id hash only'),
  }),
  output: z.object({ status: z.literal('saved'), name: z.string() }),
  async run({ present_password, new_password }, { services, caller }) {
    if (caller.refusal !== undefined) throw caller.refusal;
    if (caller.readOnly) {
      throw new AppError(
        'read_only',
        worded`User ${{ name: caller.name }} may only read; let an administrator give it a new password with "muster user passwd ${{ name: caller.name }}"`,
      );
    }
    if (caller.token?.limited === true) {
      throw new AppError(
        'forbidden',
        worded`this token carries a part of the rights of its user and changes no password`,
      );
    }
    const user = await requireUser(services, caller.name);
    await confirmOwnPassword(services, caller, user, present_password);
    applyPasswordPolicy(new_password, user.name, {
      minLength: services.config.PASSWORD_MIN_LENGTH,
      caller,
      logger: services.logger,
      member: 'new_password',
    });
    const pwdhash = await services.passwords.hash(new_password);
    const date_password = { $date: services.clock.now().getTime() };
    await changeDocument(
      services,
      ownWriter(caller),
      'users',
      user.record,
      (document) => ({
        ...document,
        pwdhash,
        date_password,
      }),
      { keepsConfirmation: true },
    );
    await services.sessions.endOfUser(user.id);
    return { status: 'saved' as const, name: user.name };
  },
});
