import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  NumberInput,
  Select,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { ButtonLink } from '../parts/links.tsx';
import { usePreferences } from '../parts/preferences.ts';
import { Problem } from '../parts/problem.tsx';
import { TickBox } from '../parts/tick-box.tsx';
import { useLeaveGuard } from '../parts/use-leave-guard.ts';
import { firstRunText } from './first-run.ts';
import { GroupJobs } from './group-jobs.tsx';
import type { ShownGroup } from './group-state.tsx';
import { errorsOf, type GroupValues, INTERVALS, NEW_GROUP, settingsOf, valuesOf } from './group-values.ts';
import { WEEKDAY_WORDS } from './schedule-words.ts';

interface GroupFormProps {
  /** The group that is changed; absent for a new one. */
  readonly group?: ShownGroup;
  /** Initial values of a new one. */
  readonly begin?: ShownGroup['settings'];
}

/** Form for the settings of a group. */
export function GroupForm({ group, begin = NEW_GROUP }: GroupFormProps) {
  const navigate = useNavigate();
  const before = group?.settings.name;
  const save = useAction('cron/save-group', {
    done: ({ name }) => t`Cron group ${name} is saved`,
    changes: ['cron', 'rules'],
    showsProblem: true,
  });
  const form = useForm<GroupValues>({
    initialValues: valuesOf(group?.settings ?? begin),
    validate: {
      name: isNotEmpty(t`Enter a name`),
      minutes: (minutes, { interval }) =>
        interval === 'other' && typeof minutes !== 'number' ? t`Enter minutes` : null,
      from: (from, { hasHours }) => (hasHours && typeof from !== 'number' ? t`Enter an hour` : null),
      to: (to, { hasHours }) => (hasHours && typeof to !== 'number' ? t`Enter an hour` : null),
      weekdays: isNotEmpty(t`Choose a day`),
      jobs: { command: isNotEmpty(t`Choose a job`) },
    },
  });

  const { zone: ofReader } = usePreferences();
  const zone = useAnswer('cron/list-jobs', {}).data?.time_zone;
  const mayLeave = useLeaveGuard(form.isDirty());

  function focusFirst(errors: Readonly<Record<string, unknown>>): void {
    const [path] = Object.keys(errors);
    if (path !== undefined) form.getInputNode(path)?.focus();
  }

  const submit = form.onSubmit(
    (values) =>
      save.mutate(
        { settings: settingsOf(values), ...(before === undefined ? {} : { group_name: before }) },
        {
          onSuccess({ name }) {
            mayLeave();
            void navigate({ to: '/cron/$group', params: { group: name } });
          },
          onError: (error) => {
            const errors = errorsOf(error);
            form.setErrors(errors);
            focusFirst(errors);
          },
        },
      ),
    focusFirst,
  );

  const { values } = form;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {save.isError && Object.keys(errorsOf(save.error)).length === 0 && <Problem error={save.error} />}
        <TextInput label={t`Name`} required {...form.getInputProps('name')} />
        <Switch
          label={t`Enabled`}
          description={
            before === undefined
              ? firstRunText(values, { ofHours: zone, ofReader }, new Date())
              : t`A group that is not enabled never runs`
          }
          {...form.getInputProps('enabled', { type: 'checkbox' })}
        />
        <Textarea label={t`Description`} autosize minRows={1} maxRows={6} {...form.getInputProps('documentation')} />
        <Fieldset legend={t`When it runs`}>
          <Stack gap="sm">
            <Group align="flex-end" gap="sm">
              <Select
                label={t`Interval`}
                description={t`Time between two starts`}
                data={INTERVALS}
                allowDeselect={false}
                {...form.getInputProps('interval')}
              />
              {values.interval === 'other' && (
                <NumberInput
                  label={t`Minutes`}
                  min={1}
                  allowDecimal={false}
                  w={140}
                  {...form.getInputProps('minutes')}
                />
              )}
            </Group>
            <Checkbox.Group label={t`Days of the week`} {...form.getInputProps('weekdays')}>
              <Group gap="sm" mt={4}>
                {Object.entries(WEEKDAY_WORDS).map(([day, word]) => (
                  <Checkbox key={day} value={day} label={word} />
                ))}
              </Group>
            </Checkbox.Group>
            <Checkbox
              label={t`Only in certain hours of the day`}
              {...form.getInputProps('hasHours', { type: 'checkbox' })}
            />
            {values.hasHours && (
              <>
                <Group align="flex-start" gap="sm">
                  <NumberInput label={t`From hour`} min={0} max={24} w={140} {...form.getInputProps('from')} />
                  <NumberInput label={t`To hour`} min={0} max={24} w={140} {...form.getInputProps('to')} />
                </Group>
                <Text size="sm" c="dimmed">
                  {hoursText(values.from, values.to)} {zone !== undefined && t`Hours are those of ${zone}.`}
                </Text>
              </>
            )}
          </Stack>
        </Fieldset>
        <GroupJobs form={form} />
        <Checkbox
          label={t`Continue with the next job when one fails`}
          {...form.getInputProps('continue_on_error', { type: 'checkbox' })}
        />
        <TickBox
          label={t`Let a webhook start the group`}
          description={t`Set the requirements for its calls on the page of the group`}
          {...form.getInputProps('webhook_enabled', { type: 'checkbox' })}
        />
        <NumberInput
          label={t`Position`}
          description={t`Groups that are due together start by this number, then by name`}
          allowDecimal={false}
          w={260}
          {...form.getInputProps('sort_field')}
        />
        <Group>
          <Button type="submit" loading={save.isPending}>
            {before === undefined ? t`Create group` : t`Save`}
          </Button>
          {before === undefined ? (
            <ButtonLink to="/cron" variant="default">
              <Trans>Cancel</Trans>
            </ButtonLink>
          ) : (
            <ButtonLink to="/cron/$group" params={{ group: before }} variant="default">
              <Trans>Cancel</Trans>
            </ButtonLink>
          )}
        </Group>
      </Stack>
    </form>
  );
}

function hoursText(from: number | string, to: number | string): string {
  if (typeof from !== 'number' || typeof to !== 'number') return '';
  if (from % 24 === to % 24) return t`That is the whole day.`;
  return from < to
    ? t`It starts from ${from}:00 until before ${to}:00.`
    : t`It starts from ${from}:00, past midnight, until before ${to}:00.`;
}
