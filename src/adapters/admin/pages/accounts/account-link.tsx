import { Text, type TextProps } from '@mantine/core';
import { may, useSession } from '../calls/session.ts';
import { TextLink } from '../parts/links.tsx';

interface AccountLinkProps extends Pick<TextProps, 'c' | 'className' | 'td'> {
  readonly name: string;
}

/** Leads to the page of an account, for who may open it; the name alone for others. */
export function AccountLink({ name, ...looks }: AccountLinkProps) {
  if (!may(useSession(), 'accounts/show-accounts')) {
    return (
      <Text span inherit {...looks} td="none">
        {name}
      </Text>
    );
  }
  return (
    <TextLink inherit {...looks} to="/accounts/$name" params={{ name }}>
      {name}
    </TextLink>
  );
}
