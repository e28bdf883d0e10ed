import { memberFlag } from '../../kit/document/members.ts';
import { worded } from '../../kit/worded.ts';
import { AppError } from '../../ports/index.ts';
import type { RunServices } from '../runs/services.ts';

/** The project that rules without a project belong to. */
const DEFAULT_PROJECT = 'Default';

/**
 * The project as rules know it; `null` for none. One that is not there has no rules, and without its filters everything
 * would go out.
 */
export async function knownProject(services: RunServices, project: string): Promise<string | null> {
  if (project === '' || project === DEFAULT_PROJECT) return null;
  const projects = await services.storage.rules.list('automation_projects');
  const found = projects.find(({ name }) => name === project);
  if (found === undefined) {
    const known = projects.map(({ name }) => name).join(', ') || 'none';
    throw new AppError(
      'failed',
      worded`there is no project ${{ project }}, which the option "project" of the account names; projects: ${{ known }}`,
    );
  }
  if (!memberFlag(found.document.value, 'enabled')) {
    throw new AppError(
      'failed',
      worded`project ${{ project }}, which the option "project" of the account names, is disabled`,
    );
  }
  return project;
}
