import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, FileButton, Group, NativeSelect, Stack, Switch, Text, Textarea } from '@mantine/core';
import { IconFileUpload, IconLock } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { shellWord } from '../../../../kit/words/escape.ts';
import { has, may, useSession } from '../calls/session.ts';
import { useRun } from '../calls/use-run.ts';
import { numberText } from '../language/numbers.ts';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Command } from '../parts/value.tsx';
import { changedRules } from './import-counts.ts';
import { ImportDiffering, type RuleOfFile } from './import-differing.tsx';
import { ImportImpact } from './import-impact.tsx';
import { ImportReport } from './import-report.tsx';
import { MigrationReport } from './migration-report.tsx';
import { CHANGED_BY_RULES, grouped, type RuleTypeInfo, useRuleTypes } from './rule-type.ts';

/** Longer texts are not put into the field: the browser would crawl. */
const SHOWN_TEXT = 200_000;

/** Imports rules from a file: first a preview, then the import. */
export function ImportPage() {
  const session = useSession();
  const known = useRuleTypes().data?.types;
  const types = (known ?? []).filter(({ refusal }) => refusal === null);
  const isLimited = known !== undefined && types.length < known.length;
  const [text, setText] = useState('');
  const [fileName, setFileName] = useState<string>();
  const [fileProblem, setFileProblem] = useState<Error>();
  const [type, setType] = useState('');
  const [override, setOverride] = useState(false);
  const [left, setLeft] = useState<readonly RuleOfFile[]>([]);
  const [skipBroken, setSkipBroken] = useState(false);
  const [fireExisting, setFireExisting] = useState(false);
  const preview = useRun('rules/import-rules', []);
  const run = useRun('rules/import-rules', CHANGED_BY_RULES);
  const check = useRun('system/check-export', []);
  const outcome = useRef<HTMLDivElement>(null);
  const hasOutcome = preview.isSuccess || preview.isError || run.isSuccess || check.isSuccess;
  // The preview is below a long file.
  useEffect(() => {
    if (hasOutcome) outcome.current?.scrollIntoView({ block: 'start' });
  }, [hasOutcome]);
  const leave = override ? [...left] : [];
  const file = { text, override, leave, skip_broken: skipBroken, ...(type === '' ? {} : { rule_type: type }) };
  const input = { ...file, fire_existing_matches: fireExisting };

  /** The preview no longer matches the input. */
  function forget(): void {
    preview.reset();
    run.reset();
    check.reset();
    setFileProblem(undefined);
  }

  async function read(file: File | null): Promise<void> {
    if (file === null) return;
    forget();
    try {
      setText(new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()));
      setFileName(file.name);
    } catch {
      setFileProblem(new Error(t`${{ file: file.name }} is not UTF-8 text.`));
    }
  }

  if (!may(session, 'rules/import-rules')) {
    return (
      <Page title={t`Import rules`} above={[{ to: '/rules', label: t`Rules` }]}>
        <Text>
          <Trans>You may only read, so you cannot import rules.</Trans>
        </Text>
      </Page>
    );
  }
  if (isLimited && types.length === 0) {
    return (
      <Page title={t`Import rules`} above={[{ to: '/rules', label: t`Rules` }]}>
        <Text>
          <Trans>
            Rules act on hosts beyond those that you are restricted to, so you cannot import any. Ask an unrestricted
            user.
          </Trans>
        </Text>
      </Page>
    );
  }
  const characters = numberText(text.length);
  const named = leave.map(({ rule_type, name }) => `--leave ${shellWord(`${rule_type}/${name}`)}`);
  const options = [
    override && '--override',
    ...named,
    skipBroken && '--skip-broken',
    fireExisting && '--fire-existing',
  ];
  const command = ['muster rules import <file>', ...options.filter(Boolean)].join(' ');
  const changed = preview.data === undefined ? 0 : changedRules(preview.data, override) - leave.length;
  const isBusy = preview.isPending || run.isPending || check.isPending;
  return (
    <Page
      title={t`Import rules`}
      above={[{ to: '/rules', label: t`Rules` }]}
      description={t`An export, the rules of one type, or JSON lines. Nothing is stored before you have seen what it would do.`}
    >
      <Stack>
        {isLimited && <Importable types={types} />}
        <Group>
          <FileButton onChange={(file) => void read(file)} accept=".json,.jsonl,.txt,application/json">
            {(props) => (
              <Button {...props} variant="default" leftSection={<IconFileUpload size={16} aria-hidden />}>
                <Trans>Choose a file</Trans>
              </Button>
            )}
          </FileButton>
          {fileName !== undefined && (
            <Text size="sm" className="wrap-anywhere">
              <Trans>
                {fileName}, {characters} characters
              </Trans>
            </Text>
          )}
        </Group>
        {fileProblem !== undefined && <Problem error={fileProblem} />}
        {text.length > SHOWN_TEXT ? (
          <Text size="sm" c="dimmed">
            <Trans>The text is too long to show here.</Trans>
          </Text>
        ) : (
          <Textarea
            label={t`Or the text itself`}
            autosize
            minRows={6}
            maxRows={20}
            spellCheck={false}
            styles={{
              input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 'var(--mantine-font-size-xs)' },
            }}
            value={text}
            onChange={(event) => {
              forget();
              setFileName(undefined);
              setText(event.currentTarget.value);
            }}
          />
        )}
        <NativeSelect
          label={t`Type`}
          description={t`Only for a list of rules, or lines, without a type.`}
          maw={420}
          data={[
            { value: '', label: t`from the text` },
            ...grouped(types).map(({ title, types: members }) => ({
              group: title,
              items: members.map(({ id, title: label }) => ({ value: id, label: `${label} (${id})` })),
            })),
          ]}
          value={type}
          onChange={(event) => {
            forget();
            setType(event.currentTarget.value);
          }}
        />
        <Switch
          label={t`Skip broken lines`}
          description={t`For files of JSON lines: each line that is not JSON is listed, and the others are imported.`}
          checked={skipBroken}
          onChange={(event) => {
            forget();
            setSkipBroken(event.currentTarget.checked);
          }}
        />
        <Switch
          label={t`Run playbooks for existing matches`}
          description={t`For rules of another installation, which has run them. Otherwise hosts that they match already count as fired, and nothing runs.`}
          checked={fireExisting}
          onChange={(event) => {
            forget();
            setFireExisting(event.currentTarget.checked);
          }}
        />
        <Group>
          <Button
            variant={preview.data === undefined ? 'filled' : 'default'}
            loading={preview.isPending}
            disabled={text.trim() === '' || isBusy}
            onClick={() => {
              run.reset();
              setOverride(false);
              setLeft([]);
              preview.mutate({ ...input, override: false, leave: [], dry_run: true });
            }}
          >
            <Trans>Show what it would do</Trans>
          </Button>
        </Group>
        <div
          aria-live="polite"
          ref={outcome}
          style={{ scrollMarginTop: 'calc(var(--app-shell-header-height, 0px) + 1rem)' }}
        >
          {preview.isError && <Problem error={preview.error} />}
          {run.isError && <Problem error={run.error} />}
          {check.isError && <Problem error={check.error} />}
          {check.data !== undefined && <MigrationReport report={check.data} />}
          {run.data !== undefined && <ImportReport answer={run.data} isDone replaces={override} left={leave.length} />}
          {preview.data !== undefined && run.data === undefined && (
            <ImportReport answer={preview.data} isDone={false} replaces={false}>
              <ImportDiffering
                preview={preview.data}
                replaces={override}
                onReplace={setOverride}
                left={left}
                onLeft={setLeft}
              />
              <Group>
                <Button loading={run.isPending} disabled={isBusy || changed === 0} onClick={() => run.mutate(input)}>
                  {changed === 0
                    ? t`There is nothing to import`
                    : t`Import ${plural({ count: changed }, { one: '# rule', other: '# rules' })}`}
                </Button>
              </Group>
            </ImportReport>
          )}
          {preview.data !== undefined &&
            run.data === undefined &&
            changed > 0 &&
            has(session, 'rules/rules-impact') && (
              <ImportImpact key={`${preview.submittedAt} ${override} ${JSON.stringify(leave)}`} file={file} />
            )}
        </div>
        {may(session, 'system/check-export') && (
          <Group gap="sm">
            <Button
              size="xs"
              variant="default"
              loading={check.isPending}
              disabled={text.trim() === '' || isBusy}
              onClick={() => {
                preview.reset();
                run.reset();
                check.mutate({ text, skip_broken: skipBroken, ...(type === '' ? {} : { rule_type: type }) });
              }}
            >
              <Trans>Check it as a migration</Trans>
            </Button>
            <Text size="sm" c="dimmed" flex="1 1 20rem">
              <Trans>
                For the full export of an installation that moves to Muster: lists the parts that work here, that wait
                for a plugin, and that have to be set again. Stores nothing.
              </Trans>
            </Text>
          </Group>
        )}
        <Text size="sm" c="dimmed">
          <Trans>
            The same on the command line: <Command>{command}</Command>; replaced rules can be restored from the history
            of each rule.
          </Trans>
        </Text>
      </Stack>
    </Page>
  );
}

/** For restricted users: shows what they may import, before they choose a file. */
function Importable({ types }: { readonly types: readonly RuleTypeInfo[] }) {
  const names = types.map(({ title, id }) => `${title} (${id})`).join(', ');
  return (
    <Alert color="gray" icon={<IconLock aria-hidden />} p="xs">
      <Text size="sm">
        <Trans>
          You are restricted, so of all types you can import these only: {names}. A file with rules of another type is
          refused as a whole.
        </Trans>
      </Text>
    </Alert>
  );
}
