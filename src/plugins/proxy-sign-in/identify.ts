import { AppError } from '../../ports/errors.ts';
import type { ClientCertificate, ExternalPerson, ProxiedRequest } from '../../ports/sign-in-method.ts';
import type { ProxySignInOptions } from './options.ts';

/** Returns the person that the proxy names as the sender of the request. A name from any other source is refused. */
export function identifyByProxy(options: ProxySignInOptions, request: ProxiedRequest): ExternalPerson | undefined {
  const name = request.headers[options.user_header]?.trim() ?? '';
  if (name === '') return undefined;
  if (request.certificate === undefined || !isOfProxy(options, request.certificate)) {
    throw new AppError(
      'forbidden',
      `the header ${options.user_header} is not from the proxy that may log people in: its certificate is another one, or there is none`,
    );
  }
  // If a header occurs twice, the first may have been sent by the client.
  const repeated = [options.user_header, options.email_header, options.groups_header].find((header) =>
    request.headers[header]?.includes('\n'),
  );
  if (repeated !== undefined) {
    throw new AppError(
      'forbidden',
      `the header ${repeated} is given twice; let the proxy drop the one of the client, and set its own`,
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
    groups: groupsIn(groups, options.group_separator),
  };
}

/**
 * A group whose name has the separator in it is one group where the proxy says so: in quotation marks, or with a backslash before the separator. Other
 * quotation marks and backslashes are part of the name.
 */
function groupsIn(header: string, separator: string): readonly string[] {
  const escaped = `\\${separator}`;
  const groups: string[] = [];
  let rest = header;
  while (rest !== '') {
    rest = rest.trimStart();
    const quoted = /^"([^"]*)"\s*/.exec(rest);
    const behind = quoted === null ? '' : rest.slice(quoted[0].length);
    if (quoted?.[1]?.includes(separator) && (behind === '' || behind.startsWith(separator))) {
      groups.push(quoted[1].trim());
      rest = behind.slice(separator.length);
      continue;
    }
    let end = rest.indexOf(separator);
    while (end > 0 && rest[end - 1] === '\\') end = rest.indexOf(separator, end + separator.length);
    const group = end < 0 ? rest : rest.slice(0, end);
    groups.push(group.replaceAll(escaped, separator).trim());
    rest = end < 0 ? '' : rest.slice(end + separator.length);
  }
  return groups.filter((group) => group !== '');
}

function isOfProxy({ certificate: wanted }: ProxySignInOptions, shown: ClientCertificate): boolean {
  return wanted.some((text) => {
    const plain = text.replaceAll(':', '').toLowerCase();
    return shown.fingerprint === plain || shown.names.some((name) => name.toLowerCase() === text.toLowerCase());
  });
}
