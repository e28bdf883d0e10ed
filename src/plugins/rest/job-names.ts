import type { JobName } from '../../ports/job.ts';
import { jobNamesOf } from '../shared/jobs/job-names-of.ts';

export const restJobNames: readonly JobName[] = [
  ...jobNamesOf(
    { title: 'REST interfaces', accountType: 'external_restapi' },
    {
      'REST API: Import Objects': { job: 'Import', logsAs: ['rest_api_import'] },
      'REST API: Inventorize Objects': { job: 'Inventorize', logsAs: ['rest_api_inventorize'] },
    },
  ),
  ...jobNamesOf(
    { title: 'ServiceNow', accountType: 'servicenow' },
    {
      'ServiceNow: Import hosts': { job: 'Import', logsAs: ['SyncServiceNow'] },
      // It reads other tables than the import does, and follows relations.
      'ServiceNow: Inventorize data': { logsAs: ['SyncServiceNow'] },
    },
  ),
  ...jobNamesOf(
    { title: 'JDisc', accountType: 'jdisc' },
    {
      'JDisc: Import Devices': { job: 'Import', logsAs: ['jdisc_device_import'] },
      'JDisc: Import Applications': { logsAs: ['jdisc_applications_import'] },
      'JDisc: Import Executables': { logsAs: ['jdisc_executables_import'] },
      'JDisc: Inventorize Devices': { job: 'Inventorize', logsAs: ['jdisc_device_inventorize'] },
      'JDisc: Inventorize Applications': { logsAs: ['jdisc_application_inventorize'] },
      'JDisc: Inventorize Executables': { logsAs: ['jdisc_executables_inventorize'] },
    },
  ),
  ...jobNamesOf(
    { title: 'Jira Cloud', accountType: 'jira_cloud' },
    {
      'Jira Cloud: Import Hosts': { job: 'Import', logsAs: ['jira_cloud_import'] },
      'Jira Cloud: Export Objects': { logsAs: ['jira_cloud_export'] },
      'Jira Cloud: Sync Schema': { logsAs: ['jira_cloud_schema'] },
    },
  ),
  ...jobNamesOf(
    { title: 'i-doit', accountType: 'i-doit' },
    {
      'i-doit: Import hosts': { job: 'Import', logsAs: ['SyncIdoit'] },
      'i-doit: Export hosts': { job: 'Export', logsAs: ['SyncIdoit'] },
    },
  ),
  ...jobNamesOf(
    { title: 'PRTG', accountType: 'prtg' },
    {
      'PRTG Monitoring: Import Objects': { job: 'Import', logsAs: ['prtg_import'] },
      'PRTG Monitoring: Inventorize Objects': { job: 'Inventorize', logsAs: ['prtg_inventorzie'] },
    },
  ),
  ...jobNamesOf(
    { title: 'Cisco DNA Center', accountType: 'cisco_dna' },
    {
      'Cisco DNA: Get Devices': { job: 'Import' },
      'Cisco DNA: Get Interfaces': {},
    },
  ),
];
