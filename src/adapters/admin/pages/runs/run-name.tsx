import { AccountLink } from '../parts/account-link.tsx';
import { TextLink } from '../parts/links.tsx';
import type { PastRun } from './run-words.ts';

/** Shows the name of a run, as a link to it. */
export function RunName({ run: { kind, name, id } }: { readonly run: PastRun }) {
  const props = { inherit: true, className: 'wrap-anywhere' } as const;
  switch (kind) {
    case 'cron':
      return (
        <TextLink {...props} to="/cron/$group" params={{ group: name }}>
          {name}
        </TextLink>
      );
    case 'playbook':
      return (
        <TextLink {...props} to="/playbooks/runs/$run" params={{ run: id }}>
          {name}
        </TextLink>
      );
    default:
      return <AccountLink name={name} className="wrap-anywhere" />;
  }
}
