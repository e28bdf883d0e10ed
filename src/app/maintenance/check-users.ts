import { memberFlag } from '../../kit/document/members.ts';
import { passwordHashProblem } from '../../kit/users/password-hash.ts';
import { userNameLikeness } from '../../kit/users/user-names.ts';
import { coupled, phrase, type Said, strung, worded } from '../../kit/worded.ts';
import { shellWord } from '../../kit/words/escape.ts';
import { AppError } from '../../ports/index.ts';
import type { User } from '../users/user.ts';
import type { MaintenanceServices } from './services.ts';

/** Reports stored users with contents that are refused for new ones. */
export async function checkUsers({ users }: MaintenanceServices): Promise<Said> {
  const all = await users.list();
  const problems = [
    ...all
      .filter(isRestrictedAdministrator)
      .map(
        ({ name }) =>
          worded`user ${{ name }} is marked as administrator and restricted to accounts or templates, so it is not an administrator: remove one of the two`,
      ),
    ...all.flatMap(({ name, passwordHash }) => {
      const problem = passwordHashProblem(passwordHash);
      return problem === undefined
        ? []
        : worded`user ${{ name }} cannot log in by password, because the stored hash ${{ problem }}: set a new one with "muster user passwd ${{ name }}"`;
    }),
    ...alike(all).map(
      (names) =>
        worded`users ${{ names: coupled(names) ?? '' }} have names that are taken for each other: each logs in with its exact name only; delete all but one`,
    ),
  ];
  const commands = all
    .filter(({ passwordHash }) => passwordHashProblem(passwordHash) !== undefined)
    .map(({ name }) => `muster user passwd ${shellWord(name)}`);
  const wrong = strung(problems);
  if (wrong !== undefined) throw new AppError('failed', wrong, { members: { commands } });
  return all.length === 1 ? phrase`1 user` : worded`${{ count: String(all.length) }} users`;
}

function isRestrictedAdministrator({ restrictedTo, restrictedToTemplates, record }: User): boolean {
  return (restrictedTo !== null || restrictedToTemplates !== null) && memberFlag(record.document.value, 'global_admin');
}

/** Groups of names that look the same. */
function alike(users: readonly User[]): readonly (readonly string[])[] {
  const groups = new Map<string, string[]>();
  for (const { name } of users) {
    const likeness = userNameLikeness(name);
    groups.set(likeness, [...(groups.get(likeness) ?? []), name]);
  }
  return [...groups.values()].filter((names) => names.length > 1);
}
