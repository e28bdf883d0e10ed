import { AppError } from '../../ports/errors.ts';
import type { ClientCertificate, ExternalPerson, ProxiedRequest } from '../../ports/sign-in-method.ts';
import type { ProxySignInOptions } from './options.ts';

/** Who the proxy says sends the request. A name that does not come from it is refused, whoever it is. */
export function identifyByProxy(options: ProxySignInOptions, request: ProxiedRequest): ExternalPerson | undefined {
  const name = request.headers[options.user_header]?.trim() ?? '';
  if (name === '') return undefined;
  if (request.certificate === undefined || !isOfProxy(options, request.certificate)) {
    throw new AppError(
      'forbidden',
      `the header ${options.user_header} does not come from the proxy that may name people: its certificate is another one, or there is none`,
    );
  }
  // Of two headers of one name the first may be the client's own.
  const repeated = [options.user_header, options.email_header, options.groups_header].find((header) =>
    request.headers[header]?.includes('\n'),
  );
  if (repeated !== undefined) {
    throw new AppError(
      'forbidden',
      `the header ${repeated} comes twice; let the proxy drop the one of the client, and set its own`,
    );
  }
  // A proxy on the way may have made one of two.
  if (/[\s,]/.test(name)) {
    throw new AppError(
      'forbidden',
      `the header ${options.user_header} names several people, or none that can be a user`,
    );
  }
  const groups = request.headers[options.groups_header] ?? '';
  return {
    subject: name,
    name,
    email: request.headers[options.email_header]?.trim() ?? '',
    groups: groups
      .split(options.group_separator)
      .map((group) => group.trim())
      .filter((group) => group !== ''),
  };
}

function isOfProxy({ certificate: wanted }: ProxySignInOptions, shown: ClientCertificate): boolean {
  return wanted.some((text) => {
    const plain = text.replaceAll(':', '').toLowerCase();
    return shown.fingerprint === plain || shown.names.some((name) => name.toLowerCase() === text.toLowerCase());
  });
}
