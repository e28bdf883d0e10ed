import {
  describeSourceFaults,
  type FaultySource,
  type SourceFault,
} from '../../../src/testing/source-faults.contract.ts';
import { IMPORTED } from '../faults/imported-over.ts';
import { type Asked, type EntryToGive, fakeDirectory, type Given, listenOn } from './fake-directory.ts';
import { ACCOUNT, type Fields, ldapSource } from './support.ts';

const PAGE = 10;
const MANY = 50_000;

const named = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `web${index + 1}.example.org`);

function entryOf(name: string, number: number, more: EntryToGive['attributes'] = {}): EntryToGive {
  return { dn: `cn=${number},dc=example,dc=test`, attributes: { cn: [name], ...more } };
}

/** Answers a search page by page; the cookie is where the next one begins. */
function pages(entries: readonly EntryToGive[], size = PAGE) {
  return ({ kind, cookie }: Asked): Given | undefined => {
    if (kind !== 'search') return undefined;
    const start = Number(cookie || 0);
    const end = start + size;
    return { entries: entries.slice(start, end), cookie: end < entries.length ? String(end) : '' };
  };
}

async function made(fault: SourceFault): Promise<FaultySource | undefined> {
  const hostnames = named(fault === 'many records' ? MANY : 25);
  const entries = hostnames.map((name, index) => entryOf(name, index));
  const at = (address: string, fields: Fields = {}): FaultySource => ({
    source: ldapSource({ query_timeout: 5, ...fields }, { address }),
    hostnames,
  });
  const answered = async (answer: (asked: Asked) => Given | undefined, fields?: Fields) =>
    at(await fakeDirectory(answer), fields);
  const searched = (given: Given, fields?: Fields) =>
    answered(({ kind }) => (kind === 'search' ? given : undefined), fields);
  switch (fault) {
    case 'refused connection':
      return at('ldap://127.0.0.1:9');
    case 'TLS error':
      return at((await listenOn((socket) => socket.once('data', () => socket.end('?')))).replace('ldap:', 'ldaps:'));
    case 'login refused':
      return answered(({ kind }) => (kind === 'bind' ? { status: 49, message: 'invalid credentials' } : undefined));
    case 'right missing':
      return searched({ status: 50, message: 'insufficient access' });
    case 'too many requests':
      return searched({ status: 51, message: 'busy' });
    case 'second part broken': {
      const whole = pages(entries);
      return answered((asked) => (asked.cookie === String(PAGE) ? { status: 80, message: 'other' } : whole(asked)));
    }
    case 'cut off':
      return searched({ entries: entries.slice(0, 12), cut: true });
    case 'invalid text':
      return at(await listenOn((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')));
    case 'empty answer':
      return searched({ cut: true });
    case 'half of the records':
      return answered(pages(entries.slice(0, 12)));
    case 'duplicate names':
      return answered(pages([...entries, ...hostnames.slice(0, 3).map((name, index) => entryOf(name, 100 + index))]));
    case 'record of 10 MB': {
      const large = entryOf('large.example.org', 99, { description: ['x'.repeat(10_000_000)] });
      return answered(pages([large, ...entries]));
    }
    case 'redirect to another host':
      return searched({ references: ['ldap://elsewhere.example.org/dc=other,dc=test'] });
    case 'answer without end':
      return searched({ entries: entries.slice(0, 12), silent: true }, { query_timeout: 0.5 });
    case 'many records':
      return answered(pages(entries, 1_000), { page_size: 1_000 });
  }
}

const secrets = [ACCOUNT.password];
describeSourceFaults('ldap', { make: made, secrets });
for (const { how, run } of IMPORTED) {
  describeSourceFaults(`ldap, ${how}`, {
    run,
    secrets,
    make: (fault) => (fault === 'many records' ? Promise.resolve(undefined) : made(fault)),
  });
}
