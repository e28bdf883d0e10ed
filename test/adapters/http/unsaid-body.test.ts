import { expect, it } from 'vitest';
import { inputOf } from '../../../src/adapters/http/input.ts';
import { UNSAID } from '../../../src/adapters/http/media-type.ts';
import { operationRoutes } from '../../../src/adapters/http/route.ts';
import { OPERATIONS } from '../../../src/app/catalogue/operations.ts';

const route = operationRoutes(OPERATIONS, { CMDB_MODE: true }).find(({ path }) => path === '/api/v1/rules/import');

function kindOf(text: string): string {
  if (route === undefined) throw new Error('there is no import of rules');
  const body = Buffer.from(text);
  return inputOf(route, { params: {}, query: {}, headers: {}, body, mediaType: UNSAID, knownTags: [] }).kind;
}

it.each([
  ['a header and documents', '\n{"rule_type":"users"}\n{"name":"x"}\n', 'value'],
  ['one document', '{"name":"x"}', 'value'],
  ['a bundle in one line', '{"rules":{"users":[]}}', 'json'],
  ['a bundle over lines', '{\n  "rules": {}\n}', 'json'],
  ['a bundle larger than what is looked at', `{"rules":{"users":[{"name":"${'x'.repeat(400_000)}"}]}}`, 'json'],
  ['white space alone', ' '.repeat(400_000), 'json'],
])('a body of no said type that is %s is told apart', (_what, text, kind) => {
  expect(kindOf(text)).toBe(kind);
});
