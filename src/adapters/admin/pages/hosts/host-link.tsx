import { TextLink } from '../parts/links.tsx';
import type { HostTab } from './host-tabs.ts';

interface HostLinkProps {
  readonly hostname: string;
  readonly tab?: HostTab;
}

/** A hostname that leads to its page. */
export function HostLink({ hostname, tab }: HostLinkProps) {
  return (
    <TextLink inherit className="wrap-anywhere" to="/hosts/$hostname" params={{ hostname }} search={{ tab }}>
      {hostname}
    </TextLink>
  );
}
