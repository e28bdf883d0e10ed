import type { JSONWebKeySet } from 'jose';
import type { ServerMetadata } from 'openid-client';

/** A provider's metadata is changed manually, such as when it moves. */
const METADATA_MS = 10 * 60_000;
/** A revoked key remains accepted for this time. */
const KEYS_MS = 10 * 60_000;
/** Any sender can name an unknown key in a message: this limits how often the provider is asked for newer keys. */
const AGAIN_MS = 30_000;
/** Accounts have settings by the dozen; what was changed leaves entries behind. */
const MOST_PROVIDERS = 50;

interface Kept<T> {
  readonly value: T;
  readonly at: number;
}

interface Known {
  metadata?: Kept<ServerMetadata>;
  keys?: Kept<JSONWebKeySet>;
  /** When the keys were last asked for, also in vain. */
  keysAskedAt?: number;
  /** Pending requests, shared by all callers in the meantime. */
  askingMetadata?: Promise<ServerMetadata>;
  askingKeys?: Promise<JSONWebKeySet>;
}

export interface KnownProviders {
  /** Returns the provider's metadata, at most ten minutes old. `isFresh` forces a new request. Failures are not cached. */
  metadata(provider: string, ask: () => Promise<ServerMetadata>, isFresh?: boolean): Promise<ServerMetadata>;
  /** The keys that the provider signs with, at most ten minutes old. Failures are not kept. */
  keys(provider: string, ask: () => Promise<JSONWebKeySet>): Promise<JSONWebKeySet>;
  /**
   * Newer keys, because one is named that is not among those; `undefined` where the provider was asked within the last 30 seconds.
   */
  newerKeys(provider: string, ask: () => Promise<JSONWebKeySet>): Promise<JSONWebKeySet | undefined>;
}

/** Keeps data about providers within this process, by their address and connection settings. `now` in milliseconds. */
export function knownProviders(now: () => number = () => performance.now()): KnownProviders {
  const all = new Map<string, Known>();

  function of(provider: string): Known {
    const known = all.get(provider) ?? {};
    // The one that was used last comes last.
    all.delete(provider);
    all.set(provider, known);
    const oldest = all.size > MOST_PROVIDERS ? all.keys().next().value : undefined;
    if (oldest !== undefined) all.delete(oldest);
    return known;
  }

  function askMetadata(known: Known, ask: () => Promise<ServerMetadata>): Promise<ServerMetadata> {
    known.askingMetadata ??= ask()
      .then((value) => {
        known.metadata = { value, at: now() };
        return value;
      })
      .finally(() => {
        delete known.askingMetadata;
      });
    return known.askingMetadata;
  }

  function askKeys(known: Known, ask: () => Promise<JSONWebKeySet>): Promise<JSONWebKeySet> {
    known.askingKeys ??= asked(known, ask);
    return known.askingKeys;
  }

  async function asked(known: Known, ask: () => Promise<JSONWebKeySet>): Promise<JSONWebKeySet> {
    known.keysAskedAt = now();
    try {
      const value = await ask();
      known.keys = { value, at: now() };
      return value;
    } finally {
      delete known.askingKeys;
    }
  }

  return {
    metadata(provider, ask, isFresh = false) {
      const known = of(provider);
      const { metadata } = known;
      const isYoung = metadata !== undefined && now() - metadata.at < METADATA_MS;
      return isYoung && !isFresh ? Promise.resolve(metadata.value) : askMetadata(known, ask);
    },
    keys(provider, ask) {
      const known = of(provider);
      const { keys } = known;
      return keys !== undefined && now() - keys.at < KEYS_MS ? Promise.resolve(keys.value) : askKeys(known, ask);
    },
    async newerKeys(provider, ask) {
      const known = of(provider);
      if (known.askingKeys !== undefined) return known.askingKeys;
      const { keysAskedAt } = known;
      if (keysAskedAt !== undefined && now() - keysAskedAt < AGAIN_MS) return undefined;
      return askKeys(known, ask);
    },
  };
}
