import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Text, UnstyledButton } from '@mantine/core';
import { IconCheck, IconMinus, IconX } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { decisiveOf } from '../../../../../app/rules/explanation/words.ts';
import { faultText, sentence } from '../../language/service-texts.ts';
import { Value } from '../../parts/value.tsx';
import { valueText } from '../../parts/value-text.ts';
import { ChangeWords } from './change-words.tsx';
import {
  type ConditionExplanation,
  OUTCOME_COLOURS,
  placeOf,
  type RuleChange,
  type RuleExplanation,
} from './explained.ts';
import { RuleTitle } from './rule-title.tsx';
import { OUTCOME_WORDS, reasonOf } from './rule-words.ts';

const SHOWN_CHANGES = 6;

/** One rule: whether it hit, the condition that decided with both of its sides, and what it changed. */
export function ExplainedRule({ rule }: { readonly rule: RuleExplanation }) {
  const [isWhole, setWhole] = useState(false);
  const { name, outcome, conditions, changes, errors, readsAccounts, endedRun } = rule;
  const decisive = decisiveOf(rule);
  const shownConditions = isWhole ? conditions : decisive;
  const shownChanges = isWhole ? changes : changes.slice(0, SHOWN_CHANGES);
  const left = moreText(conditions.length - decisive.length, Math.max(0, changes.length - SHOWN_CHANGES));
  const text = OUTCOME_WORDS[outcome];
  const colour = OUTCOME_COLOURS[outcome];
  return (
    <li id={placeOf(rule)} tabIndex={-1} className="explained-rule" aria-label={`${name}: ${text}`}>
      <Badge variant="light" color={colour} radius="sm" tt="none" w="100%">
        {text}
      </Badge>
      <div>
        <Text component="div" size="sm" className="wrap-anywhere">
          <RuleTitle rule={rule} />
          <Text span inherit c="dimmed">
            {': '}
            {reasonOf(rule)}
          </Text>
        </Text>
        {shownConditions.map((condition, index) => (
          // Two conditions of a rule may be the same.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <ConditionLine key={index} condition={condition} />
        ))}
        {shownChanges.map((change, index) => (
          // A rule may change the same value twice.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <ChangeLine key={index} change={change} />
        ))}
        {errors.map((error) => (
          <Text key={error} component="div" size="sm" c="red" className="wrap-anywhere">
            {t`error: ${{ error: faultText(error) }}`}
          </Text>
        ))}
        {readsAccounts && (
          <Text component="div" size="sm" c="dimmed">
            <Trans>
              it reads fields of accounts: secret ones are ******** here, also in comparisons, so the real result may
              differ
            </Trans>
          </Text>
        )}
        {endedRun && (
          <Text component="div" size="sm" c="dimmed">
            <Trans>it is a last match: no later rule of this type runs</Trans>
          </Text>
        )}
        {left !== undefined && (
          <UnstyledButton fz="xs" c="dimmed" td="underline" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? t`Less` : left}
          </UnstyledButton>
        )}
      </div>
    </li>
  );
}

/** Describes the parts not shown at first; `undefined` if there are none. */
function moreText(conditions: number, changes: number): string | undefined {
  if (conditions === 0 && changes === 0) return undefined;
  if (changes === 0) return plural(conditions, { one: '# condition more', other: '# conditions more' });
  if (conditions === 0) return plural(changes, { one: '# change more', other: '# changes more' });
  return t`${plural(conditions, { one: '# condition', other: '# conditions' })} and ${plural(changes, { one: '# change', other: '# changes' })} more`;
}

function ConditionLine({ condition }: { readonly condition: ConditionExplanation }) {
  const { holds, needle } = condition;
  const text = sentence(condition.text, condition.wording);
  const rendered = needle !== undefined && !condition.text.includes(JSON.stringify(needle));
  return (
    <Line icon={<Mark holds={holds} />}>
      {rendered ? (
        <Trans>
          {text}, which is <Value value={needle} /> here
        </Trans>
      ) : (
        text
      )}
      <Text span inherit c="dimmed">
        {' — '}
        {holds === undefined ? t`not evaluated, because the rule was already decided` : <Side condition={condition} />}
      </Text>
    </Line>
  );
}

function Mark({ holds }: { readonly holds: boolean | undefined }) {
  if (holds === undefined) return <IconMinus size={15} aria-label={t`not evaluated`} />;
  if (holds) return <IconCheck size={15} color="var(--mantine-color-green-text)" aria-label={t`holds`} />;
  return <IconX size={15} color="var(--mantine-color-red-text)" aria-label={t`does not hold`} />;
}

/** The host's side of a comparison. */
function Side({ condition: { matched, looked } }: { readonly condition: ConditionExplanation }) {
  const entries = matched === undefined ? looked : [matched];
  if (entries.length === 0) return t`the host has no such attribute`;
  return entries.map(isText).join(', ');
}

function isText(entry: ConditionExplanation['looked'][number]): string {
  const { name } = entry;
  const value = valueText(entry.value);
  if (entry.obstacle === undefined) return t`${name} is ${value}`;
  const obstacle = sentence(entry.obstacle, undefined);
  return t`${name} is ${value}, which ${obstacle}: the comparison cannot be made`;
}

function ChangeLine({ change }: { readonly change: RuleChange }) {
  return (
    <Line icon="→">
      <ChangeWords change={change} />
    </Line>
  );
}

function Line({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <Text component="div" size="sm" className="explained-line wrap-anywhere">
      <span>{icon}</span>
      <div>{children}</div>
    </Text>
  );
}
