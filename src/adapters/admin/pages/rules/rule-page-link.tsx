import { may, useSession } from '../calls/session.ts';
import { TextLink } from '../parts/links.tsx';

interface RulePageLinkProps {
  readonly rule: { readonly type: string; readonly id: string };
  readonly children: string;
}

/** A text that leads to the page of a rule, for those who may read rules. */
export function RulePageLink({ rule: { type, id }, children }: RulePageLinkProps) {
  if (!may(useSession(), 'rules/show-rule')) return children;
  return (
    <TextLink inherit className="wrap-anywhere" to="/rules/$type/$id" params={{ type, id }}>
      {children}
    </TextLink>
  );
}
