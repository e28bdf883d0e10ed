import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Text } from '@mantine/core';
import type { OfferedOutput } from '../../offered-operations.ts';
import { When } from '../parts/when.tsx';

export type Undone = NonNullable<OfferedOutput<'accounts/show-account'>['undone']>;

/** Notes that an import of the account was undone, and what to do. */
export function UndoneNote({ of: undone }: { readonly of: Undone }) {
  return (
    <Alert color="orange" title={t`An import was undone`}>
      <Text size="sm" className="wrap-anywhere">
        <UndoneText of={undone} />
      </Text>
    </Alert>
  );
}

/** Shows the same in a list, next to the name of the account. */
export function UndoneText({ of: { at } }: { readonly of: Undone }) {
  return (
    <Trans>
      Undone <When at={at} />. The next import, even a scheduled one, writes the data of the source again. Import again
      when the source is right, or disable the account until then.
    </Trans>
  );
}
