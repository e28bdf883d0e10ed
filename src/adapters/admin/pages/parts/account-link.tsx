import { Text, type TextProps } from '@mantine/core';
import { may, useSession } from '../calls/session.ts';
import { TextLink } from './links.tsx';

interface AccountLinkProps extends Pick<TextProps, 'c' | 'className' | 'td'> {
  readonly name: string;
}

/** Links to the page of an account if the user may open it; else shows the name alone. */
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
