import { t } from '@lingui/core/macro';
import { Badge, List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SecretState } from '../../../../app/migration/words.ts';
import type { OfferedOutput } from '../../offered-operations.ts';
import { numberText } from '../language/numbers.ts';
import { PagesOf } from '../parts/pager.tsx';
import { Section } from '../parts/section.tsx';

type Report = OfferedOutput<'system/check-export'>;

/**
 * Shows what an export of another installation would become here, in addition to an import's answer; empty parts are left out.
 */
export function MigrationReport({ report }: { readonly report: Report }) {
  const { differences, secrets, groups, users } = report;
  const changed = users.filter(({ reasons }) => reasons.length > 0);
  return (
    <Stack gap="md" mb="md">
      <Documents title={t`Refused`} label={t`refused documents`} problems={report.import.details} />
      <Documents
        title={t`Kept, and cannot work here`}
        label={t`documents that cannot work`}
        problems={report.import.cannot_work ?? []}
      />
      {differences.length > 0 && (
        <Section title={t`Different here`}>
          {differences.map((difference) => (
            <DifferenceNote key={difference.topic} difference={difference} />
          ))}
        </Section>
      )}
      {secrets.length > 0 && (
        <Section title={t`Secrets`}>
          <List size="sm">{secretLines(secrets)}</List>
        </Section>
      )}
      {groups.map(({ name, jobs }) => (
        <Section key={name} title={t`Jobs of ${name}`}>
          <List size="sm">
            {jobs.map((job) => (
              <List.Item key={`${job.name} ${job.command} ${job.account}`} className="wrap-anywhere">
                <Badge size="sm" color={job.fails ? 'red' : 'green'}>
                  {job.fails ? t`fails` : t`works`}
                </Badge>{' '}
                {jobText(job)}
              </List.Item>
            ))}
          </List>
        </Section>
      ))}
      {changed.length > 0 && (
        <Section title={t`Users who reach more or less`}>
          <PagesOf rows={changed} label={t`users`}>
            {(shown) => (
              <List size="sm">
                {shown.map(({ name, reasons }) => (
                  <List.Item key={name} className="wrap-anywhere">
                    {name}: {reasons.join(' ')}
                  </List.Item>
                ))}
              </List>
            )}
          </PagesOf>
        </Section>
      )}
    </Stack>
  );
}

interface DocumentsProps {
  readonly title: string;
  readonly label: string;
  readonly problems: Report['import']['details'];
}

/** Documents that something is wrong with. */
function Documents({ title, label, problems }: DocumentsProps) {
  if (problems.length === 0) return null;
  return (
    <Section title={title}>
      <PagesOf rows={problems} label={label}>
        {(shown) => (
          <List size="sm">
            {shown.map(({ rule_type, index, line, name, path, message }) => (
              <List.Item key={`${rule_type} ${index} ${line} ${path} ${message}`} className="wrap-anywhere">
                {line === undefined ? '' : `${t`line ${line}`}: `}
                {rule_type} {name === '' ? '' : t`“${name}”`}: {path} {message}
              </List.Item>
            ))}
          </List>
        )}
      </PagesOf>
    </Section>
  );
}

/** Describes a job and what happens to it; sentences about a missing job begin with its name. */
function jobText({ command, account, becomes }: Report['groups'][number]['jobs'][number]): string {
  if (becomes.startsWith(command)) return becomes;
  return account === null ? `${command}: ${becomes}` : `${t`${command} with ${account}`}: ${becomes}`;
}

function DifferenceNote({ difference }: { readonly difference: Report['differences'][number] }) {
  const { what, action, documents } = difference;
  return (
    <div>
      <Text size="sm">{what}</Text>
      <Text size="sm" c="dimmed">
        {action}
      </Text>
      <PagesOf rows={documents} label={t`documents`} size={10}>
        {(shown) => (
          <List size="sm">
            {shown.map(({ rule_type, name, line, message }) => (
              <List.Item key={`${rule_type} ${name} ${line}`} className="wrap-anywhere">
                {rule_type} {t`“${name}”`}
                {line === undefined ? '' : ` ${t`(line ${line})`}`}
                {message === undefined ? '' : `: ${message}`}
              </List.Item>
            ))}
          </List>
        )}
      </PagesOf>
    </div>
  );
}

/** Words for the number of secrets in documents of a type, and what happens to them. */
const SECRET_LINES: Readonly<Record<SecretState, (type: string, count: string) => string>> = {
  enter: (type, count) => t`${type}: ${count} encrypted with the key of the other installation, so enter them again`,
  reset: (type, count) => t`${type}: ${count} of a form that is not checked here, so set new ones`,
  missing: (type, count) => t`${type}: ${count} not in the export, so set new ones`,
  works: (type, count) => t`${type}: ${count} work as they are`,
  sealed: (type, count) => t`${type}: ${count} in clear text, and encrypted by the import`,
};

const STATES = Object.keys(SECRET_LINES) as SecretState[];

/** Returns a line for each kind of secret and what happens to it; with the names of those that have to be entered. */
function secretLines(secrets: Report['secrets']): ReactNode {
  return STATES.flatMap((state) =>
    [...new Set(secrets.map(({ rule_type }) => rule_type))].flatMap((type) => {
      const found = secrets.filter((secret) => secret.state === state && secret.rule_type === type);
      if (found.length === 0) return [];
      const names = state === 'works' || state === 'sealed' ? '' : `: ${found.map(({ name }) => name).join(', ')}`;
      return [
        <List.Item key={`${state} ${type}`} className="wrap-anywhere">
          {SECRET_LINES[state](type, numberText(found.length))}
          {names}
        </List.Item>,
      ];
    }),
  );
}
