import type * as z from 'zod';
import type { Wording } from './errors.ts';
import type { JsonObject } from './json.ts';
import type { AccountField, AccountFieldTitles, SourcePresets } from './source.ts';
import type { TargetAccount, TargetHost, TargetServices, TargetType } from './target.ts';

/** How Muster treats a field of the objects of a kind. */
export interface TargetField {
  /**
   * `set`: a list whose order and repetitions mean nothing. `members`: an object of which only the members count that are wanted; one that is
   * not there is null. Default `exact`.
   */
  readonly compare?: 'exact' | 'set' | 'members';
  /** Written when the object is made, and never again. */
  readonly once?: boolean;
  /** Written by a call of its own after the object was made, so that one whose making broke off may be there without it. */
  readonly later?: boolean;
  /** Never shown. A system that does not give it back is written to when it is to be another one than was written last. */
  readonly secret?: boolean;
}

/** One kind of objects of a remote system. */
export interface TargetKind {
  /** `device`. Never changes: Muster remembers what it owns by it. */
  readonly id: string;
  /** Plural, for people: `Devices`. */
  readonly title: string;
  /** How many changes one call of `apply` takes at most. Absent: one. */
  readonly batch?: number;
  /** All fields that `wanted` may name. Others of the remote objects are never looked at. */
  readonly fields: Readonly<Record<string, TargetField>>;
  /**
   * Others need such objects to be there, whosever they are, such as sites and manufacturers: one that is missing is made, and one that is
   * there is good as it is. None is ever changed or deleted, and the first record that wants one says what it is made as.
   */
  readonly ensured?: true;
  /**
   * Several records may want one such object, such as the cluster that they are in: what they name of it is put together. Without this, and
   * where they name a field differently, nothing is done to an object of which two records want different things.
   */
  readonly shared?: true;
  /**
   * The kind that objects of this one are a side of, written later than the rest because it refers to what comes between, such as the
   * primary address of a device. An object has the key of what it is a side of, and is ours when that is.
   */
  readonly of?: string;
  /**
   * The kind that objects of this one are parts of, such as the interfaces of a device: their keys are the key of that object, which they come
   * after, a slash, and the rest. They move with it when it gets another key.
   */
  readonly within?: string;
  /**
   * Further kinds that objects of this one are parts of or are put on, such as the interface of an address; `after` names which.
   * As with `of` and `within`, nothing is written on an object that is not ours. Kinds that are only referred to, such as the
   * site of a device, are not listed here.
   */
  readonly partOf?: readonly string[];
  /**
   * Separator in keys after the part that an object never changes, such as its type: it moves only to a key that is the same up
   * to there.
   */
  readonly family?: string;
  /** Objects that are there are changed, and none is made or deleted: one that is missing is not missed. */
  readonly onlyThere?: true;
  /** Objects are not deleted: `fields` are written instead. One that has them already stays, and is given `back` when it is wanted again. */
  readonly retired?: { readonly fields: JsonObject; readonly back: JsonObject };
}

/** Some kinds of a target that may be exported by themselves. What other parts want stays known, and is left as it is. */
export interface TargetPart {
  /** `vms` */
  readonly id: string;
  /** For people: `virtual machines`. */
  readonly title: string;
  /** Kinds whose objects are created, changed and deleted. A kind may belong to several parts. */
  readonly kinds: readonly string[];
}

/** A host or a non-host object, as the rules of the export produced it. */
export interface TargetRecord extends TargetHost {
  readonly objectType: string;
  readonly isObject: boolean;
}

/** That by which an object is known to people and to other objects. */
export interface ObjectReference {
  readonly kind: string;
  /** Unique within its kind, and plain text: a name, a path, an address. */
  readonly key: string;
}

/** An object as the remote system has it. */
export interface RemoteObject extends ObjectReference {
  /** The system's permanent id of the object; stays the same when the key changes. */
  readonly id: string;
  /** As `wanted` names them. Those that the system does not give back are left out. */
  readonly fields: JsonObject;
  /**
   * The owner according to a mark in the system, if it has a place for one. `us`: created by this account. `other`: created by
   * someone else who left a mark; never touched. `nobody`: no mark, and Muster's own records decide.
   */
  readonly owner: 'us' | 'other' | 'nobody';
  /** The version of the object, where the system has one; given back with a change. */
  readonly etag?: string;
  /** The objects it is part of or put on in the system, if its key does not show them. */
  readonly partOf?: readonly ObjectReference[];
}

/**
 * A part that could not be read, however often it was tried. Nothing of these kinds is deleted then, and nothing of them is made,
 * because what is missing may be it. Without kinds that holds for all.
 */
export interface RemoteGap {
  /** The missing part, for people: `page 7 of 12`. */
  readonly gap: string | Wording;
  /** With their parts, pages say both in their language. */
  readonly reason: string | Wording;
  readonly kinds?: readonly string[];
}

/** An object as a host wants it to be. A field that it does not name is left alone. */
export interface WantedObject extends ObjectReference {
  readonly fields: JsonObject;
  /** Written when the object is created and never again, in addition to `fields`. */
  readonly initial?: JsonObject;
  /** Objects that must be there before: a folder before its hosts. */
  readonly after?: readonly ObjectReference[];
  /** Id of the rule that wants it, where that is known. */
  readonly rule?: string;
}

export type ChangeAction = 'create' | 'update' | 'move' | 'delete' | 'adopt';

/** One change of a plan. */
export interface Change extends ObjectReference {
  readonly action: ChangeAction;
  /** The remote id; absent for what is to be made. */
  readonly id?: string;
  /** Its key until now, of what moves. */
  readonly previousKey?: string;
  /** `create`: all fields. `update`, `move`, `adopt`: those that differ. `delete`: none, or those of a kind that is retired. */
  readonly fields: JsonObject;
  /** Previous values of these fields, as far as the system gave them. */
  readonly before?: JsonObject;
  /** All fields that the system gave of an object that is there, for requests that need more of it than what changes. */
  readonly current?: JsonObject;
  readonly etag?: string;
  readonly after: readonly ObjectReference[];
}

/**
 * The outcome of a change. `refused`: the system does not accept it. `changed`, `gone`, `exists`: the object is no longer what
 * the plan was made from. `not_tried`: nothing was done, because the call as a whole was refused; Muster then tries each change
 * alone. `unknown`: it may or may not have been done; Muster does not try again, and the next plan finds out. `in_the_way`:
 * refused because of something that another change of the plan may remove, such as a name that another object gives up; Muster
 * tries it once more after the others.
 */
export type ChangeOutcome =
  | { readonly done: true; readonly id?: string; readonly etag?: string }
  | {
      readonly done: false;
      readonly code: 'refused' | 'changed' | 'gone' | 'exists' | 'not_tried' | 'unknown' | 'in_the_way';
      /** Shown to people. */
      readonly reason: string;
      /**
       * Id of an object that was created nevertheless, though incompletely: it is ours, and the next plan writes what is missing.
       */
      readonly id?: string;
    };

export interface RemoteReading {
  readonly signal: AbortSignal;
  /** The one part that is exported; absent: all of them. Kinds that nothing of it refers to need not be read then. */
  readonly part?: string;
  /** Reports that work continues; a call that does nothing for `PLUGIN_TIMEOUT_SECONDS` has failed. */
  progress(note?: string): void;
}

export interface RemoteWriting extends RemoteReading {
  /** The remote id of an object, also of one that was made in this run. */
  idOf(kind: string, key: string): string | undefined;
}

/**
 * A remote system with objects of its own and of others, opened for one run. It reads, says what a host should be there, and does single
 * changes; Muster compares, plans, remembers what it owns, and decides what is done and in which order.
 */
export interface ObjectTarget {
  /**
   * Names the system and the part of it that ids belong to, such as an address without its scheme and a workspace. What Muster made
   * in one system is not looked for in another. Absent: the target cannot tell one system from another.
   */
  readonly system?: string;

  /** The kinds, where options of the account say which there are, or what happens to them. */
  readonly kinds?: readonly TargetKind[];

  /**
   * Yields the current objects in any order, each object once, in batches: those we own, and everything that we might touch or
   * that might be in our way. Must throw (`AppError('failed')`) if the system is out of reach; a part that cannot be read is a
   * gap. Yielded values must not be modified afterwards: Muster keeps them without a copy.
   */
  read(context: RemoteReading): AsyncIterable<readonly (RemoteObject | RemoteGap)[]>;

  /** Returns the objects wanted for one record: none, one or many. Must depend on the record alone, and not wait for anything. */
  wanted(record: TargetRecord): readonly WantedObject[];

  /**
   * Applies changes of one kind and one action, at most the `batch` of the kind, and answers each, in their order. Throwing means
   * that it is unknown what was done. Must not change an object whose `etag` is a different one by now (`changed`), if the system
   * can detect that.
   */
  apply(changes: readonly Change[], context: RemoteWriting): Promise<readonly ChangeOutcome[]>;

  /** Asks the system, changes nothing, and says in one sentence what a run would write to. Throws when it could not. */
  check?(context: { readonly signal: AbortSignal }): Promise<string>;

  /** Lets go of what `apply` holds, after its last call. */
  close?(): Promise<void>;
}

/** Whether a type of targets has objects. */
export function isObjectTarget(type: TargetType | ObjectTargetType): type is ObjectTargetType {
  return 'kinds' in type;
}

/** A type of accounts whose target has objects. */
export interface ObjectTargetType<Options = unknown> {
  /** The account type. Sources and targets share these names. */
  readonly id: string;
  readonly aliases?: readonly string[];
  readonly title: string;
  readonly description: string;
  /** See `TargetType`. */
  readonly options: z.ZodType<Options>;
  /** See `SourceType`. */
  readonly unusedFields?: readonly AccountField[];
  /** See `SourceType`. */
  readonly fieldTitles?: AccountFieldTitles;
  /** In the order in which they are made; they are deleted the other way round. `by_account`: the opened target says them. */
  readonly kinds: readonly TargetKind[] | 'by_account';
  /** Parts that may be exported by themselves. Only with kinds that do not depend on the account. */
  readonly parts?: readonly TargetPart[];
  /** Presets from which accounts of the type can take their options. */
  readonly presets?: SourcePresets;
  /** Which records of the store are exported. Default `hosts`; `objects` are records that are not hosts. */
  readonly takes?: 'hosts' | 'objects' | 'all';
  /** Must not touch the system yet. */
  /** Throws `AppError('invalid_input')` for options that cannot work, where their schema does not tell. Asked when an account is saved. */
  refuse?(options: Options): Promise<void>;
  open(options: Options, account: TargetAccount, services: TargetServices): ObjectTarget | Promise<ObjectTarget>;
}
