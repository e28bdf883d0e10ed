import { X509Certificate } from 'node:crypto';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { Agent, buildConnector, type Dispatcher, errors } from 'undici';
import { AddressRefused, checkedLookup, refusedAddress } from '../../kit/names/addresses.ts';
import { worded } from '../../kit/worded.ts';
import { AppError, type HttpLimits, type HttpTls } from '../../ports/index.ts';
import { throughProxy } from './proxy.ts';

/** The only file that uses undici: sends one request to one address, and knows nothing of credentials, tries or redirects. */
export interface Transport {
  send(request: WireRequest): Promise<WireAnswer>;
  close(): Promise<void>;
}

interface WireRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly signal: AbortSignal;
  /** Whether the client certificate may be shown there. */
  readonly trusted: boolean;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Body as received, still packed. */
  readonly body: AsyncIterable<Uint8Array> & {
    destroy(error?: Error): unknown;
    on(event: 'error', listener: () => void): unknown;
  };
}

export interface TransportOptions {
  readonly tls: HttpTls;
  readonly proxy: URL | undefined;
  readonly limits: HttpLimits;
}

export function openTransport({ tls, proxy, limits }: TransportOptions): Transport {
  const alerts = new Alerts();
  const stranger = withoutIdentity(tls);
  const connector = (identity: HttpTls): buildConnector.connector => alerts.watching(connectorOf(identity, limits));
  // A proxy is shown no client certificate either.
  const toProxy = proxy === undefined ? undefined : throughProxy(proxy, connector(stranger), limits.connectSeconds);
  const agentOf = (identity: HttpTls): Agent => {
    const direct = connector(identity);
    return openAgent(toProxy === undefined ? direct : toProxy.tunnel(direct), limits);
  };
  const own = agentOf(tls);
  // These connections do not have the client certificate, so none of them can show it.
  const others = once(() => agentOf(stranger));
  const forwarding = toProxy === undefined ? undefined : once(() => openAgent(toProxy.connect, limits));
  return {
    async send({ url, method, headers, body, signal, trusted }) {
      const reason = refusedAddress(url.hostname);
      if (reason !== undefined) throw new AddressRefused(reason);
      const path = `${url.pathname}${url.search}`;
      const common = {
        method: method as Dispatcher.HttpMethod,
        body: body ?? null,
        signal,
        headersTimeout: limits.answerSeconds * 1000,
        bodyTimeout: limits.idleSeconds * 1000,
      };
      const asked =
        toProxy !== undefined && forwarding !== undefined && url.protocol === 'http:'
          ? forwarding.get().request({
              ...common,
              origin: toProxy.origin,
              path: `${url.origin}${path}`,
              headers: { ...headers, host: url.host, ...toProxy.headers },
            })
          : (trusted ? own : others.get()).request({ ...common, origin: url.origin, path, headers });
      const answer = await asked.catch((error: unknown) => {
        throw alerts.of(error);
      });
      return { status: answer.statusCode, headers: plainHeaders(answer.headers), body: answer.body };
    },
    async close() {
      await Promise.all([own.destroy(), others.known()?.destroy(), forwarding?.known()?.destroy()]);
    },
  };
}

function openAgent(connect: buildConnector.connector, limits: HttpLimits): Agent {
  return new Agent({ connections: limits.concurrent, pipelining: 1, maxHeaderSize: 64 * 1024, connect });
}

function connectorOf(tls: HttpTls, limits: HttpLimits): buildConnector.connector {
  return buildConnector({
    timeout: limits.connectSeconds * 1000,
    lookup: checkedLookup,
    autoSelectFamily: true,
    secureContext: contextOf(tls),
    rejectUnauthorized: tls.verify ?? true,
  });
}

/** Creates a value when it is first needed. */
function once<T>(make: () => T): { get(): T; known(): T | undefined } {
  let made: T | undefined;
  return {
    get() {
      made ??= make();
      return made;
    },
    known: () => made,
  };
}

const MOST_ALERTS = 16;

/**
 * Errors that servers report about encryption once the connection is up, such as that they want a certificate: undici reports the
 * close that follows, and loses the error.
 */
class Alerts {
  readonly #byPort = new Map<number, Error>();

  watching(connector: buildConnector.connector): buildConnector.connector {
    return (options, callback) =>
      connector(options, (...[error, socket]) => {
        if (error !== null) return callback(error, null);
        const { localPort = 0 } = socket;
        socket.on('error', (alert: NodeJS.ErrnoException) => {
          if (!alert.code?.startsWith('ERR_SSL_')) return;
          const [oldest = 0] = this.#byPort.keys();
          if (this.#byPort.size >= MOST_ALERTS) this.#byPort.delete(oldest);
          this.#byPort.set(localPort, alert);
        });
        return callback(null, socket);
      });
  }

  /** The alert behind an error of a connection; else the error. */
  of(error: unknown): unknown {
    const port = error instanceof errors.SocketError ? error.socket?.localPort : undefined;
    const alert = port === undefined ? undefined : this.#byPort.get(port);
    if (port !== undefined) this.#byPort.delete(port);
    return alert ?? error;
  }
}

function withoutIdentity({ cert: _cert, key: _key, passphrase: _passphrase, ...tls }: HttpTls): HttpTls {
  return tls;
}

/** Made once: reading the certificates of the system again for each connection would take milliseconds every time. */
function contextOf({ ca, cert, key, passphrase }: HttpTls): SecureContext {
  try {
    for (const one of ca === undefined ? [] : certificatesIn(ca)) new X509Certificate(one);
    return createSecureContext({
      ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
      ...(passphrase === undefined ? {} : { passphrase }),
      minVersion: 'TLSv1.2',
    });
  } catch (cause) {
    throw new AppError(
      'invalid_input',
      worded`the certificates of the account cannot be used: ca_cert_chain, client_cert and client_key must be PEM, the key must belong to the certificate, and a key with a passphrase needs client_key_passphrase`,
      { cause },
    );
  }
}

/** OpenSSL skips what it cannot read, and the account would then trust no one. */
function certificatesIn(pem: string): readonly string[] {
  const found = pem.match(
    /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[\s\S]*?-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g,
  );
  if (found === null) throw new Error('there is no certificate in it');
  return found;
}

function plainHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}
