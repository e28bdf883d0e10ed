/** A difference in behaviour from existing installations: a description, and the action to take. */
export interface DifferenceWords {
  readonly what: string;
  readonly action: string;
}

/** By topic. What follows the number of documents or their names must fit to one and to many. */
export const DIFFERENCES = {
  no_filter: {
    what: 'A project without an enabled filter rule showed no attributes; here it shows all of them.',
    action: 'Add a filter rule to it that names what it may show; one without outcomes shows nothing.',
  },
  empty_values: {
    what: 'A filter line with a whole name hid values that are 0, false or empty text; here it shows them.',
    action: 'Nothing, or hide them by a condition. "muster migrate compare" lists the variables.',
  },
  attributes_in_turn: {
    what: 'Custom attributes did not see what earlier custom attribute rules set; here they do, in the order of sort_field.',
    action: 'Compare the inventories, and give the attribute another name where the rule must not see it.',
  },
  rewrites_in_turn: {
    what: 'A renamed attribute stayed visible under its old name to later rewrites; here it is gone at once.',
    action: 'Let the later rule read the new name.',
  },
  firing_on_renamed: {
    what: 'A firing rule saw labels as they are; here it sees attributes after the rewrites of its project, and asks for a name that a rewrite takes away, so it never fires.',
    action: 'Let its condition name the new attribute.',
  },
  groups: {
    what: 'ansible_groups was a variable like others; here the hosts are in groups of these names too.',
    action: 'Nothing, or give the variable another name.',
  },
  pasted_lists: {
    what: 'The rule ran over its pasted list; rules of this type run over hosts here.',
    action: 'Disable it until this version has lists for its type: it would hit every host.',
  },
  hidden_hosts: {
    what: 'With a rule about ages in the project, ignore_hosts did not hide hosts; here it does.',
    action: 'Nothing: the rule says so. Remove it if the hosts shall stay.',
  },
  nested_labels: {
    what: 'A filter line with * showed nested labels as objects; here it shows their members, with dots in their names.',
    action: 'Name the object in a line of its own for playbooks that read its members.',
  },
  compared_objects: {
    what: 'A condition compares an object, which was compared as the text of it; here that does not hold.',
    action: 'Compare one of its members: site.name, and not site.',
  },
  line_breaks: {
    what: 'Line breaks in texts of the rule were removed before they were rendered; here they stay.',
    action: 'Write the text on one line where its value must be one.',
  },
  inactive_hosts: {
    what: 'The hosts are planned, staged or decommissioned. An installation with CMDB_MODE leaves them out of inventories, and it is off here.',
    action: 'Switch it on if the old one had it.',
  },
  archived_hosts: {
    what: 'The hosts were archived; their documents are imported as active hosts.',
    action: 'Archive them again after the import: muster host archive <hostname>.',
  },
  relations: {
    what: 'Relations of the hosts name their target by an id, which is not read here.',
    action: 'Add them again: muster host relations <hostname>.',
  },
  template_text: {
    what: 'A label holds template text, which consumers get broken by a space, so that it is not run.',
    action: 'Let a rule make the value, with "expression": true in its outcome.',
  },
  ansible_labels: {
    what: 'A label begins with ansible_ and may run something on the controller, so inventories leave it out.',
    action: 'Set the variable by a rule of an administrator.',
  },
  account_types: {
    what: 'The account has a type that no plugin of this version provides: it is kept, and nothing is imported or exported with it.',
    action: 'Name the plugin that does in PLUGINS, or wait for a version that has it.',
  },
  account_options: {
    what: 'The options of the account do not fit its type, so a run of it fails and says why.',
    action: 'Correct them: muster account set <name> --set <option>=<value>; an empty value removes an option.',
  },
  http_options: {
    what: 'The account has options for its requests (proxy, headers, timeout, certificates): they are kept, with secrets in them encrypted, and nothing here makes such requests yet.',
    action: 'Nothing: a plugin that brings the type reads them.',
  },
  archive_days: {
    what: 'Its maintenance deleted for good what was in the archive for some days (purge_archived_after_days, 30 without it); here ARCHIVE_DAYS says so for all hosts.',
    action: 'Set ARCHIVE_DAYS to that number; with 0, the default, archived hosts are kept.',
  },
  restricted_accounts: {
    what: 'The account was restricted to imports or to inventories (restrict_to), which is kept and does not hold here.',
    action: 'Remove the cron jobs that must not run with it.',
  },
  playbooks: {
    what: 'What the rule has fired is not in an export: what it matches in its first pass here counts as fired, and nothing runs for that.',
    action:
      'Import the hosts before that pass, and count by "muster playbook fire --dry-run". "muster playbook fire-existing" runs it for them instead.',
  },
} as const satisfies Readonly<Record<string, DifferenceWords>>;

export type DifferenceTopic = keyof typeof DIFFERENCES;

/** The fate of secrets of the old installation. */
export const SECRET_WORDS = {
  enter: 'encrypted with the key of the other installation, so enter them again',
  reset: 'of a form that is not checked here, so set new ones',
  missing: 'not in the export, so set new ones',
  works: 'work as they are',
  sealed: 'in clear text, and encrypted by the import',
} as const;

export type SecretState = keyof typeof SECRET_WORDS;

/** A job and what happens to it; sentences about a job that is not there begin with its name. */
export function jobText(job: {
  readonly command: string;
  readonly account: string | null;
  readonly becomes: string;
}): string {
  const { command, account, becomes } = job;
  if (becomes.startsWith(command)) return becomes;
  return `${command}${account === null ? '' : ` with ${account}`}: ${becomes}`;
}
