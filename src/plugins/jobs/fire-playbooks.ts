import type { JobType } from '../../ports/job.ts';
import type { JsonValue } from '../../ports/json.ts';
import type { LogDetail } from '../../ports/records/log-store.ts';
import { memberOf, textOf } from '../shared/jobs/answers.ts';

export const firePlaybooksJob: JobType = {
  id: 'Fire Playbooks',
  aliases: ['Ansible: Fire Playbook Rules', 'Ansible: Fire Playbooks', 'Automation: Fire Playbooks'],
  description: 'Runs the playbooks of rules that begin to match hosts.',
  account: 'none',
  async run({ operation }) {
    const answer = await operation('playbooks/fire-playbooks', {});
    const failed = textOf(answer, 'status') === 'failed';
    const problems = itemsOf(answer, 'problems').map((problem): LogDetail => {
      return { level: 'warning', message: `Rule ${textOf(problem, 'rule')}: ${textOf(problem, 'message')}` };
    });
    const details = [...problems, ...itemsOf(answer, 'runs').map(runDetail)];
    return { message: textOf(answer, 'message'), details, ...(failed ? { failed } : {}) };
  },
};

function runDetail(run: JsonValue): LogDetail {
  const what = `${textOf(run, 'playbook')} for ${textOf(run, 'hostname')} by rule ${textOf(run, 'rule')}`;
  const succeeded = textOf(run, 'status') === 'succeeded';
  const outcome = succeeded ? 'succeeded' : `${textOf(run, 'status')}: ${textOf(run, 'message')}`;
  return { level: succeeded ? 'info' : 'error', message: `${what} ${outcome}; run ${textOf(run, 'id')}` };
}

function itemsOf(answer: JsonValue, name: string): readonly JsonValue[] {
  const value = memberOf(answer, name);
  return Array.isArray(value) ? value : [];
}
