import { Anchor } from '@mantine/core';
import { TextLink } from '../../parts/links.tsx';
import { Value } from '../../parts/value.tsx';

const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7})(?:\/\d{1,3})?$/i;

/** A value; addresses of pages lead there, and addresses of machines to the hosts that have them. */
export function LinkedValue({ value }: { readonly value: unknown }) {
  if (typeof value !== 'string') return <Value value={value} />;
  if (isPage(value)) {
    return (
      <Anchor href={value} target="_blank" rel="noreferrer" size="sm" className="wrap-anywhere">
        {value}
      </Anchor>
    );
  }
  if (ADDRESS.test(value)) {
    return (
      <TextLink to="/hosts" search={{ where: value }} size="sm" ff="monospace" className="wrap-anywhere">
        {value}
      </TextLink>
    );
  }
  return <Value value={value} />;
}

/** Whether a text is an address of the web; a click must not do anything else. */
function isPage(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}
