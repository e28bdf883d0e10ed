import { phrase, type Said, worded } from '../worded.ts';

/**
 * Names that people type and trust. A name is stored as written; comparisons use its key, so that `Olga`, ` olga ` and full-width
 * letters are one user, and no second user with a look-alike name can be created.
 */

/** Two names of one key are one name: case, white space and ways of writing the same character do not count. */
export function userNameKey(name: string): string {
  return folded(name.normalize('NFKC').replace(unseen(), ''));
}

/** As `userNameKey`, and letters of other scripts count as the Latin ones that they look like. */
export function userNameLikeness(name: string): string {
  return [...userNameKey(name)].map((letter) => LOOKS_LIKE.get(letter) ?? letter).join('');
}

/** Returns why a new user may not have this name; `undefined` if it is acceptable. */
export function userNameProblem(name: string): Said | undefined {
  if (unseenButBlank().test(name))
    return phrase`must not contain control characters, invisible ones, or ones that change the text direction`;
  if (name.includes(':')) return phrase`must not contain a colon, which ends the name in HTTP logins`;
  if (name !== name.trim()) return phrase`must not begin or end with white space`;
  const normal = name.normalize('NFKC');
  if (name !== normal) return worded`must be written with usual characters: ${{ normal }}`;
  if (scriptsOf(name).size > 1) return phrase`must not mix letters of several scripts, which look alike`;
  if (isOfProgram(name)) return phrase`is a name of the program itself in logs and histories; choose another one`;
  return undefined;
}

/** Names under which actions of the program itself appear in the audit log and in histories. */
const OF_PROGRAM: ReadonlySet<string> = new Set(['anonymous', 'cron', 'muster', 'scheduler', 'system', 'webhook']);

function isOfProgram(name: string): boolean {
  const likeness = userNameLikeness(name);
  return OF_PROGRAM.has(likeness) || likeness.startsWith('sign-in');
}

/** Twice, because some letters have no lower case of their own but an upper case that has: ß, ı, ſ. */
function folded(text: string): string {
  return text.toUpperCase().toLowerCase().normalize('NFKC').replaceAll('i\u0307', 'i').replaceAll('ς', 'σ');
}

// These patterns cost time to be made, so each is made when it is first used, and not at each start.

/** White space, and characters that show nothing: control, format, direction, fillers, variation selectors. */
function unseen(): RegExp {
  return /[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;
}

function unseenButBlank(): RegExp {
  return /[\p{C}\p{Default_Ignorable_Code_Point}\u2800\p{Zl}\p{Zp}]/u;
}

/** Scripts that are written together count as one. */
function scripts(): readonly (readonly [name: string, letters: RegExp])[] {
  return [
    ['Latin', /\p{Script=Latin}/u],
    ['Cyrillic', /\p{Script=Cyrillic}/u],
    ['Greek', /\p{Script=Greek}/u],
    ['Armenian', /\p{Script=Armenian}/u],
    ['Georgian', /\p{Script=Georgian}/u],
    ['Hebrew', /\p{Script=Hebrew}/u],
    ['Arabic', /\p{Script=Arabic}/u],
    ['Devanagari', /\p{Script=Devanagari}/u],
    ['Bengali', /\p{Script=Bengali}/u],
    ['Tamil', /\p{Script=Tamil}/u],
    ['Thai', /\p{Script=Thai}/u],
    ['East Asian', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}ー]/u],
  ];
}

function scriptsOf(name: string): ReadonlySet<string> {
  const letters = name.match(/\p{L}/gu) ?? [];
  const known = scripts();
  return new Set(letters.map((letter) => known.find(([, script]) => script.test(letter))?.[0] ?? 'other'));
}

/** The lower-case letters that people cannot tell from Latin ones, in either case. */
const LOOKS_LIKE: ReadonlyMap<string, string> = new Map(
  [
    'аa вb еe ѕs іi јj кk мm нh оo рp сc тt уy үy хx һh ԁd ԛq ԝw ӏl ѵv',
    'αa βb εe ζz ηn ιi κk μm νv οo ρp τt υu χx γy ωw',
    'օo ոn սu հh ցg ɑa ɡg',
  ]
    .join(' ')
    .split(' ')
    .map(([letter = '', latin = '']): [string, string] => [letter, latin]),
);
