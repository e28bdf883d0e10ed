import { t } from '@lingui/core/macro';
import type { Origin } from '../../../../../app/rules/engine/explanation.ts';

/** Describes the origin of a value in plain words. Rules are links. */
export function originText(origin: Exclude<Origin, { kind: 'rule' }>, owner: string | null): string {
  switch (origin.kind) {
    case 'core':
      return t`the name of the host`;
    case 'imports':
      return t`what is known of its imports`;
    case 'account':
      return t`the account that owns the host`;
    case 'label': {
      const account = origin.account ?? owner;
      return account === null ? t`label` : t`label from account ${account}`;
    }
    case 'inventory': {
      const { section } = origin;
      return t`inventory section ${section}`;
    }
    case 'row': {
      const { line, name } = origin;
      return t`line ${line} of the list of rule "${name}"`;
    }
    case 'template': {
      const { template } = origin;
      return t`host template "${template}"`;
    }
  }
}
