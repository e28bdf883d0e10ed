import { plural, t } from '@lingui/core/macro';
import type { OfferedOutput } from '../../offered-operations.ts';
import { numberText } from '../language/numbers.ts';

type Outcome = OfferedOutput<'exports/export-account'>;

interface Asked {
  readonly hasObjects: boolean;
  /** The last dry run on this page, if it did not fail. */
  readonly dryRun: Outcome | undefined;
}

/**
 * Returns the question before an export, based on the preceding dry run, if any. Red if the dry run reports files to be removed.
 */
export function exportQuestion({ hasObjects, dryRun }: Asked): { readonly text: string; readonly isGentle: boolean } {
  if (hasObjects) {
    const changes = dryRun?.changes_total;
    return {
      text:
        changes === undefined
          ? t`A plan is made and applied at once, within the thresholds of the account. A dry run, or a plan, shows the changes before they are made.`
          : t`The dry run has ${plural(changes, { one: '# change', other: '# changes' })}. A plan is made and applied at once, within the thresholds of the account.`,
      isGentle: false,
    };
  }
  if (dryRun === undefined) {
    return {
      text: t`Afterwards the target holds exactly these hosts: what an earlier export wrote and this one does not is removed there. A dry run shows how many there are.`,
      isGentle: false,
    };
  }
  const { summary, documents, documents_total: total = 0, failures_total: failures } = dryRun;
  const written = plural(summary.written + summary.unchanged, { one: '# host', other: '# hosts' });
  const missing =
    failures === 0 ? '' : ` ${t`${{ failures: numberText(failures) }} cannot be written and are left out.`}`;
  if (documents === undefined)
    return { text: `${t`As the dry run shows, ${{ written }} are exported.`}${missing}`, isGentle: true };
  const gone = documents.filter(({ change }) => change === 'deleted').length;
  const stay = documents.filter(({ change }) => change === 'left').length;
  const files = plural(total - gone - stay, { one: '# file is written', other: '# files are written' });
  const removed = gone === 0 ? '' : ` ${plural(gone, { one: '# file is deleted.', other: '# files are deleted.' })}`;
  return {
    text: `${t`As the dry run shows, ${{ files }}, with ${{ written }} in all.`}${removed}${missing}`,
    isGentle: gone === 0,
  };
}
