import { worded } from '../../kit/worded.ts';
import { AppError, type Logger, type Wording } from '../../ports/index.ts';
import { addressClass, addressNeighbourhood } from '../kernel/address-class.ts';
import { growingCache } from './growing-cache.ts';
import { WRONG_SECRETS } from './tries.ts';

export interface RefusalLimitOptions {
  /** Refusals a minute before an address is limited; 0 limits nothing. */
  readonly limit: number;
  readonly logger?: Pick<Logger, 'warn'>;
  /** Notes a wrong secret of the user where other nodes see it. False when all of them together heard as many as may be heard in an hour. */
  noteWrong?(user: string): Promise<boolean>;
}

/** Credentials presented by a client, not yet known to be valid or not. */
export interface ShownCredentials {
  /** Address of the client. */
  readonly address: string;
  /** The user that they are for; `undefined` for tokens, which cannot be guessed. */
  readonly user: string | undefined;
  /** Stands for the credentials as a whole without revealing them. */
  readonly key: string;
}

interface Window {
  count: number;
  readonly endsAt: number;
}

/** Different things that are counted at once, of each kind. */
const MOST_COUNTED = 10_000;
/**
 * More than there can be failures of different users in the time that a user is guarded, as each costs a hash or is among the
 * remembered wrong ones: made-up names cannot push a guard out of the cache.
 */
const MOST_GUARDED = 100_000;
const MINUTE_MS = 60_000;
/** A user is guarded after this many times the limit of an address: different wrong passwords from elsewhere. */
const GUARDED_FACTOR = 2;
const GUARDED_MS = 10 * MINUTE_MS;
/** Wrong passwords that an unfamiliar neighbourhood may still try at a guarded user, in the same time. */
const UNFAMILIAR_TRIES = 3;
/** How long unknown networks wait for a user with enough wrong secrets on all nodes: the end of the first is unknown. */
const SPENT_MS = 10 * MINUTE_MS;
/** Share of an address's limit: wrong passwords that may be tried there past it, for a user who logged in from there. */
const INSIDER_PART = 1 / 3;
/** Share of an address's limit: wrong credentials allowed past it, for users without a wrong try there in this minute. */
const NEWCOMER_PART = 1 / 3;
const HOUR_MS = WRONG_SECRETS.seconds * 1000;
const KNOWN_MS = 60 * MINUTE_MS;
const NEIGHBOUR_MS = 30 * 24 * 60 * MINUTE_MS;

/**
 * Counts refused requests by client address, and wrong passwords by user as well; one for all entrances of a process.
 *
 * While an address is over the limit, credentials from there are not verified, except those accepted from there within the last
 * hour, and a few first ones of users without a wrong try from there: a forgotten script with an old password must not lock out
 * all others behind the same address. Wrong credentials get the same answer as those that were not verified.
 *
 * A user whose password is guessed from many addresses is guarded: a neighbourhood of the network from which the user never logged
 * in has only a few wrong tries left. Guessing from many places becomes hundreds of times slower, and yet the right password is
 * accepted at the first try from everywhere. That holds up to a ceiling: an attacker with thousands of networks, or forged
 * addresses, has a hundred wrong secrets an hour; then the user can log in only from networks used before, and nothing changes there.
 */
export class RefusalLimit {
  readonly #limit: number;
  readonly #logger: Pick<Logger, 'warn'> | undefined;
  readonly #now: () => number;
  readonly #addresses = growingCache<Window>(MOST_COUNTED);
  readonly #users = growingCache<Window>(MOST_GUARDED);
  /** When the last wrong secrets of a user were shown, oldest first. */
  readonly #wrong = growingCache<number[]>(MOST_GUARDED);
  /** Until when all nodes together heard enough wrong secrets of a user. */
  readonly #spent = growingCache<number>(MOST_COUNTED);
  readonly #noteWrong: RefusalLimitOptions['noteWrong'];
  /** Wrong tries of a neighbourhood at a user. */
  readonly #unfamiliar = growingCache<Window>(MOST_GUARDED);
  /** Wrong tries, of an address over the limit, at a user who got in from there. */
  readonly #insiders = growingCache<Window>(MOST_COUNTED);
  /** Wrong tries, of an address over the limit, for users without an earlier wrong try from there. */
  readonly #newcomers = growingCache<Window>(MOST_COUNTED);
  /** Wrong tries of an address at a user. */
  readonly #wrongThere = growingCache<Window>(MOST_GUARDED);
  /** Credentials that got in, by address; when. */
  readonly #known = growingCache<number>(MOST_COUNTED);
  /** Users who got in, by address and by neighbourhood; when. */
  readonly #homes = growingCache<number>(MOST_COUNTED);
  readonly #tried = growingCache<true>(MOST_COUNTED);
  readonly #counted = new WeakSet<AppError>();

  /** `now` answers milliseconds that only grow. */
  constructor({ limit, logger, noteWrong }: RefusalLimitOptions, now: () => number = () => performance.now()) {
    this.#limit = limit;
    this.#logger = logger;
    this.#noteWrong = noteWrong;
    this.#now = now;
  }

  /** Counts a refusal and says what to answer: the refusal itself, or that there were too many. One that was counted before counts no more. */
  refused(address: string, refusal: AppError): AppError {
    if (this.#counted.has(refusal)) return refusal;
    const retryAfterSeconds = this.#retryAfter(this.#addresses.get(addressClass(address)), this.#limit);
    this.#count(this.#addresses, addressClass(address), MINUTE_MS);
    return retryAfterSeconds === undefined ? refusal : tooMany(OF_ADDRESS, retryAfterSeconds);
  }

  /** Throws `rate_limited` when these credentials must not be looked at now. */
  admit(shown: ShownCredentials): void {
    if (this.#limit === 0) return;
    const address = addressClass(shown.address);
    const overLimit = this.#retryAfter(this.#addresses.get(address), this.#limit);
    if (overLimit !== undefined && !this.#admitsInsider(shown, address) && !this.#admitsNewcomer(shown, address)) {
      throw tooMany(OF_ADDRESS, overLimit);
    }
    const guarded = this.#guardedFor(shown);
    if (guarded !== undefined) throw tooMany(OF_USER, guarded);
  }

  /**
   * Notes that the credentials are not valid, whatever is answered. A caller that answers with a refusal marks it as counted.
   * Throws `rate_limited` if the address was over the limit before.
   */
  failed(shown: ShownCredentials): void {
    const address = addressClass(shown.address);
    const overLimit = this.#retryAfter(this.#addresses.get(address), this.#limit);
    this.#known.delete(knownKey(shown, address));
    this.#count(this.#addresses, address, MINUTE_MS);
    if (overLimit !== undefined) this.#count(this.#newcomers, address, MINUTE_MS);
    this.#countGuess(shown, address);
    if (overLimit !== undefined) throw tooMany(OF_ADDRESS, overLimit);
  }

  #countGuess(shown: ShownCredentials, address: string): void {
    if (shown.user !== undefined) this.#count(this.#wrongThere, `${shown.user} ${address}`, MINUTE_MS);
    if (shown.user === undefined || this.#wasTried(shown, address)) return;
    this.#countWrong(shown.user);
    if (this.#isAtHome(shown)) return;
    this.#count(this.#unfamiliar, neighbourhoodKey(shown, shown.user), GUARDED_MS);
    const guesses = this.#count(this.#users, shown.user, GUARDED_MS);
    if (this.#limit > 0 && guesses === this.#limit * GUARDED_FACTOR) {
      this.#logger?.warn('the password of a user is being guessed from several addresses', { user: shown.user });
    }
  }

  #countWrong(user: string): void {
    if (this.#limit === 0) return;
    const within = (this.#wrong.get(user) ?? []).filter((at) => at + HOUR_MS > this.#now());
    const wrong = [...within, this.#now()].slice(-WRONG_SECRETS.most);
    this.#wrong.set(user, wrong);
    if (wrong.length === WRONG_SECRETS.most && within.length < wrong.length) {
      this.#logger?.warn('unknown networks are not heard for a user any more: too many wrong passwords', { user });
    }
    // The answer does not wait for it, and a store that is away counts nothing.
    this.#noteWrong?.(user).then(
      (isFree) => {
        if (!isFree) this.#spent.set(user, this.#now() + SPENT_MS);
      },
      () => undefined,
    );
  }

  /** The refusal, which `refused` counts no more: credentials that failed have been counted for it. */
  counted(refusal: AppError): AppError {
    this.#counted.add(refusal);
    return refusal;
  }

  /** Notes that the credentials are valid. */
  succeeded(shown: ShownCredentials): void {
    const now = this.#now();
    const address = addressClass(shown.address);
    this.#known.set(knownKey(shown, address), now);
    if (shown.user === undefined) return;
    this.#homes.set(`${shown.user} ${address}`, now);
    this.#homes.set(`${shown.user} ${addressNeighbourhood(shown.address)}`, now);
  }

  /** Whether these credentials were accepted within the last hour, from the same address if that matters. */
  knows(shown: ShownCredentials): boolean {
    const at = this.#known.get(knownKey(shown, addressClass(shown.address)));
    return at !== undefined && at + KNOWN_MS > this.#now();
  }

  /**
   * Whether these are credentials that were accepted from this address, which stay valid. Other clients of that address could
   * find out the password that way, so different wrong ones are counted by user, and few are allowed.
   */
  #admitsInsider(shown: ShownCredentials, address: string): boolean {
    if (shown.user === undefined) return this.knows(shown);
    const key = `${shown.user} ${address}`;
    if (this.#retryAfter(this.#insiders.get(key), this.#limit * INSIDER_PART) !== undefined) return false;
    if (this.knows(shown)) return true;
    if (this.#homes.has(key) && !this.#wasTried(shown, address)) this.#count(this.#insiders, key, MINUTE_MS);
    return false;
  }

  /** Whether the credentials may be a first try. That cannot be known for certain, which is why only a few are verified. */
  #admitsNewcomer({ user }: ShownCredentials, address: string): boolean {
    if (user !== undefined && this.#isWrongThere(user, address)) return false;
    return this.#retryAfter(this.#newcomers.get(address), Math.ceil(this.#limit * NEWCOMER_PART)) === undefined;
  }

  #isWrongThere(user: string, address: string): boolean {
    const window = this.#wrongThere.get(`${user} ${address}`);
    return window !== undefined && window.endsAt > this.#now();
  }

  /** Seconds until this neighbourhood may try again at a guarded user; `undefined` when it may now. */
  #guardedFor(shown: ShownCredentials): number | undefined {
    if (shown.user === undefined) return undefined;
    const spent = this.#spentUntil(shown.user) - this.#now();
    if (spent > 0 && !this.#isAtHome(shown)) return Math.ceil(spent / 1000);
    const guarded = this.#retryAfter(this.#users.get(shown.user), this.#limit * GUARDED_FACTOR);
    if (guarded === undefined || this.#isAtHome(shown)) return undefined;
    return this.#retryAfter(this.#unfamiliar.get(neighbourhoodKey(shown, shown.user)), UNFAMILIAR_TRIES);
  }

  #spentUntil(user: string): number {
    const wrong = this.#wrong.get(user);
    const here = wrong?.length === WRONG_SECRETS.most ? (wrong[0] ?? 0) + HOUR_MS : 0;
    return Math.max(here, this.#spent.get(user) ?? 0);
  }

  /** This machine is home to every user: an intruder on it has better ways. */
  #isAtHome({ user, address }: ShownCredentials): boolean {
    if (address === '127.0.0.1' || address === '::1') return true;
    const at = this.#homes.get(`${user} ${addressNeighbourhood(address)}`);
    return at !== undefined && at + NEIGHBOUR_MS > this.#now();
  }

  /** Trying the same wrong credentials again is not another guess. */
  #wasTried({ key }: ShownCredentials, address: string): boolean {
    const text = `${key} ${address}`;
    if (this.#tried.has(text)) return true;
    this.#tried.set(text, true);
    return false;
  }

  #count(windows: ReturnType<typeof growingCache<Window>>, key: string, lengthMs: number): number {
    const window = windows.get(key);
    if (window !== undefined && window.endsAt > this.#now()) return ++window.count;
    windows.set(key, { count: 1, endsAt: this.#now() + lengthMs });
    return 1;
  }

  #retryAfter(window: Window | undefined, limit: number): number | undefined {
    if (window === undefined || this.#limit === 0 || window.count < limit) return undefined;
    const left = window.endsAt - this.#now();
    return left > 0 ? Math.ceil(left / 1000) : undefined;
  }
}

/** A token is as good from everywhere. */
function knownKey({ user, key }: ShownCredentials, address: string): string {
  return user === undefined ? key : `${key} ${address}`;
}

function neighbourhoodKey({ address }: ShownCredentials, user: string): string {
  return `${user} ${addressNeighbourhood(address)}`;
}

const OF_ADDRESS = worded`too many refused requests from this address; correct the credentials and wait`;
const OF_USER = worded`too many wrong passwords for this user, from many addresses; wait, use a token, or come from where this user logged in before`;

function tooMany(message: Wording, retryAfterSeconds: number): AppError {
  return new AppError('rate_limited', message, { retryAfterSeconds });
}
