import { plural, t } from '@lingui/core/macro';
import { may, useSession } from '../calls/session.ts';
import { numberText } from '../language/numbers.ts';
import { TextLink } from '../parts/links.tsx';

interface OwnedHostsProps {
  readonly account: string;
  readonly hosts: number;
  readonly isObject: boolean;
}

/** Shows how many hosts or objects an account owns, with a link if the user may see hosts. */
export function OwnedHosts({ account, hosts, isObject }: OwnedHostsProps) {
  const session = useSession();
  const number = numberText(hosts);
  if (hosts === 0 || !may(session, 'search/search-hosts')) return number;
  return (
    <TextLink
      to="/hosts"
      search={{ account, ...(isObject && { kind: 'objects' }) }}
      aria-label={
        isObject
          ? t`${plural(hosts, { one: '# object', other: '# objects' })} of ${account}`
          : t`${plural(hosts, { one: '# host', other: '# hosts' })} of ${account}`
      }
      inherit
    >
      {number}
    </TextLink>
  );
}
