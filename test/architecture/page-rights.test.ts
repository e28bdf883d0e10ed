import { describe, expect, it } from 'vitest';
import { sourceFiles } from './source-files.ts';

/** What a session says about the person. It is there to be shown; what may be called is asked with `may`. */
const ABOUT_THE_PERSON = 'roles|admin|read_only';

/** Where the person reads it. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  'src/adapters/admin/pages/shell/shell.tsx': ["{session.read_only ? READ_ONLY : ''}"],
  'src/adapters/admin/pages/users/profile-page.tsx': [
    'roles={session.roles}',
    'admin={session.admin}',
    'readOnly={session.read_only}',
    // Changing the own password decides itself who may, so the session has no answer for it.
    '{session.read_only ? <ReadOnly session={session} /> : <PasswordForm session={session} />}',
  ],
  // So does changing the own second factor.
  'src/adapters/admin/pages/users/own-second-factor.tsx': ['const { read_only } = useSession();'],
  // Own tokens decide themselves who may make them.
  'src/adapters/admin/pages/parts/http-use.tsx': [
    "const mayMakeToken = may(session, 'users/create-own-token') && !session.read_only;",
  ],
  // What a token of the person may carry is offered in a form; own tokens decide themselves who may have them.
  'src/adapters/admin/pages/users/tokens.tsx': [
    'const { user: name, roles, admin, accounts, templates, read_only } = useSession();',
  ],
};

/** Lines that look at what the person holds, where they should ask `may`. */
function rightsDecidedIn(text: string, shown: readonly string[] = []): readonly string[] {
  const looks = [
    new RegExp(`(?:\\b[Ss]ession|useSession\\(\\)|session\\.data)[!?]?\\.(?:${ABOUT_THE_PERSON})\\b`),
    new RegExp(
      `\\{[^{}]*\\b(?:${ABOUT_THE_PERSON})\\b[^{}]*\\}\\s*(?::\\s*Session\\b|=\\s*(?:useSession\\(\\)|session\\b))`,
    ),
  ];
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => looks.some((look) => look.test(line)) && !shown.includes(line));
}

describe('rights on pages', () => {
  it('are answered by the session, and never derived from roles', () => {
    const pages = sourceFiles('src/adapters/admin/pages');
    expect(pages.length).toBeGreaterThan(100);
    const found = pages.flatMap(({ path, text }) =>
      rightsDecidedIn(text, SHOWN[path]).map((line) => `${path}: ${line}`),
    );
    expect(found).toEqual([]);
  });

  it.each([
    "if (session.roles.includes('rules')) return null;",
    '{session.admin && <Button>Delete</Button>}',
    'const { roles } = useSession();',
    'function Actions({ admin, user }: Session) {',
    'const isWriter = !useSession().read_only;',
  ])('are found when a page decides them itself: %s', (line) => {
    expect(rightsDecidedIn(line)).toEqual([line]);
  });

  it.each([
    "{may(session, 'rules/save-rule') && <Button>Save</Button>}",
    'const { roles, admin } = rights;',
    'const refusal = session.refused[name];',
  ])('are not found in %s', (line) => {
    expect(rightsDecidedIn(line)).toEqual([]);
  });
});
