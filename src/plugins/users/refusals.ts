import { isDeepStrictEqual } from 'node:util';
import { isSameDocument, memberFlag, memberText, ownMember } from '../../kit/document/members.ts';
import { detailOf, phrase, worded } from '../../kit/worded.ts';
import type { ErrorDetail } from '../../ports/errors.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import type { RuleWriter } from '../../ports/rule-type.ts';
import { holds, LIMITS, rightsGains, roleGains, texts } from '../shared/rule-types/rights-gains.ts';

/**
 * Nobody grants what they do not hold, neither to others nor to themselves; and who holds more than the writer is not
 * changed by the writer at all, because a new password is as good as a new role.
 */
export function userRefusals(
  document: RuleDocument,
  existing: RuleDocument | undefined,
  writer: RuleWriter,
): readonly ErrorDetail[] {
  const gains = [
    ...rightsGains(document, existing, writer),
    ...loginGains(document, existing, writer),
    ...roleGains('roles', document, existing, writer),
  ];
  if (gains.length > 0 || existing === undefined || !holdsMore(existing, writer)) return gains;
  return isSameDocument(document, existing)
    ? []
    : [
        detailOf(
          'name',
          worded`user ${{ name: memberText(existing, 'name') }} has more rights than you and can only be changed by a user with at least the same rights`,
        ),
      ];
}

/** Who says who a user is elsewhere says who may log in as that user. */
function loginGains(document: RuleDocument, existing: RuleDocument | undefined, writer: RuleWriter): ErrorDetail[] {
  const [before, after] = [
    existing === undefined ? undefined : ownMember(existing, 'sign_in'),
    ownMember(document, 'sign_in'),
  ];
  return writer.globalAdmin || isDeepStrictEqual(before, after)
    ? []
    : [{ path: 'sign_in', message: phrase`only an administrator can say who a user is in another system` }];
}

function holdsMore(existing: RuleDocument, writer: RuleWriter): boolean {
  if (writer.globalAdmin && writer.accounts === null && writer.templates === null) return false;
  if (memberFlag(existing, 'global_admin') && !writer.globalAdmin) return true;
  if (!writer.globalAdmin) {
    if (texts(existing, 'api_roles').some((role) => !holds(writer, 'api_roles', role))) return true;
    if (texts(existing, 'roles').length > 0) return true;
  }
  return LIMITS.some(({ member, held }) => {
    const own = writer[held];
    if (own === null) return false;
    const reached = texts(existing, member);
    return reached.length === 0 || reached.some((name) => !own.includes(name));
  });
}
