import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Collapse, Group, PasswordInput, Radio, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { isUploaded } from '../../../../../kit/words/uploads.ts';
import { may, useSession } from '../../calls/session.ts';
import { useAction } from '../../calls/use-call.ts';
import { useRun } from '../../calls/use-run.ts';
import { DraftProvider } from '../../forms/draft.ts';
import { fieldsOf, formSchema } from '../../forms/schema.ts';
import { SchemaFields } from '../../forms/schema-fields.tsx';
import { Done } from '../../parts/done.tsx';
import { FoldButton } from '../../parts/fold-button.tsx';
import { HttpUse } from '../../parts/http-use.tsx';
import { ButtonLink } from '../../parts/links.tsx';
import { Problem } from '../../parts/problem.tsx';
import { problemsByField } from '../../parts/problems-by-field.ts';
import { Section } from '../../parts/section.tsx';
import { useLeaveGuard } from '../../parts/use-leave-guard.ts';
import { useProblemFocus } from '../../parts/use-problem-focus.ts';
import { ActiveRuns } from '../../runs/active-runs.tsx';
import { useActiveRuns } from '../../runs/use-active-runs.ts';
import { idleOptions } from '../applying-options.ts';
import { ImportOutcome } from '../import-run.tsx';
import { type KeptDraft, NO_DRAFT } from '../new-draft.ts';
import { optionDraft } from '../option-draft.ts';
import { type AccountType, fieldTitle, optionForAddress } from '../option-fields.ts';
import { FieldPairs } from '../option-groups.tsx';
import { RunProgress } from '../run-outcome.tsx';
import { endOf, fileNameOf, isAskedFirst, lacksHostnames, likelyHostname, ownedLabels, withoutEnd } from './columns.ts';
import { EveryDay } from './every-day.tsx';
import { FileThere } from './file-there.tsx';
import { GiveFile } from './give-file.tsx';
import { RecordsTable } from './records-table.tsx';

const NONE: ReadonlySet<string> = new Set();
/** Chosen at the table of records, or below it. */
const CHOSEN = new Set(['hostname_field', 'owned_labels', 'delete_host_if_not_found_on_import']);

interface AssistantProps {
  readonly type: AccountType;
  readonly kept: KeptDraft;
}

/** Makes the account of a source step by step, and tries each step before anything is stored. */
export function Assistant({ type, kept }: AssistantProps) {
  const [name, setName] = useState(kept.current.name);
  const [values, setValues] = useState(kept.current.values);
  const [password, setPassword] = useState(kept.current.password);
  const [leftOut, setLeftOut] = useState(NONE);
  const [isStoring, setStoring] = useState(false);
  const [isTestAsked, askTest] = useState(false);
  const tried = useAction('accounts/try-account', { changes: [], showsProblem: true });
  const dryRun = useRun('imports/try-import', []);
  const add = useAction('accounts/add-account', { changes: ['accounts', 'syncer'], showsProblem: true });
  const run = useRun('imports/import-account', ['accounts', 'hosts', 'inventory', 'search', 'syncer', 'runs']);
  const mayList = may(useSession(), 'runs/list-active');
  const schema = formSchema(type.options);
  const common = formSchema(type.common_options);
  const options = new Map([schema, common].flatMap(fieldsOf).map((field) => [field.name, field]));
  const first = new Set(
    fieldsOf(schema).flatMap((field) => (isAskedFirst(field) || field.accountField !== '' ? [field.name] : [])),
  );
  const addressOption = optionForAddress([...options.values()])?.name;
  // The address has a single field, where the type has it.
  const uses = (field: AccountType['unused_fields'][number]): boolean =>
    !type.unused_fields.includes(field) && (field !== 'address' || addressOption === undefined);
  const problem = add.error ?? dryRun.error ?? tried.error;
  const drawn = ['name', 'password', 'address', 'username', ...options.keys()];
  const { at, elsewhere } = problemsByField(problem, drawn, (path) => path.replace(/^settings\./, ''));
  const idle = idleOptions([...options.values()], {
    current: (option) => values[option] || (options.get(option)?.fallback ?? ''),
    isKept: (option) => (values[option] ?? '') !== '' || at.has(option),
  });
  const form = useProblemFocus(problem);
  const isSaved = add.isSuccess;
  useLeaveGuard(!isSaved && (name !== '' || password !== '' || Object.keys(values).length > 0), 'type');

  const choosesHostname = options.has('hostname_field');
  const hostname = tried.data?.hostname_field ?? null;
  const owned = ownedLabels(leftOut, hostname);
  const settings = Object.fromEntries(
    Object.entries({ ...values, ...(owned === '' ? {} : { owned_labels: owned }) }).filter(([, value]) => value !== ''),
  );
  const account = { name: name.trim(), type: type.id, settings, ...(password === '' ? {} : { password }) };

  // Shows the run with a button to stop it, as soon as it is listed.
  const active = useActiveRuns(mayList && run.isPending).data?.runs ?? [];
  const isListed = active.some((one) => one.account === account.name);

  useEffect(() => {
    kept.current = isSaved ? NO_DRAFT : { ...kept.current, name, values: settings, password };
  });

  // A test requested during the upload starts as soon as the file is stored.
  useEffect(() => {
    if (!isTestAsked || isStoring) return;
    askTest(false);
    if ((values.path ?? '') !== '') tryIt();
  });

  /** Earlier results belong to other settings. */
  function set(changes: Readonly<Record<string, string>>): void {
    setValues((now) => ({ ...now, ...changes }));
    dryRun.reset();
  }

  function tryIt(changes: Readonly<Record<string, string>> = {}): void {
    add.reset();
    dryRun.reset();
    // All columns, even those without a label: they can be ticked again.
    const { owned_labels: _, ...all } = { ...settings, ...changes };
    tried.mutate(
      { ...account, settings: all },
      {
        onSuccess(data) {
          const column = choosesHostname && all.hostname_field === undefined ? likelyHostname(data) : undefined;
          if (column !== undefined) takeHostname(column);
        },
      },
    );
  }

  function takeHostname(column: string): void {
    set({ hostname_field: column });
    tryIt({ hostname_field: column });
  }

  const end = endOf(type.id);
  const isRead = tried.isSuccess && !lacksHostnames(tried.data);
  return (
    <form
      ref={form}
      aria-label={t`New account step by step`}
      onSubmit={(event) => {
        event.preventDefault();
        tryIt();
      }}
    >
      <DraftProvider
        value={{
          ...optionDraft({ options, values, set: (option, value) => set({ [option]: value }), problems: at }),
          isReadOnly: isSaved,
        }}
      >
        <Stack gap="md">
          {elsewhere !== undefined && <Problem error={elsewhere} />}
          <Section title={t`Location of the hosts`}>
            <Why>{t`Muster reads hosts from here, and changes nothing there.`}</Why>
            <FieldPairs>
              <TextInput
                label={t`Name of the account`}
                description={t`Rules, cron groups and the API refer to the account by it`}
                required
                value={name}
                onChange={({ currentTarget }) => setName(currentTarget.value)}
                error={at.get('name')}
                autoComplete="off"
                disabled={isSaved}
              />
              <SchemaFields
                schema={schema}
                path={[]}
                size="sm"
                without={new Set([...without(options.keys(), first), ...idle])}
              />
              {uses('address') && (
                <TextInput
                  label={fieldTitle(type, 'address')}
                  disabled={isSaved}
                  value={values.address ?? ''}
                  onChange={({ currentTarget }) => set({ address: currentTarget.value })}
                  error={at.get('address')}
                  autoComplete="off"
                />
              )}
              {uses('username') && (
                <TextInput
                  label={fieldTitle(type, 'username')}
                  disabled={isSaved}
                  value={values.username ?? ''}
                  onChange={({ currentTarget }) => set({ username: currentTarget.value })}
                  error={at.get('username')}
                  autoComplete="off"
                />
              )}
              {uses('password') && (
                <PasswordInput
                  label={fieldTitle(type, 'password')}
                  disabled={isSaved}
                  description={t`Stored encrypted and never shown`}
                  value={password}
                  onChange={({ currentTarget }) => setPassword(currentTarget.value)}
                  error={at.get('password')}
                  autoComplete="new-password"
                />
              )}
            </FieldPairs>
            {end !== undefined && !isSaved && (
              <GiveFile
                end={end}
                name={name}
                path={values.path ?? ''}
                readAt={tried.isSuccess ? tried.submittedAt : 0}
                onPath={(path, file) => {
                  set({ path });
                  if (name === '' && file !== undefined) setName(fileNameOf(withoutEnd(file)));
                }}
                onStoring={setStoring}
              />
            )}
            {end !== undefined && !isSaved && (
              <FileThere end={end} path={values.path ?? ''} onPath={(path) => set({ path })} />
            )}
            <Folded
              title={t`Advanced options`}
              hasProblem={[...at.keys()].some((key) => options.has(key) && !first.has(key))}
            >
              <FieldPairs>
                <SchemaFields
                  schema={schema}
                  path={[]}
                  size="sm"
                  without={new Set([...first, ...idle, ...(choosesHostname ? CHOSEN : [])])}
                />
                <SchemaFields schema={common} path={[]} size="sm" without={new Set([...CHOSEN, ...idle])} />
              </FieldPairs>
            </Folded>
          </Section>

          <Section title={t`Test the connection`}>
            <Group>
              <Button
                type="submit"
                variant={isRead ? 'default' : 'filled'}
                loading={tried.isPending || isTestAsked}
                disabled={isSaved}
                onClick={(event) => {
                  if (!isStoring) return;
                  event.preventDefault();
                  askTest(true);
                }}
              >
                <Trans>Test connection</Trans>
              </Button>
              <Text size="sm" c="dimmed">
                <Trans>
                  Shows whether the source can be read, and which hosts its first records are. Nothing is stored.
                </Trans>
              </Text>
            </Group>
            {tried.data !== undefined && (
              <RecordsTable
                tried={tried.data}
                leftOut={leftOut}
                onLeftOut={(columns) => {
                  setLeftOut(columns);
                  dryRun.reset();
                }}
                onHostname={choosesHostname && !isSaved ? takeHostname : undefined}
              />
            )}
          </Section>

          {isRead && (
            <Section title={t`Hosts that the source no longer has`}>
              <Why>{t`Machines go, and sometimes only the source is broken: decide what a missing host means.`}</Why>
              <Radio.Group
                aria-label={t`Hosts that the source no longer has`}
                value={values.delete_host_if_not_found_on_import === 'true' ? 'archive' : 'keep'}
                onChange={(choice) => set({ delete_host_if_not_found_on_import: choice === 'archive' ? 'true' : '' })}
              >
                <Stack gap="xs">
                  <Radio value="keep" label={t`Keep them`} disabled={isSaved} />
                  <Radio
                    value="archive"
                    label={t`Archive them (only after a complete import, and not if unusually many are missing)`}
                    disabled={isSaved}
                  />
                </Stack>
              </Radio.Group>
            </Section>
          )}

          {isRead && (
            <Section title={t`Dry run`}>
              <Group>
                <Button
                  variant="default"
                  loading={dryRun.isPending}
                  disabled={isSaved}
                  onClick={() => dryRun.mutate(account)}
                >
                  <Trans>Dry run</Trans>
                </Button>
                <Text size="sm" c="dimmed">
                  <Trans>Reads everything and shows what an import would do, before it does it.</Trans>
                </Text>
              </Group>
              {dryRun.isPending && <RunProgress label={t`Dry run`} progress={dryRun.progress} />}
              {dryRun.isSuccess && <ImportOutcome outcome={dryRun.data} isDry />}
            </Section>
          )}

          {isRead && (
            <Section title={t`Save and import`}>
              <Why>{t`Saves the account and imports its hosts; Runs can undo it.`}</Why>
              <Group>
                <Button
                  loading={add.isPending || run.isPending}
                  disabled={isSaved}
                  onClick={() => add.mutate(account, { onSuccess: () => run.mutate({ account: account.name }) })}
                >
                  <Trans>Save and import</Trans>
                </Button>
                <Button
                  variant="default"
                  loading={add.isPending}
                  disabled={isSaved}
                  onClick={() => add.mutate(account)}
                >
                  <Trans>Save only</Trans>
                </Button>
              </Group>
              {isSaved && (
                <Done title={t`Account ${{ name: account.name }} is saved`}>
                  <ButtonLink size="xs" variant="default" to="/accounts/$name" params={{ name: account.name }}>
                    <Trans>See the account</Trans>
                  </ButtonLink>
                </Done>
              )}
              {run.isPending && (
                <Stack ref={scrollTo} gap="xs">
                  {isListed && <ActiveRuns account={account.name} />}
                  <RunProgress label={t`Importing`} progress={run.progress} isShownAbove={isListed} />
                </Stack>
              )}
              {(run.isError || run.isSuccess) && (
                <div
                  ref={show}
                  tabIndex={-1}
                  style={{ scrollMarginTop: 'calc(var(--app-shell-header-height, 0px) + 1rem)' }}
                >
                  {run.isError && <Problem error={run.error} />}
                  {run.isSuccess && <ImportOutcome outcome={run.data} isDry={false} />}
                </div>
              )}
            </Section>
          )}

          {isSaved && !run.isPending && (
            <Section title={t`Keep it up to date`}>
              {isUploaded(values.path ?? '') ? (
                <Why>
                  {t`An uploaded file changes only when you replace it: by "Replace file…" on the page of the account.`}
                </Why>
              ) : (
                <>
                  <Why>{t`A schedule imports by itself, so that hosts stay as the source has them.`}</Why>
                  <EveryDay account={account.name} />
                </>
              )}
            </Section>
          )}

          {run.isSuccess && run.data.status !== 'failed' && (
            <Section title={t`Done: Ansible can read this now`}>
              <HttpUse provider="ansible" />
            </Section>
          )}
        </Stack>
      </DraftProvider>
    </form>
  );
}

/** Why a step is there. */
function Why({ children }: { readonly children: string }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}

/** Scrolls to a result below the edge of the window, and has it read out. */
function show(result: HTMLElement | null): void {
  result?.focus({ preventScroll: true });
  result?.scrollIntoView({ block: 'start' });
}

function without(all: Iterable<string>, shown: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...all].filter((option) => !shown.has(option)));
}

/** Into the middle of the window, once. */
function scrollTo(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'center' });
}

interface FoldedProps {
  readonly title: string;
  /** Opens it. */
  readonly hasProblem: boolean;
  readonly children: ReactNode;
}

function Folded({ title, hasProblem, children }: FoldedProps) {
  const [isOpen, setOpen] = useState(false);
  const isShown = isOpen || hasProblem;
  return (
    <div>
      <FoldButton isOpen={isShown} onToggle={() => setOpen(!isOpen)}>
        {title}
      </FoldButton>
      <Collapse expanded={isShown} keepMounted={false}>
        <div style={{ paddingTop: 'var(--mantine-spacing-sm)' }}>{children}</div>
      </Collapse>
    </div>
  );
}
