import type { JobName } from '../../ports/job.ts';
import { jobNamesOf } from '../shared/jobs/job-names-of.ts';

/** Names in groups of existing installations for the jobs here that are not about one system. */
const ownNames: readonly JobName[] = [
  // Pools are ours, and counting them needs no connector; pools of sites are only kept.
  { name: 'Checkmk: Sync Folder Pools', job: 'Recount Seats', logsAs: [] },
  {
    name: 'Ansible: Build Cache',
    nothing: 'inventories are made of what is stored at that moment, so there is no cache',
    logsAs: ['ansible_jobs'],
  },
  { name: 'Ansible: Fire Playbook Rules', job: 'Fire Playbooks', logsAs: [] },
  { name: 'Syncer: Autocreate Rules', job: 'Autorules', logsAs: ['RuleCreation'] },
  { name: 'Syncer: Maintenence', job: 'Maintenance', logsAs: ['Maintenance'] },
  { name: 'Syncer: Mark Stale Hosts', job: 'Mark Stale', logsAs: ['Maintenance'] },
];

/** Their jobs for systems that no plugin here connects to: each waits for one that does. */
const waitingNames: readonly JobName[] = [
  ...jobNamesOf(
    { title: 'Checkmk', accountType: 'cmkv2' },
    {
      'Checkmk: Export Hosts': { job: 'Export', logsAs: ['cmk_host_sync', 'checkmk_host_export'] },
      'Checkmk: Export Rules': { logsAs: ['cmk_rule_sync'] },
      'Checkmk: Export Groups': { logsAs: ['cmk_group_sync'] },
      'Checkmk: Export Tags': { logsAs: ['cmk_tag_sync'] },
      'Checkmk: Export Users': { logsAs: ['cmk_user_sync'] },
      'Checkmk: Generate Users': { logsAs: ['cmk_user_generation'] },
      'Checkmk: Export Passwords': { logsAs: ['cmk_password_sync'] },
      'Checkmk: Export BI Rules': { logsAs: ['cmk_bi_sync'] },
      'Checkmk: Export BI Aggregations': { logsAs: ['cmk_bi_aggrigation_sync'] },
      'Checkmk: Export DCD Rules': { logsAs: ['cmk_dcd_rule_sync'] },
      'Checkmk: Export Downtimes': { logsAs: ['cmk_downtime_sync'] },
      'Checkmk: Activate Changes': { logsAs: ['Checkmk', 'CMK2'] },
      'Checkmk: Bake and Sign Agents': { logsAs: ['CMK2'] },
      'Checkmk: Import Hosts (V2)': { logsAs: ['DataGeter'] },
      'Checkmk: Import Sites': { logsAs: ['cmk_site_sync'] },
      'Checkmk: Inventorize': { logsAs: ['cmk_inventorize', 'checkmk_inventorize'] },
      'Checkmk: Sync Site Pools': {},
    },
  ),
  ...jobNamesOf(
    { title: 'VMware vCenter', accountType: 'vmware_vcenter' },
    {
      'VMware: Export Custom Attributes': { logsAs: ['vmware_attribute_export'] },
      'VMware: Inventorize Custom Attributes': { logsAs: ['vmware_attribute_inventorize'] },
      'VMware: Inventorize VM Hardware': { logsAs: ['vmware_hardware_inventorize'] },
    },
  ),
  ...jobNamesOf(
    { title: 'Jira', accountType: 'jira' },
    {
      'Jira OnPrem: Import  Hosts': { job: 'Import', logsAs: ['jira_onprem_import'] },
    },
  ),
  ...jobNamesOf(
    { title: 'BMC Remedy', accountType: 'bmc_remedy' },
    {
      'BMC Remedy: Get Hosts': { job: 'Import', logsAs: ['bmc_remedy_import'] },
    },
  ),
  ...jobNamesOf(
    { title: 'Event-Driven Ansible', accountType: 'eda' },
    {
      'EDA: Send Events': { logsAs: ['eda_send_events'] },
    },
  ),
];

export const jobNames: readonly JobName[] = [...ownNames, ...waitingNames];
