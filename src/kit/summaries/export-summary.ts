import type { TargetDocument, Wording, WordingParts } from '../../ports/index.ts';
import { enumerated, type Said, worded } from '../worded.ts';

/** Counts of one export. After a run that did not fail, every host is in exactly one of the counts other than `seen`. */
export interface ExportSummary {
  /** Hosts that were handed to the target; those that a filter rule takes out are not among them. */
  readonly seen: number;
  readonly written: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly duration_ms: number;
}

/** A host that the target could not write, and why. */
export interface ExportFailure {
  readonly hostname: string;
  readonly reason: string;
}

export interface ExportReport {
  /** `partial`: everything was done except for single hosts that the target refused. */
  readonly status: 'done' | 'partial' | 'failed';
  /** One line for people. */
  readonly message: string;
  readonly wording?: WordingParts | undefined;
  /** True when the run was called off. */
  readonly cancelled: boolean;
  readonly summary: ExportSummary;
  /** The first of the hosts that failed, and of what else is missing. */
  readonly failures: readonly ExportFailure[];
  /** How many there were of them in all. */
  readonly failuresTotal: number;
  /** The first results for files or documents, if the target reports them. */
  readonly documents?: readonly TargetDocument[];
  readonly documentsTotal?: number;
  /** Fields that were empty for every host, if the target reports them. */
  readonly emptyFields?: readonly string[];
}

/** Reports hold this many hosts by name; the counts are always complete. */
export const MAX_REPORTED_HOSTS = 1_000;
/** A remote system's answer may be a page of text. */
const MAX_REASON_LENGTH = 1_000;
const MAX_REPORTED_DOCUMENTS = 1_000;

/** Counts kept during a run. */
export class ExportTally {
  seen = 0;
  written = 0;
  unchanged = 0;
  failed = 0;
  /** Number of things that are missing although their hosts were written; named among `failures`. */
  leftOut = 0;
  /** Hosts among `failed` that were not handed over. */
  undecided = 0;
  readonly failures: ExportFailure[] = [];
  documents: readonly TargetDocument[] | undefined;
  emptyFields: readonly string[] = [];

  failure(hostname: string, reason: string): void {
    this.failed++;
    this.#name(hostname, reason);
  }

  /** Counts something missing that is not a host: the hosts were written, and it was not. */
  missing(name: string, reason: string): void {
    this.leftOut++;
    this.#name(name, reason);
  }

  #name(hostname: string, reason: string): void {
    if (this.failures.length >= MAX_REPORTED_HOSTS) return;
    this.failures.push({ hostname, reason: shortReason(reason) });
  }

  /** Returns the part of the report about documents; nothing for targets that do not report any. */
  documentReport(): Pick<ExportReport, 'documents' | 'documentsTotal' | 'emptyFields'> {
    const empty = this.emptyFields.length === 0 ? {} : { emptyFields: this.emptyFields };
    if (this.documents === undefined) return empty;
    const documents = this.documents.slice(0, MAX_REPORTED_DOCUMENTS);
    return { documents, documentsTotal: this.documents.length, ...empty };
  }

  summary(duration: number): ExportSummary {
    const { seen, written, unchanged, failed } = this;
    return { seen, written, unchanged, failed, duration_ms: Math.round(duration) };
  }
}

/** A reason as far as a report has it. */
export function shortReason(reason: string): string {
  return reason.length > MAX_REASON_LENGTH ? `${reason.slice(0, MAX_REASON_LENGTH)}…` : reason;
}

type CountName = 'written' | 'unchanged' | 'failed';
type Counted = Readonly<Record<CountName, (count: number) => Wording>>;

const UNCHANGED = (count: number): Wording => worded`${{ count }} unchanged`;
const COUNTS: Counted = {
  written: (count) => worded`${{ count }} written`,
  unchanged: UNCHANGED,
  failed: (count) => worded`${{ count }} failed`,
};
const COUNTS_OF_DRY_RUN: Counted = {
  written: (count) => worded`${{ count }} would be written`,
  unchanged: UNCHANGED,
  failed: (count) => worded`${{ count }} would fail`,
};

/** `3 written`, `9 unchanged`, or of a dry run `3 would be written`; counts of nothing are left out. */
export function countWordings(countOf: (name: CountName) => number, dryRun = false): readonly Wording[] {
  const words = dryRun ? COUNTS_OF_DRY_RUN : COUNTS;
  return (Object.keys(words) as CountName[]).flatMap((name) => {
    const count = countOf(name);
    return count === 0 ? [] : [words[name](count)];
  });
}

/** All counts in one line. */
export function countsWording(summary: ExportSummary, dryRun = false): Said {
  const nothing = dryRun ? worded`nothing would be done` : worded`nothing was done`;
  return enumerated(countWordings((name) => summary[name], dryRun)) ?? nothing;
}

export function hostsWording(count: number): Wording {
  return count === 1 ? worded`1 host` : worded`${{ count }} hosts`;
}

/** `12 hosts: 3 written, 9 unchanged`. */
export function exportSummaryWording(summary: ExportSummary, dryRun = false): Wording {
  return worded`${{ hosts: hostsWording(summary.seen) }}: ${{ counts: countsWording(summary, dryRun) }}`;
}
