import type { MessagePort } from 'node:worker_threads';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { Storage } from './storage.ts';

export interface StoreSettings {
  /** Relative paths of an address start here. */
  readonly workingDirectory: string;
  readonly maxHostBytes: number;
  /** True for work on what is stored: a store that is not there yet is an error then and not made. */
  readonly mustExist: boolean;
  /** Told where a store was made. */
  readonly made?: (place: string) => void;
  /** False for read-only use: a store of an older version is then an error and not upgraded. */
  readonly mayUpgrade: boolean;
  /** Answers the password that wins over the one in the address. It may have changed, so each new connection asks for it. */
  readonly password?: () => Promise<string>;
  /** The address of a replica; `password` is also for it unless it has one of its own. */
  readonly replica?: string;
  /**
   * Set in a further thread of the process that opened the store first: its line to that thread, from
   * `OpenedStore.lineForThread`.
   */
  readonly line?: MessagePort;
}

export interface OpenedStore {
  /** Not started. */
  readonly storage: Storage;
  /**
   * For stores in which threads of one process must write through the one that opened it first: creates a line for each of them.
   */
  lineForThread?(): MessagePort;
}

/** A store, as its addresses name it. Drivers load nothing before they open. */
export interface StoreDriver {
  /** The prefixes of an address, before the colon. No two drivers share one. */
  readonly schemes: readonly string[];
  /** How its addresses begin, for messages: `sqlite:`. */
  readonly addresses: string;
  /** True when other threads and processes can open the same store. */
  readonly isShared: boolean;
  /** True when it reads from replicas. */
  readonly hasReplicas?: true;
  open(
    address: string,
    settings: StoreSettings,
    deps: { readonly logger: Logger; readonly clock: Clock },
  ): Promise<OpenedStore>;
  /** Absolute paths of the files of this machine in which it keeps what is stored; they may be absent. Empty for servers. */
  files(address: string, workingDirectory: string): readonly string[];
  /** Absolute paths of copies that it keeps next to them. */
  copies?(address: string, workingDirectory: string): readonly string[];
}
