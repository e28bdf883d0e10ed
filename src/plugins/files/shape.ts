import type { GroupsWanted, TargetGroup } from '../../ports/index.ts';
import type { HostView } from './host-view.ts';

/** A host that cannot be written in a format. The message is for people, and never holds control characters. */
export class HostFault extends Error {
  override readonly name = 'HostFault';
}

/** Something of hosts that is not written, and why. */
export interface LeftOut {
  readonly name: string;
  readonly reason: string;
}

/** One of two names that became the same. */
export function lostName(kind: string, name: string, served: string, kept: string): LeftOut {
  return {
    name: `${kind} ${name}`,
    reason: `it becomes ${JSON.stringify(served)}, as ${JSON.stringify(kept)} does, which is written; nothing is merged`,
  };
}

/** A piece of a file: which one, behind the path of the account where the shape makes a folder, and what is added to it. */
export interface Piece {
  /** Below the path that the account names; absent: that path itself. */
  readonly below?: string;
  readonly text: string;
}

/** Defines how hosts are written to files. One is made for each run. */
export interface Shape {
  /** The media type, for readers over HTTP. */
  readonly contentType: string;
  /** Returns the content that a host adds to the file or folder of its path. Throws `HostFault`. */
  host(host: HostView, path: string): string | readonly Piece[];
  /** In front of the first host of a file. */
  readonly open?: string;
  /** Between two hosts. */
  readonly between?: string;
  /** Behind the last one. */
  readonly close?: string;
  /** A file without hosts, where that is something other than `open` and `close`. */
  readonly empty?: string;
  /** Which groups of the inventory the shape writes into what a path makes. */
  groups?(path: string): GroupsWanted;
  /** Returns the content at the end of a path, once all its hosts and the groups that it requested are known. */
  rest?(path: string, groups: readonly TargetGroup[]): readonly Piece[];
  /**
   * The name by which readers of the file know a host, where that may differ from its own. Of hosts that are one to them, the one whose name
   * needs no change is written, or else the first in byte order; the others fail.
   */
  knownAs?(host: HostView): string;
  /** Returns what is missing from the files although hosts were written, once the whole run is known. */
  leftOut?(): readonly LeftOut[];
  /** Returns the text at the beginning that distinguishes each version of the file's content. */
  readonly numbered?: (serial: number) => string;
}
