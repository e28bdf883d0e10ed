import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Done } from '../parts/done.tsx';
import { endOf } from './assistant/columns.ts';
import { GiveFile } from './assistant/give-file.tsx';
import type { Account } from './option-fields.ts';

interface ReplaceFileProps {
  readonly account: Account;
  /** Absent while it cannot be imported. */
  readonly onImport: (() => void) | undefined;
}

/** A newer file in place of the one that was uploaded, and the import that it is for. */
export function ReplaceFile({ account: { name, type, options }, onImport }: ReplaceFileProps) {
  const [replaced, setReplaced] = useState<string>();
  const end = endOf(type);
  if (end === undefined) return null;
  return (
    <>
      <GiveFile
        end={end}
        name={name}
        path={options.path ?? ''}
        replaces={name}
        onPath={(_path, file) => setReplaced(file ?? t`the pasted text`)}
      />
      {replaced !== undefined && (
        <Done title={t`${{ file: replaced }} is in place of the file before`}>
          {onImport !== undefined && (
            <Button
              size="xs"
              onClick={() => {
                setReplaced(undefined);
                onImport();
              }}
            >
              <Trans>Import it now</Trans>
            </Button>
          )}
        </Done>
      )}
    </>
  );
}
