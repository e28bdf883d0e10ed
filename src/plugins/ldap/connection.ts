import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import {
  BindRequest,
  ExtendedRequest,
  ExtendedResponse,
  FilterParser,
  MessageParser,
  PagedResultsControl,
  SearchEntry,
  SearchReference,
  SearchRequest,
  SearchResponse,
} from 'ldapts';
import { connectionError, serverError } from '../../kit/connection/faults.ts';
import { within } from '../../kit/connection/timeouts.ts';
import { tlsSettings } from '../../kit/connection/tls.ts';
import { checkedLookup, requireAllowedHost } from '../../kit/names/addresses.ts';
import { saidBy, secondsWording, worded } from '../../kit/worded.ts';
import { AppError, type Logger } from '../../ports/index.ts';
import { type LdapAnswer, ldapFault } from './faults.ts';
import { Framer } from './framer.ts';
import type { LdapSettings } from './settings.ts';

const START_TLS = '1.3.6.1.4.1.1466.20037';
const WHO_AM_I = '1.3.6.1.4.1.4203.1.11.3';
/** The code of a wrong name or password. */
const REFUSED_LOGIN = 49;
/** Number of unread bytes after which the server is made to wait. */
const MOST_WAITING = 1024 * 1024;
/** A server that gives such pages without an entry, one after the other, gives nothing any more. */
const MOST_EMPTY_PAGES = 1000;

/** A message of either side; the driver does not name its type. */
interface Message {
  readonly messageId: number;
}

type Answer = Message & LdapAnswer;

export interface Search {
  readonly base: string;
  readonly scope: 'sub' | 'one' | 'base';
  readonly filter: string;
  readonly attributes: readonly string[];
  readonly pageSize: number;
}

/** Something that a search found: an entry, or where else something may be. */
export type Found = SearchEntry | SearchReference;

/**
 * A connection to a directory, based on the driver's messages but not on its client: that one silently reconnects after an
 * interruption, without login and encryption, and takes a page without entries for the last one. Here, a broken connection is
 * final, and a search ends when the server reports its end.
 */
export class LdapConnection {
  readonly #settings: LdapSettings;
  readonly #signal: AbortSignal;
  readonly #parser = new MessageParser();
  #framer = new Framer();
  #socket: Socket;
  #waiting: Message[] = [];
  #waitingBytes = 0;
  #fault: unknown;
  #wake: () => void = () => undefined;
  #id = 0;

  private constructor(settings: LdapSettings, signal: AbortSignal, socket: Socket) {
    this.#settings = settings;
    this.#signal = signal;
    this.#socket = socket;
    this.#parser.on('message', (message: Message) => {
      this.#waiting.push(message);
    });
    this.#parser.on('error', (error: Error) => this.#fail(unreadable(error)));
  }

  /** Connects, encrypts and logs in. */
  static async open(settings: LdapSettings, logger: Logger, signal: AbortSignal): Promise<LdapConnection> {
    const { server, host, port, isEncrypted, connectSeconds } = settings;
    await requireAllowedHost(host);
    const encryption = tlsSettings(settings.encryption, host);
    const socket = isEncrypted
      ? connectTls({ host, port, ...encryption, lookup: checkedLookup })
      : connect({ host, port, lookup: checkedLookup });
    const connection = new LdapConnection(settings, signal, socket);
    try {
      const limits = {
        signal,
        seconds: connectSeconds,
        message: worded`${{ server }} did not answer within ${{ time: secondsWording(connectSeconds) }}`,
      };
      await within(once(socket, isEncrypted ? 'secureConnect' : 'connect'), limits);
      connection.#listen();
      if (!isEncrypted) await connection.#encrypt(logger);
      await connection.#login();
      return connection;
    } catch (error) {
      connection.close();
      throw signal.aborted ? error : (connectionError(server, error) ?? error);
    }
  }

  /** Yields the results of a search in pieces; ends only when the server reports that they are complete. */
  async *search({
    base,
    scope,
    filter,
    attributes,
    pageSize,
  }: Search): AsyncGenerator<readonly Found[], void, undefined> {
    const page = new PagedResultsControl({ value: { size: pageSize } });
    const parsed = filterOf(filter);
    for (let empty = 0; empty < MOST_EMPTY_PAGES; ) {
      const seconds = Math.ceil(this.#settings.querySeconds);
      const request = new SearchRequest({
        messageId: ++this.#id,
        baseDN: base,
        scope,
        filter: parsed,
        attributes: [...attributes],
        timeLimit: seconds,
        controls: [page],
      });
      this.#send(request);
      let found = 0;
      let answer: SearchResponse | undefined;
      while (answer === undefined) {
        const messages = await this.#some(request.messageId);
        const items = messages.filter(
          (message) => message instanceof SearchEntry || message instanceof SearchReference,
        );
        const last = messages.at(-1);
        if (last instanceof SearchResponse) answer = last;
        found += items.length;
        if (items.length > 0) yield items;
      }
      this.#requireSuccess('search', answer);
      const cookie = answer.controls?.find((control) => control instanceof PagedResultsControl)?.value?.cookie;
      if (cookie === undefined || cookie.length === 0) return;
      page.value = { size: pageSize, cookie };
      empty = found === 0 ? empty + 1 : 0;
    }
    throw serverError('failed', this.#settings.server, worded`keeps giving pages without entries`);
  }

  /** Whether the directory takes the password of an entry; the connection is logged in as that one then. Throws for any other answer than yes or no. */
  async takes(dn: string, password: string): Promise<boolean> {
    // A login without a password is anonymous, and succeeds.
    if (dn === '' || password === '') return false;
    const answer = await this.#ask(new BindRequest({ messageId: ++this.#id, dn, password }));
    if (answer.status === REFUSED_LOGIN) return false;
    this.#requireSuccess('login', answer);
    return true;
  }

  /** Returns the user as seen by the server; empty if the server does not report it. */
  async whoAmI(): Promise<string> {
    const answer = await this.#ask(new ExtendedRequest({ messageId: ++this.#id, oid: WHO_AM_I }));
    return answer instanceof ExtendedResponse && answer.status === 0 ? String(answer.value ?? '') : '';
  }

  /** Closes the connection. A server that is still searching stops by itself. */
  close(): void {
    this.#fault ??= new AppError('failed', worded`the connection is closed`);
    this.#socket.on('error', () => undefined);
    this.#socket.destroy();
  }

  async #encrypt(logger: Logger): Promise<void> {
    const { server, host, encryption, startTls } = this.#settings;
    if (startTls) {
      const answer = await this.#ask(new ExtendedRequest({ messageId: ++this.#id, oid: START_TLS }));
      if (answer.status === 0) {
        await this.#upgrade(host);
        return;
      }
    }
    if (encryption.required) {
      throw serverError(
        'failed',
        server,
        worded`offers no encryption, so the password is not sent; use ldaps://, or have it offer StartTLS, or set allow_unencrypted where everyone on the way is trusted`,
      );
    }
    if (!encryption.isHere) logger.warn('connects without encryption, because the server offers none', { server });
  }

  async #upgrade(host: string): Promise<void> {
    const plain = this.#socket;
    plain.removeAllListeners('data');
    // A man in the middle could inject messages here that would count as encrypted.
    if (!this.#framer.isEmpty || this.#waiting.length > 0) {
      throw serverError('failed', this.#settings.server, worded`sends more before the encryption begins`);
    }
    this.#framer = new Framer();
    const secure = connectTls({ socket: plain, host, ...tlsSettings(this.#settings.encryption, host) });
    this.#socket = secure;
    await within(once(secure, 'secureConnect'), this.#limits());
    this.#listen();
  }

  async #login(): Promise<void> {
    const { username, password, server } = this.#settings;
    if (username !== '' && password === '') {
      throw new AppError(
        'invalid_input',
        worded`the password of the account is missing; ${{ server }} would accept a login without one as anonymous`,
      );
    }
    const request = new BindRequest({ messageId: ++this.#id, dn: username, password });
    this.#requireSuccess('login', await this.#ask(request));
  }

  #listen(): void {
    this.#socket.on('data', (piece: Buffer) => {
      try {
        for (const message of this.#framer.push(piece)) {
          this.#waitingBytes += message.length;
          this.#parser.read(message, new Map());
        }
        if (this.#waitingBytes > MOST_WAITING) this.#socket.pause();
      } catch (error) {
        this.#fail(error);
      }
      this.#wake();
    });
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => {
      this.#fail(
        serverError('unavailable', this.#settings.server, worded`ended the connection in the middle; run it again`),
      );
    });
  }

  #fail(error: unknown): void {
    this.#fault ??= error;
    this.#wake();
  }

  #send(message: Message & { write(): Buffer }): void {
    this.#socket.write(message.write());
  }

  async #ask(message: Message & { write(): Buffer }): Promise<Answer> {
    this.#send(message);
    const [answer] = await this.#some(message.messageId);
    return answer as Answer;
  }

  /** Returns the messages of the response received so far, at least one. */
  async #some(id: number): Promise<readonly Message[]> {
    while (this.#waiting.length === 0) {
      if (this.#fault !== undefined) throw this.#inWords(this.#fault);
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#socket.resume();
      await within(woken, this.#limits()).catch((error: unknown) => {
        throw this.#inWords(error);
      });
    }
    const messages = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    const other = messages.find(({ messageId }) => messageId !== id);
    if (other === undefined) return messages;
    // By number 0 a server says that it is going to close the connection.
    if (other instanceof ExtendedResponse) throw this.#faultOf('search', other);
    throw serverError('failed', this.#settings.server, worded`answers what it was not asked`);
  }

  #limits() {
    const { server, querySeconds } = this.#settings;
    const message = worded`${{ server }} did not answer within ${{ time: secondsWording(querySeconds) }}; ask for less at once (page_size), or raise query_timeout`;
    return { signal: this.#signal, seconds: querySeconds + 1, message };
  }

  #inWords(error: unknown): unknown {
    if (this.#signal.aborted) return this.#signal.reason;
    const known = connectionError(this.#settings.server, error);
    if (known === undefined || known.message.includes(this.#settings.server)) return known ?? error;
    const { server } = this.#settings;
    return new AppError('failed', worded`${{ server }}: ${{ problem: saidBy(known) }}`, { cause: error });
  }

  #requireSuccess(step: 'login' | 'search', answer: Answer): void {
    if (answer.status !== 0) throw this.#faultOf(step, answer);
  }

  #faultOf(step: 'login' | 'search', { status, errorMessage, matchedDN }: LdapAnswer): AppError {
    return ldapFault(this.#settings.server, step, { status, errorMessage, matchedDN });
  }
}

function filterOf(text: string) {
  try {
    // The parser passes over what is left open at the end. In values parentheses are written \\28 and \\29.
    if (text.split('(').length !== text.split(')').length) throw new Error('parentheses do not match');
    return FilterParser.parseString(text);
  } catch (error) {
    throw new AppError(
      'invalid_input',
      worded`search_filter cannot be read; write it as (&(objectClass=computer)(cn=web*))`,
      {
        cause: error,
      },
    );
  }
}

function unreadable(error: Error): AppError {
  return new AppError('failed', worded`what it answers cannot be read (${{ reason: error.message }})`, {
    cause: error,
  });
}
