import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { Value } from '../parts/value.tsx';
import type { PlanEntry } from './plan-entry.tsx';

const SHOWN = 6;

type Fields = PlanEntry['fields'];

/** Shows the fields written to an object, with the present value and the one that replaces it. */
export function EntryFields({ fields, isNew }: { readonly fields: Fields; readonly isNew: boolean }) {
  const [isWhole, setWhole] = useState(false);
  const count = fields.length;
  if (count === 0) return null;
  return (
    <div>
      <dl className="plan-fields">
        {(isWhole ? fields : fields.slice(0, SHOWN)).map((field) => (
          <div key={field.name}>
            <dt>{field.name}</dt>
            <dd>
              {!isNew && <Before field={field} />}
              <Value value={field.after} />
            </dd>
          </div>
        ))}
      </dl>
      {fields.length > SHOWN && (
        <UnstyledButton fz="xs" c="dimmed" td="underline" onClick={() => setWhole(!isWhole)}>
          {isWhole ? t`Fewer` : plural(count, { one: 'All # field', other: 'All # fields' })}
        </UnstyledButton>
      )}
    </div>
  );
}

/** Shows the replaced value; that of a secret field is unknown. */
function Before({ field }: { readonly field: Fields[number] }) {
  return (
    <>
      {'before' in field ? (
        <del className="plan-before">
          <Value value={field.before} />
        </del>
      ) : (
        <Text span size="xs" c="dimmed">
          <Trans>not known</Trans>
        </Text>
      )}
      <span aria-hidden> → </span>
      <VisuallyHidden>
        <Trans>becomes</Trans>
      </VisuallyHidden>
    </>
  );
}
