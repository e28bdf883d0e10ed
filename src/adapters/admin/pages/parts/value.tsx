import { t } from '@lingui/core/macro';
import { Code, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { numberText } from '../language/numbers.ts';
import { valueText } from './value-text.ts';

const CUT = 400;

/** Shows a value of a label, an attribute or a member of a document. Long ones are cut until the user expands them. */
export function Value({ value }: { readonly value: unknown }) {
  const [isWhole, setWhole] = useState(false);
  const text = valueText(value);
  const isLong = text.length > CUT;
  return (
    <>
      <Text
        span
        ff="monospace"
        fz="0.8125rem"
        className="wrap-anywhere"
        c={typeof value === 'string' ? 'inherit' : 'blue'}
      >
        {isLong && !isWhole ? `${text.slice(0, CUT)}…` : text}
      </Text>
      {isLong && (
        <UnstyledButton ml="xs" fz="xs" c="dimmed" td="underline" onClick={() => setWhole(!isWhole)}>
          {isWhole ? t`Less` : t`All ${{ count: numberText(text.length) }} characters`}
        </UnstyledButton>
      )}
    </>
  );
}

/** A command that does the same as the page. */
export function Command({ children }: { readonly children: string }) {
  return <Code className="wrap-anywhere">{children}</Code>;
}
