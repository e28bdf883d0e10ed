import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { encode } from 'uqr';
import { CopyLine } from './copy-line.tsx';

interface AuthenticatorSetupProps {
  readonly secret: string;
  readonly address: string;
}

/** Shows the code that an authenticator app scans, and the text to type into it instead. */
export function AuthenticatorSetup({ secret, address }: AuthenticatorSetupProps) {
  return (
    <Stack gap="xs">
      <QrCode text={address} />
      <Text size="xs" c="dimmed">
        <Trans>Or type this key into the app:</Trans>
      </Text>
      <CopyLine value={secret.match(/.{1,4}/g)?.join(' ') ?? secret} label={t`key`} />
    </Stack>
  );
}

/** Dark on light in every theme: some cameras read no other. */
function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg
      role="img"
      aria-label={t`QR code for an authenticator app`}
      width={180}
      height={180}
      viewBox={`0 0 ${size} ${size}`}
    >
      <path d={`M0 0h${size}v${size}h-${size}z`} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
