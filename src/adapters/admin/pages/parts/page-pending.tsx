import { t } from '@lingui/core/macro';
import { Center, Loader } from '@mantine/core';

/** Stands in for a page whose script takes a second or more. */
export function PagePending() {
  return (
    <Center py="xl">
      <Loader role="img" aria-label={t`Loading`} />
    </Center>
  );
}
