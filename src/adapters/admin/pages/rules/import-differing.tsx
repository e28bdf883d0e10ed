import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Accordion, Alert, Checkbox, Radio, Stack, Text, Title } from '@mantine/core';
import { IconArrowsDiff } from '@tabler/icons-react';
import { Changes } from '../parts/changes.tsx';
import { PagesOf } from '../parts/pager.tsx';
import { pathWords } from '../parts/path-words.ts';
import { allCounts, type ImportAnswer } from './import-counts.ts';

interface ImportDifferingProps {
  readonly preview: ImportAnswer;
  /** Whether the rules of the file take the place of those that are here. */
  readonly replaces: boolean;
  readonly onReplace: (replaces: boolean) => void;
  /** Rules that are kept here although the others are replaced. */
  readonly left: readonly RuleOfFile[];
  readonly onLeft: (left: readonly RuleOfFile[]) => void;
}

/** A rule of the file that is here too. */
export interface RuleOfFile {
  readonly rule_type: string;
  readonly name: string;
}

/** Shows existing items with different content, and which version to keep. */
export function ImportDiffering({ preview, replaces, onReplace, left, onLeft }: ImportDifferingProps) {
  const { different, uncompared } = allCounts(preview, false);
  const differing = preview.differing ?? [];
  if (different + uncompared === 0) return null;
  const isLeft = (one: RuleOfFile): boolean => left.some((other) => keyOf(other) === keyOf(one));
  const take = ({ rule_type, name }: RuleOfFile, isTaken: boolean): void => {
    const others = left.filter((other) => keyOf(other) !== keyOf({ rule_type, name }));
    onLeft(isTaken ? others : [...others, { rule_type, name }]);
  };
  return (
    <section aria-label={t`Different from what is here`}>
      <Stack gap="xs">
        <Title order={3} size="h5">
          <Trans>Different from what is here</Trans>
        </Title>
        <Alert color={replaces ? 'orange' : 'blue'} icon={<IconArrowsDiff />} p="sm">
          <Radio.Group
            label={question(different, uncompared)}
            value={replaces ? 'theirs' : 'mine'}
            onChange={(next) => onReplace(next === 'theirs')}
          >
            <Stack gap={6} mt={6}>
              <Radio value="mine" label={t`Keep what is here`} description={t`They stay as they are.`} />
              <Radio
                value="theirs"
                label={t`Take what the file has`}
                description={t`They are replaced, but for those that you leave out below. The history of each rule can bring back what is here now.`}
              />
            </Stack>
          </Radio.Group>
        </Alert>
        <PagesOf rows={differing} label={t`rules that differ`}>
          {(shown) => (
            <Accordion
              variant="contained"
              chevronPosition="left"
              multiple
              defaultValue={differing.slice(0, OPEN).map(keyOf)}
            >
              {shown.map((one) => (
                <Accordion.Item key={keyOf(one)} value={keyOf(one)}>
                  <Accordion.Control>
                    <Text size="sm" className="wrap-anywhere">
                      {one.name}
                      <Text span size="sm" c="dimmed">
                        {' '}
                        {one.rule_type}
                        {replaces && isLeft(one) && ` · ${t`stays as it is here`}`}
                      </Text>
                    </Text>
                  </Accordion.Control>
                  <Accordion.Panel>
                    {replaces && (
                      <Checkbox
                        size="xs"
                        mb="xs"
                        label={t`Take this one from the file`}
                        aria-label={t`Take ${{ name: one.name }} from the file`}
                        checked={!isLeft(one)}
                        onChange={({ currentTarget }) => take(one, currentTarget.checked)}
                      />
                    )}
                    {one.changes.length === 0 ? (
                      <Text size="sm">
                        <Trans>Only its secrets differ, which are not shown.</Trans>
                      </Text>
                    ) : (
                      <Changes
                        caption={t`Differences of ${{ name: one.name }}`}
                        changes={one.changes}
                        columns={[t`Here`, t`In the file`]}
                        place={pathWords}
                      />
                    )}
                  </Accordion.Panel>
                </Accordion.Item>
              ))}
            </Accordion>
          )}
        </PagesOf>
      </Stack>
    </section>
  );
}

/** Number that are open at first. */
const OPEN = 3;

function keyOf({ rule_type, name }: { readonly rule_type: string; readonly name: string }): string {
  return `${rule_type} ${name}`;
}

function question(different: number, uncompared: number): string {
  if (different === 0)
    return plural(uncompared, {
      one: '# host of the file is here already; hosts are not compared. What do you want to have?',
      other: '# hosts of the file are here already; hosts are not compared. What do you want to have?',
    });
  return plural(different, {
    one: '# rule of the file differs from the one of its name here. Which one do you want?',
    other: '# rules of the file differ from those of their names here. Which ones do you want?',
  });
}
