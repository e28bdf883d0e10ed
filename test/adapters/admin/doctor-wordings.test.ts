import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inLanguage } from '../../../src/adapters/admin/pages/language/service-texts.ts';
import { brokenError, missingError, pendingError } from '../../../src/app/rules/missing-rules.ts';
import { passwordHashProblem } from '../../../src/kit/users/password-hash.ts';
import { textOf } from '../../../src/kit/worded.ts';
import { AdminClient } from './admin-client.ts';
import { speakEnglish, speakGerman } from './speak-german.ts';

let admin: AdminClient;

beforeEach(async () => {
  admin = await AdminClient.start({ INVENTORY_ANSIBLE_LABELS: 'serve' });
});

afterEach(async () => {
  speakEnglish();
  await admin.service.stop();
});

interface Finding {
  readonly check: string;
  readonly message: string;
}

/** What is said of each check. */
async function findings(shown: (answer: unknown) => unknown = (answer) => answer): Promise<Record<string, string>> {
  const answer = await admin.call('system/run-doctor', await admin.cookieOf('root'));
  const { findings: all } = shown(answer.json()) as { readonly findings: readonly Finding[] };
  return Object.fromEntries(all.map(({ check, message }) => [check, message]));
}

describe('what the doctor finds', () => {
  it('is English with its parts, and in the language of the pages where they say it', async () => {
    expect(await findings()).toMatchObject({
      storage: 'memory',
      inventories: expect.stringMatching(/^INVENTORY_ANSIBLE_LABELS is serve: anyone who can set a label/),
      rules: expect.stringMatching(/^\d+ documents$/),
      trust: 'no document waits for an administrator',
      disk: expect.stringMatching(/GiB free|nothing is kept/),
      users: '1 user',
      'audit log': expect.stringMatching(/^a chain of 1 entry since 2026-03-01$/),
    });
    speakGerman();
    expect(await findings((answer) => inLanguage('system/run-doctor', answer))).toMatchObject({
      storage: 'memory',
      inventories: expect.stringMatching(/^INVENTORY_ANSIBLE_LABELS ist serve: Wer ein Label setzen kann/),
      rules: expect.stringMatching(/^\d+ Dokumente$/),
      trust: 'kein Dokument wartet auf einen Administrator',
      disk: expect.stringMatching(/GiB frei|liegt noch nichts/),
      users: '1 Benutzer',
      'audit log': expect.stringMatching(/^eine Kette von \d+ Einträgen seit 2026-03-01$/),
    });
  });

  it('has no parts in the file for support', async () => {
    const answer = await admin.call('system/support-bundle', await admin.cookieOf('root'));
    expect(answer.statusCode).toBe(200);
    expect(answer.json().doctor).toContainEqual({
      check: 'trust',
      ok: true,
      message: 'no document waits for an administrator',
    });
    expect(answer.body).not.toContain('wording');
  });
});

describe('rules that cannot be evaluated as written', () => {
  const BEGIN = 'not all enabled rules can be evaluated as written, and nothing is published with fewer of them: ';

  it('are told as one sentence', () => {
    const rules = ['a', 'b', 'c', 'd', 'e', 'f'];
    expect(missingError([{ type: 'x', rules }]).message).toBe(
      `${BEGIN}6 enabled rules of type x ("a", "b", "c", "d", "e" and 1 more): no loaded plugin knows this type; ` +
        'load its plugin (why it is not: "muster plugins"), or remove them ("muster rules remove x "a"")',
    );
    const broken = rules.map((name) => ({ type: 'x', name, lastError: 'no' }));
    expect(brokenError(broken.slice(4) as never).message).toBe(
      `${BEGIN}rule "e" of type x cannot work: no; rule "f" of type x cannot work: no; correct or disable what is named, see "muster doctor"`,
    );
    expect(brokenError(broken as never).message).toContain('; and 1 more; correct or disable');
    const waiting = rules.map((name) => ({ type: 'x', name }));
    expect(pendingError(waiting.slice(5) as never).message).toBe(
      `${BEGIN}rule "f" of type x waits for an administrator to confirm it ("muster rules confirm x "f"")`,
    );
    expect(pendingError(waiting as never).message).toBe(
      `${BEGIN}rule "a" of type x, rule "b" of type x, rule "c" of type x, rule "d" of type x, rule "e" of type x and 1 more wait for an administrator to confirm them ("muster rules confirm x "a"")`,
    );
  });
});

it('a hash that costs too much is told with its figures as they are', () => {
  const problem = passwordHashProblem('$argon2id$v=19$m=999999,t=3,p=4$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA');
  expect(problem && textOf(problem)).toBe('asks for 999999 KiB of memory; 32 to 131072 are accepted');
});
