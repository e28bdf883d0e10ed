import type * as z from 'zod';
import type { SourceFiles, TargetFiles } from './files.ts';
import type { Http } from './http-client.ts';
import type { JsonObject, JsonValue, StoredJson } from './json.ts';
import type { Logger } from './logger.ts';
import type { PublishedFiles } from './published-files.ts';
import type { AccountField, AccountFieldTitles, SourceAccount } from './source.ts';
import type { TextTemplates } from './text-templates.ts';

/** The decision of one rule of a target for one host. */
export interface TargetOutcome {
  /** For `rule` of what is wanted, so that people see which rule it was. */
  readonly rule: { readonly id: string; readonly name: string };
  readonly value: JsonValue;
}

/**
 * One host as the rules of the export made it. There is nothing else about it to be had: what a filter took out must not
 * leave by another door. All texts came from data and are plain: a target whose system evaluates templates must make
 * them harmless in `variables` and `groups`, keys included; `expressions` alone are meant to be evaluated.
 */
export interface TargetHost {
  readonly hostname: string;
  readonly variables: StoredJson<JsonObject>;
  /** Variables that the author of a rule marked for the consumer to evaluate: laid over `variables`. */
  readonly expressions?: JsonObject;
  readonly groups: readonly string[];
  /**
   * Decisions of the target's own rules of stage `target`, by the ident of their type, in the order of the rules. Types without a
   * decision are absent.
   */
  readonly outcomes: Readonly<Record<string, readonly TargetOutcome[]>>;
}

/** A group of the inventory that has these hosts. */
export interface TargetGroup {
  /** As the target writes it; `all` is the group of all hosts. */
  readonly name: string;
  /** True for a group that `all` has as a child itself. */
  readonly isTop: boolean;
  /** In byte order. No group is below itself. */
  readonly children: readonly string[];
  readonly variables: JsonObject;
  /** Variables that the author of a rule marked for the consumer to evaluate: laid over `variables`. */
  readonly expressions: JsonObject;
  /** Names of `variables` that a rule of an administrator sets, and no data. */
  readonly vouched: readonly string[];
}

/** Which groups a target asks for. */
export interface GroupsWanted {
  /** Those that hosts are in, as the target writes them. */
  readonly used: Iterable<string>;
  /** How the target writes the name of a group; `undefined` for one that it cannot write, which is left out. */
  written(group: string): string | undefined;
  /** The name that a written one was made of, which patterns of rules are compared with; absent: the same. */
  original?(written: string): string;
}

/**
 * One run, from the point of view of the target. Every host must be reported once, as soon as its outcome is known: with the very
 * object that was handed over, so that no names need to be kept. Reports of other objects, and a second report of one, throw and
 * fail the run. After the run is over, reports are ignored.
 */
export interface TargetRun {
  /** True: change nothing, and report what a real run would report. */
  readonly dryRun: boolean;
  /** Aborts when the run is called off or has failed. Nothing may be removed after that. */
  readonly signal: AbortSignal;
  written(host: TargetHost): void;
  /** The system had the host just so, and nothing was done. */
  unchanged(host: TargetHost): void;
  /** The system does not take this host; the others go on. The reason is shown to people. */
  failed(host: TargetHost, reason: string): void;
  /**
   * Number of hosts missing among those handed over because it could not be decided whether they belong in; complete once the
   * iteration has ended. If hosts have data of their own in the system, unwanted data stays unless this is 0: it may be theirs.
   */
  undecided(): number;
  /**
   * The groups that are used, and all that rules about groups define, with or without hosts: in byte order, each once, `all`
   * among them if it has variables. May be called at any time and more than once. Rejects if rules cannot be read.
   */
  groups(wanted: GroupsWanted): Promise<readonly TargetGroup[]>;
  /**
   * Reports that the run continues, for work between reports, such as a commit at the end. A target that neither takes a batch,
   * reports a host nor calls this for `PLUGIN_TIMEOUT_SECONDS` has failed.
   */
  progress(note?: string): void;
}

export interface TargetResult {
  /** The outcome of every host that was not reported individually. Without it, each host must have been. */
  readonly others?: 'written' | 'unchanged';
  /**
   * The outcome of each file or document, or its expected outcome in a dry run, if there may be several. Unchanged ones need not
   * be named.
   */
  readonly documents?: readonly TargetDocument[];
  /** Fields that the account names, such as columns, which were empty for every host: a name that is misspelt, or that no rule makes any more. */
  readonly emptyFields?: readonly string[];
  /**
   * Data missing in the system although its hosts were written, such as one of two names that became the same: the run is
   * partial.
   */
  readonly leftOut?: readonly { readonly name: string; readonly reason: string }[];
}

/** Number of characters of the beginning of a text that a dry run gets; a shorter text is given in full. */
export const BEGINNING_CHARACTERS = 20_000;

export interface TargetDocument {
  readonly name: string;
  /** `left`: it is no longer wanted, but stays because it was changed by someone else. */
  readonly change: 'created' | 'changed' | 'deleted' | 'left';
  /**
   * In a dry run: its future beginning, for people to look at: its whole text, or the first 20,000 characters. At most the first
   * 2,000 of those are shown; the rest shows the end of a hidden secret.
   */
  readonly beginning?: string;
  /**
   * In a dry run, for a text that the account wrote itself and that would change: how many lines would be added, removed and
   * kept. Numbers instead of lines: what was written earlier may hold secrets that are no longer known as such.
   */
  readonly lines?: { readonly added: number; readonly removed: number; readonly kept: number };
}

/** A system that hosts are exported to, opened for one run. */
export interface Target {
  /**
   * Makes the system hold these hosts. They come by hostname, in byte order, each once, in batches; the next batch is made
   * when it is asked for.
   *
   * The target owns what it wrote: **the hosts of a run are the complete set**. When the iteration ends normally, what an
   * earlier run wrote and this one did not hand over must be removed (a host that the system refused was handed over, and
   * stays as it is). When the iteration throws, nothing may be removed, and the target must throw too. It must take every
   * batch, and it must throw (`AppError('failed')`) when the system as a whole is out of reach or refuses.
   */
  write(hosts: AsyncIterable<readonly TargetHost[]>, run: TargetRun): Promise<TargetResult>;

  /** Asks the system, changes nothing, and says in one sentence what a run would write to. Throws when it could not. */
  check?(context: { readonly signal: AbortSignal }): Promise<string>;
}

/** The account a target is opened for. */
export type TargetAccount = SourceAccount;

export interface TargetServices {
  /** Hides the secrets of the account. */
  readonly logger: Logger;
  /** The way to files that options of the account name. A target that writes by itself writes over any file of the service. */
  readonly files: TargetFiles;
  /** Files that are read and not written, such as certificates; as a source reads them. */
  readonly sourceFiles: Pick<SourceFiles, 'read'>;
  /** Systems that are written to over HTTP. */
  readonly http: Http;
  /** Files that the account publishes over HTTP. */
  readonly published: PublishedFiles;
  /** Templates that options hold. */
  readonly templates: TextTemplates;
}

export interface TargetType<Options = unknown> {
  /** The account type, `json_file`. Sources and targets share these names. */
  readonly id: string;
  readonly aliases?: readonly string[];
  readonly title: string;
  readonly description: string;
  /**
   * The options of an account of this type, in addition to those that every export has. A strict object; options come as text
   * from the command line and from exported documents, so members coerce. Defines help, messages and the admin form.
   */
  readonly options: z.ZodType<Options>;
  /** See `SourceType`. */
  readonly unusedFields?: readonly AccountField[];
  /** See `SourceType`. */
  readonly fieldTitles?: AccountFieldTitles;
  /**
   * The name of the option with the path that a run with these options writes on this machine; `undefined` if it writes none.
   * Everything from the first `{{` or `{%` on may be a template. If someone other than the operator of the machine gives an
   * account a new path, the core refuses one outside of `FILE_TARGET_DIRS` when the account is saved, and makes a relative path
   * begin in the first of these folders.
   */
  writtenPath?(options: Options): string | undefined;
  /** Must not touch the system yet. */
  open(options: Options, account: TargetAccount, services: TargetServices): Target;
}
