import { memberObjects, memberText } from '../../kit/document/members.ts';
import { worded } from '../../kit/worded.ts';
import { AppError } from '../../ports/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { changeDocument } from '../rules/transfer/store-document.ts';
import type { UserServices } from './services.ts';
import type { User } from './user.ts';

/** Takes the token with this prefix from its user. `writer` changes the document of the user. */
export async function takeBackToken(
  services: UserServices,
  writer: Caller,
  user: User,
  prefix: string,
): Promise<{ readonly status: 'revoked'; readonly prefix: string }> {
  await changeDocument(
    services,
    writer,
    'users',
    user.record,
    (document) => {
      const tokens = memberObjects(document, 'api_tokens');
      const kept = tokens.filter((token) => memberText(token, 'prefix') !== prefix);
      if (kept.length === tokens.length) {
        throw new AppError(
          'not_found',
          worded`user ${{ name: user.name }} has no token ${{ prefix }}; see "muster user token list ${{ name: user.name }}"`,
        );
      }
      return { ...document, api_tokens: kept };
    },
    { keepsConfirmation: true },
  );
  return { status: 'revoked', prefix };
}
