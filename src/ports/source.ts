import type * as z from 'zod';
import type { Wording } from './errors.ts';
import type { SourceFiles } from './files.ts';
import type { Http } from './http-client.ts';
import type { JsonObject, JsonValue } from './json.ts';
import type { Logger } from './logger.ts';
import type { SourcePrograms } from './programs.ts';

/** An edge from what a record describes to another host or object, whether that one is known yet or not. */
export interface SourceRelation {
  /** `depends_on`, `runs_on`, `member_of`, `parent_of` or `connects_to`. */
  readonly type: string;
  /** The name at the other end, as the source has it: rewritten like the names of its records. */
  readonly target: string;
}

/** The content that a record puts into a section, if that differs from its labels and sections. */
export interface SectionFill {
  /** Behind the key that the account names: `applications` makes `<inventorize_key>_applications`. */
  readonly suffix?: string;
  readonly content: JsonObject;
  /** True: the record has the name that the host is stored under, which `rewrite_hostname` leaves as it is. */
  readonly named?: true;
}

/** One record as the source system has it. */
export interface SourceRecord {
  readonly kind: 'record';
  /** Position in the source, for people: `line 12`, `record 3`. */
  readonly position: string;
  /** The name before trimming and rewriting. */
  readonly hostname: string;
  /**
   * The kind of the record: `host`, or an object such as `network` or `cluster`. Absent: the kind of the account. A source that
   * yields objects also sets it for hosts, so that no object is mistaken for a host of the same name.
   */
  readonly type?: string;
  /** The part of the source that it comes from, if there are several. */
  readonly part?: string;
  /** All members, flattened to labels by the source; the importer checks and filters them. */
  readonly labels: Readonly<Record<string, JsonValue>>;
  /** Sections for the host's inventory, by key. */
  readonly inventory?: Readonly<Record<string, JsonObject>>;
  /**
   * All edges of the record that the source knows. They carry the account's name as their source, and a run that read everything
   * withdraws those that it no longer names.
   */
  readonly relations?: readonly SourceRelation[];
  /**
   * Identifiers of the thing elsewhere, by which it is found again after a rename, and in other sources: names such as `serial`,
   * `uuid`, `mac`, `fqdn` and `cloud_id`, each with its values; `id` is the identifier that only this source uses. Names are
   * lower-case letters, digits and `_`. A placeholder value for an unknown one (`N/A`, `00:00:00:00:00:00`) is ignored.
   */
  readonly keys?: Readonly<Record<string, readonly string[]>>;
  /** Inventorizing: what it fills a section with; absent: all that it has. */
  readonly fills?: SectionFill;
  /** The member that should have the name had none, and a later one gave it: it may be another name of a known host. */
  readonly laterName?: true;
  /**
   * Doubtful points of the record, as text that follows its name: two members of one name. The record is written nevertheless.
   */
  readonly warnings?: readonly (string | Wording)[];
}

/** A record that cannot become a host: named, counted, never silently lost. */
export interface SkippedRecord {
  readonly kind: 'skipped';
  readonly position: string;
  /** The record's name when it has one. */
  readonly hostname?: string;
  /** The labels of a record that is skipped for lack of a name: they help users choose the member with the hostname. */
  readonly labels?: Readonly<Record<string, JsonValue>>;
  /** The keys of a record without a name: a host that has one of them is still in the source. */
  readonly keys?: SourceRecord['keys'];
  /** A sentence, to follow the name; with its parts, pages say it in their language. */
  readonly reason: string | Wording;
}

/**
 * A part of the source that could not be read despite retries. The source continues with the others, the run becomes `partial`,
 * and nothing is archived or withdrawn, because what seems missing may be in the gap.
 */
export interface SourceGap {
  readonly kind: 'gap';
  /** The missing part, for people: `page 7 of 12`. */
  readonly what: string | Wording;
  /** With their parts, pages say both in their language. */
  readonly reason: string | Wording;
}

/** Records that options of the account leave out, reported once at the end: they are not hosts of this source. */
export interface LeftOutRecords {
  readonly kind: 'left_out';
  readonly count: number;
  /** The cause: `left out by record_filter`. */
  readonly reason: string;
}

/**
 * From where the next run may read on. It comes before any record, and is kept once the run has ended well: a run that failed, or is
 * partial, is read again from where it began.
 */
export interface SourceBookmark {
  readonly kind: 'bookmark';
  /** The source's own position, such as a time of the system's own clock; not secret. */
  readonly text: string;
  /**
   * If true, this run reads only changes since the bookmark that it was given, so it archives and withdraws nothing. Such records
   * need the key `id`: it shows whether the host of that name is still the same thing.
   */
  readonly changesOnly: boolean;
}

export type SourceItem = SourceRecord | SkippedRecord | SourceGap | LeftOutRecords | SourceBookmark;

export interface ReadContext {
  readonly signal: AbortSignal;
  /** How far the source is; `total` when known. In units of the source (bytes of a file, records of an API). */
  progress(done: number, total?: number): void;
  /** The one part to read; absent: all of them. */
  readonly part?: string;
  /** Records fill a section of existing hosts, and are not hosts themselves. */
  readonly inventorizes?: true;
  /** The bookmark of the last run that ended well, where only what changed since may be read; absent: everything is. */
  readonly since?: string;
}

/** A part of a source that can be read by itself, such as the machines of a system that has racks too. */
export interface SourcePart {
  /** `vms` */
  readonly id: string;
  /** For people: `virtual machines`. */
  readonly title: string;
  /** Inventorizing by this part: the section where the account names none. */
  readonly section?: string;
}

/**
 * A system that hosts come from, opened for one run.
 *
 * `read` gives the records in batches, in the source's order, and never holds more than a batch in memory. It must throw
 * (`AppError('failed')`) when the source is missing, unreadable, cut off or not of the promised shape: a read that ends
 * without an error and without a gap means that this is everything the source has.
 */
export interface Source {
  /** The parts that a run without one reads; absent: all. What the others brought stays as it is then. */
  readonly parts?: readonly string[];

  read(context: ReadContext): AsyncIterable<readonly SourceItem[]>;

  /** Connects, reads no record, and says in one sentence to what and as whom: `NetBox 4.1 as reader`. Throws when it could not. */
  check?(context: { readonly signal: AbortSignal }): Promise<string>;

  /**
   * The names of the members of its records, each once, as far as they are known before a record is read, such as the headings of
   * a table: for users choosing the one with the hostname, which the options may name wrongly. Throws if it cannot read as far as
   * that.
   */
  columns?(context: ReadContext): Promise<readonly string[]>;
}

/** The fields that every account can have in addition to the options of its type. */
export type AccountField = 'address' | 'username' | 'password';
export type AccountFieldTitles = Readonly<Partial<Record<AccountField, string>>>;

/** The account a source is opened for. */
export interface SourceAccount {
  readonly name: string;
  readonly address: string;
  readonly username: string;
  /** The decrypted password; empty when the account has none. */
  readonly password: string;
}

export interface SourceServices {
  readonly logger: Logger;
  /** The way to files that options of the account name. A source that opens them by itself opens any file of the service. */
  readonly files: SourceFiles;
  /** Programs of this machine that the source has run for it. */
  readonly programs: SourcePrograms;
  /** Systems that are asked over HTTP. */
  readonly http: Http;
}

/** Options and mapping for a known system, as data. */
export interface SourcePreset {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** True if the preset ships with the program; false for a file of the operator. */
  readonly shipped: boolean;
  /** Parameters that an account must or may set: each with its description, and its value if not set. */
  readonly parameters: Readonly<
    Record<string, { readonly description: string; readonly default?: string | undefined }>
  >;
}

export interface SourcePresets {
  /** By name. */
  list(): Promise<readonly SourcePreset[]>;
  /** A file to start from, with what each of its members means. */
  starter(name: string): Promise<string>;
}

export interface SourceType<Options = unknown> {
  /** The account type, `csv`. */
  readonly id: string;
  readonly aliases?: readonly string[];
  readonly title: string;
  readonly description: string;
  /**
   * The options of an account of this type, in addition to those that every import has. A strict object; options come as text
   * from the command line and from exported documents, so members coerce. Defines help, messages and the admin form.
   */
  readonly options: z.ZodType<Options>;
  /**
   * True for a source that reads from this machine alone. Accounts of existing installations carry options for requests whatever
   * their type is (`http_proxy`, `verify_cert` …), which mean nothing to it: they are passed over, where others refuse them.
   * Nor does it log in anywhere: it gets no password, and opens where that cannot be decrypted. It has no use for any `AccountField`.
   */
  readonly isLocal?: boolean;
  /** Options that a new account of the type begins with, unless it sets them; existing accounts have their defaults. */
  readonly newOptions?: Readonly<Record<string, string>>;
  /** Fields that accounts of the type do not need: forms omit them. Absent: they may need all of them. */
  readonly unusedFields?: readonly AccountField[];
  /**
   * Titles of the fields for accounts of the type, such as "API token" for the password; absent: address, user name, password.
   */
  readonly fieldTitles?: AccountFieldTitles;
  /** Presets from which accounts of the type can take their options. */
  readonly presets?: SourcePresets;
  /**
   * Present if the source has several parts. Its records name the one they come from, and one part never archives what another
   * one brought.
   */
  readonly parts?: readonly SourcePart[];
  /** For a source that can read only changes: hours after which it is to read everything again; 0: each time. */
  wholeReadHours?(options: Options): number;
  /** Throws `AppError('invalid_input')` for options that cannot work, where their schema does not tell. Asked when an account is saved. */
  refuse?(options: Options): Promise<void>;
  open(options: Options, account: SourceAccount, services: SourceServices): Source;
}
