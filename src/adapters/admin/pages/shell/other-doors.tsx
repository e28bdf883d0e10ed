import { Trans } from '@lingui/react/macro';
import { Button, Divider, Stack } from '@mantine/core';
import type { SignInAnswer } from '../../sign-in-routes.ts';
import { below } from '../calls/below.ts';

interface OtherDoorsProps {
  readonly methods: SignInAnswer['methods'];
}

/** Buttons for logging in through other systems. */
export function OtherDoors({ methods }: OtherDoorsProps) {
  const elsewhere = methods.filter(({ kind }) => kind === 'redirect');
  if (elsewhere.length === 0) return null;
  const to = encodeURIComponent(window.location.pathname + window.location.search);
  return (
    <Stack gap="xs">
      <Divider label="or" />
      {elsewhere.map(({ name, label }) => (
        <Button
          key={name}
          component="a"
          href={below(`/admin/sign-in/${encodeURIComponent(name)}?to=${to}`)}
          variant="default"
        >
          <Trans>Log in with {label}</Trans>
        </Button>
      ))}
    </Stack>
  );
}
