import * as z from 'zod';
import { columnNames } from '../../kernel/listing.ts';
import { defineOperation } from '../../runs/services.ts';
import { manifestOutcome, manifestView, PLAYBOOK_COLUMNS } from '../views/playbooks.ts';

export const listPlaybooks = defineOperation({
  name: 'playbooks/list-playbooks',
  title: 'Playbooks',
  description: 'The playbooks of the manifest, and entries that cannot be used.',
  effect: 'read',
  roles: ['automation'],
  weight: 'light',
  at: {
    command: {
      words: 'playbook list',
      description: 'List the playbooks of the manifest in PLAYBOOK_DIR. Nothing else can be run.',
      summary: 'list the playbooks that can be run',
      columns: columnNames(PLAYBOOK_COLUMNS),
      json: 'answer a JSON array of playbooks',
      answered: ({ playbooks }) => playbooks,
      examples: ['muster playbook list', "muster playbook list --json | jq -r '.[].file'"],
      view: manifestView,
      outcome: manifestOutcome,
    },
    page: true,
  },
  input: z.object({}),
  output: z.object({
    playbooks: z.array(
      z.object({ file: z.string(), name: z.string(), inventory: z.string(), description: z.string() }),
    ),
    problems: z.array(z.object({ path: z.string(), message: z.string() })),
  }),
  async run(_input, { services }) {
    const { playbooks, problems } = await services.playbooks.list();
    return { playbooks: playbooks.map((entry) => ({ ...entry })), problems: problems.map((entry) => ({ ...entry })) };
  },
});
