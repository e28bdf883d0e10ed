import { AppError, type Playbook, type PlaybookList } from '../../ports/index.ts';

/** The playbook that somebody means by its file or, where no file is named so, by its name. */
export function findPlaybook({ playbooks }: PlaybookList, wanted: string): Playbook | undefined {
  return playbooks.find(({ file }) => file === wanted) ?? playbooks.find(({ name }) => name === wanted);
}

export function requirePlaybook(list: PlaybookList, wanted: string): Playbook {
  const playbook = findPlaybook(list, wanted);
  if (playbook !== undefined) return playbook;
  throw new AppError('not_found', missingPlaybook(list, wanted));
}

/** Why it cannot be run, for people. */
export function missingPlaybook({ playbooks, problems }: PlaybookList, wanted: string): string {
  const broken = problems.find(({ path }) => path.endsWith(`: ${wanted}`));
  if (broken !== undefined) return `the playbook ${wanted} cannot be run: ${broken.path} ${broken.message}`;
  const known = playbooks.map(({ file }) => file);
  const others = known.length === 0 ? 'it names none' : `it names ${known.join(', ')}`;
  return `the manifest names no playbook ${wanted}; ${others}`;
}
