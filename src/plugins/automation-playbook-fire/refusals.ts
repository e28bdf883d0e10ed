import { isSameDocument, memberObjects, ownMember } from '../../kit/document/members.ts';
import { readExtraVariables } from '../../kit/extra-variables/extra-variables.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import { detailOf, phrase, worded } from '../../kit/worded.ts';
import type { ErrorDetail } from '../../ports/errors.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import type { RuleWriter } from '../../ports/rule-type.ts';
import { macroRefusals } from '../shared/rule-types/macro-scope.ts';

/**
 * Playbooks run on this machine for hosts of all accounts. So who is restricted to accounts writes none of these rules, and
 * the variables by which Ansible runs programs here are for administrators. What a stored document says already may stay.
 */
export function playbookRefusals(
  document: RuleDocument,
  existing: RuleDocument | undefined,
  writer: RuleWriter,
): readonly ErrorDetail[] {
  if (isSameDocument(document, existing)) return [];
  if (writer.accounts !== null) {
    return [{ path: 'outcomes', message: phrase`users restricted to accounts cannot write rules that run playbooks` }];
  }
  return [...(writer.globalAdmin ? [] : steeringVariables(document)), ...macroRefusals(document, existing, writer)];
}

function steeringVariables(document: RuleDocument): readonly ErrorDetail[] {
  return memberObjects(document, 'outcomes').flatMap((outcome, index) => {
    const written = ownMember(outcome, 'extra_vars');
    const read = typeof written === 'string' ? readExtraVariables(written) : { values: written };
    const values = 'values' in read && isJsonObject(read.values) ? read.values : {};
    return Object.keys(values)
      .filter((name) => name.startsWith('ansible_'))
      .map((name) =>
        detailOf(
          `outcomes.${index}.extra_vars`,
          worded`only an administrator may set ${{ name }}, by which Ansible runs programs on this machine`,
        ),
      );
  });
}
