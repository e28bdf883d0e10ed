/**
 * The jobs of existing installations, by the names that their groups have: letter by letter, with two blanks in one of them and two
 * misspellings. What each of them does here, and under which idents the log of such an installation had its runs: monitoring
 * checks ask for those.
 */

/** A system that jobs work with, and the type of its accounts. */
export interface JobSystem {
  readonly title: string;
  readonly accountType: string;
}

/** What a job of an existing installation does here. */
export type JobMeaning =
  /** The job of that name here, with an account of the system's type. Without a plugin for that type it waits for one. */
  | { readonly does: 'Import' | 'Inventorize' | 'Export'; readonly system: JobSystem }
  /** A job here that looks for no system. The account may hold settings for it. */
  | { readonly does: 'Autorules' | 'Fire Playbooks' | 'Maintenance' | 'Mark Stale' | 'Recount Seats' }
  /** Succeeds, and says why there is nothing to do. */
  | { readonly does: 'nothing'; readonly because: string }
  /** Waits for a plugin that registers a job of exactly this name: what a source or target does by itself is something else. */
  | { readonly does: 'by its name only'; readonly system: JobSystem };

export interface JobName {
  readonly name: string;
  readonly means: JobMeaning;
  /** The first is what its runs log as. */
  readonly idents: readonly string[];
}

const CSV = system('CSV files', 'csv');
const JSON_FILES = system('JSON files', 'json');
const YAML = system('YAML', 'yml');
const REST = system('REST interfaces', 'external_restapi');
const MYSQL = system('MySQL', 'mysql');
const MSSQL = system('Microsoft SQL Server', 'mssql');
const ODBC = system('ODBC databases', 'odbc');
const LDAP = system('LDAP', 'ldap');
const NETBOX = system('NetBox', 'netbox');
const CHECKMK = system('Checkmk', 'cmkv2');
const VMWARE = system('VMware vCenter', 'vmware_vcenter');
const SERVICENOW = system('ServiceNow', 'servicenow');
const JDISC = system('JDisc', 'jdisc');
const JIRA_CLOUD = system('Jira Cloud', 'jira_cloud');
const JIRA = system('Jira', 'jira');
const IDOIT = system('i-doit', 'i-doit');
const PRTG = system('PRTG', 'prtg');
const REMEDY = system('BMC Remedy', 'bmc_remedy');
const CISCO = system('Cisco DNA Center', 'cisco_dna');
const EDA = system('Event-Driven Ansible', 'eda');

export const JOB_NAMES: readonly JobName[] = [
  imports('CSV: Import Hosts', CSV, 'csv_import', 'CSV'),
  inventorizes('CSV: Inventorize Hosts', CSV, 'csv_inventorize', 'CSV'),
  imports('JSON FILE: Import Hosts', JSON_FILES, 'json_file_import'),
  imports('YML FILE: Import Hosts', YAML, 'yml_file_import'),
  inventorizes('YML FILE: Inventorize Objects', YAML, 'yml_file_inventorize'),
  // The same type of account as for files, which may have a path too.
  byName('YML HTTP: Import Hosts', YAML, 'yml_http_import'),
  byName('YML HTTP: Inventorize Objects', YAML, 'yml_http_inventorize'),
  imports('REST API: Import Objects', REST, 'rest_api_import'),
  inventorizes('REST API: Inventorize Objects', REST, 'rest_api_inventorize'),

  imports('Mysql: Import Hosts', MYSQL, 'mysql_import'),
  inventorizes('Mysql: Inventorize Hosts', MYSQL, 'mysql_inventorize'),
  imports('MsSQL: Import Hosts', MSSQL, 'mssql_import'),
  inventorizes('MsSQL: Inventorize Data', MSSQL, 'mssql_inventorize'),
  imports('ODBC: Import Hosts', ODBC, 'odbc_import'),
  inventorizes('ODBC: Inventorize Data', ODBC, 'odbc_inventorize'),
  imports('LDAP: Import Objects', LDAP, 'LDAP', 'ldap_import'),
  inventorizes('LDAP: Inventorize Data', LDAP, 'LDAP', 'ldap_inventorize'),

  imports('Netbox: Import Devices', NETBOX, 'SyncDevices'),
  byName('Netbox: Import VMs', NETBOX, 'SyncVirtualMachines'),
  byName('Netbox: Import DCIM Interfaces', NETBOX, 'SyncInterfaces'),
  byName('Netbox: Import Virtualization Interfaces', NETBOX, 'SyncVirtInterfaces'),
  byName('Netbox: Sync Cluster', NETBOX, 'netbox_cluster_sync'),
  byName('Netbox: Sync Virutal Machines', NETBOX, 'netbox_vm_sync'),
  byName('Netbox: Update Contacts', NETBOX, 'netbox_contact_sync'),
  byName('Netbox: Update DCIM Interfaces', NETBOX, 'netbox_dcim_interface_sync'),
  byName('Netbox: Update Dataflow', NETBOX, 'netbox_dataflow_sync'),
  byName('Netbox: Update Devices', NETBOX, 'netbox_device_sync', 'netbox_device_sync_command'),
  byName('Netbox: Update IPs', NETBOX, 'netbox_ipam_ip_export'),
  byName('Netbox: Update Prefixes', NETBOX, 'netbox_ipam_prefix_export'),
  byName('Netbox: Update Virtualization Interfaces', NETBOX, 'netbox_virt_interface_sync'),

  exports('Checkmk: Export Hosts', CHECKMK, 'cmk_host_sync', 'checkmk_host_export'),
  byName('Checkmk: Export Rules', CHECKMK, 'cmk_rule_sync'),
  byName('Checkmk: Export Groups', CHECKMK, 'cmk_group_sync'),
  byName('Checkmk: Export Tags', CHECKMK, 'cmk_tag_sync'),
  byName('Checkmk: Export Users', CHECKMK, 'cmk_user_sync'),
  byName('Checkmk: Generate Users', CHECKMK, 'cmk_user_generation'),
  byName('Checkmk: Export Passwords', CHECKMK, 'cmk_password_sync'),
  byName('Checkmk: Export BI Rules', CHECKMK, 'cmk_bi_sync'),
  byName('Checkmk: Export BI Aggregations', CHECKMK, 'cmk_bi_aggrigation_sync'),
  byName('Checkmk: Export DCD Rules', CHECKMK, 'cmk_dcd_rule_sync'),
  byName('Checkmk: Export Downtimes', CHECKMK, 'cmk_downtime_sync'),
  byName('Checkmk: Activate Changes', CHECKMK, 'Checkmk', 'CMK2'),
  byName('Checkmk: Bake and Sign Agents', CHECKMK, 'CMK2'),
  byName('Checkmk: Import Hosts (V2)', CHECKMK, 'DataGeter'),
  byName('Checkmk: Import Sites', CHECKMK, 'cmk_site_sync'),
  byName('Checkmk: Inventorize', CHECKMK, 'cmk_inventorize', 'checkmk_inventorize'),
  // Pools are ours, and counting them needs no connector; pools of sites are only kept.
  { name: 'Checkmk: Sync Folder Pools', means: { does: 'Recount Seats' }, idents: [] },
  byName('Checkmk: Sync Site Pools', CHECKMK),

  byName('VMware: Export Custom Attributes', VMWARE, 'vmware_attribute_export'),
  byName('VMware: Inventorize Custom Attributes', VMWARE, 'vmware_attribute_inventorize'),
  byName('VMware: Inventorize VM Hardware', VMWARE, 'vmware_hardware_inventorize'),
  imports('ServiceNow: Import hosts', SERVICENOW, 'SyncServiceNow'),
  // It reads other tables than the import does, and follows relations.
  byName('ServiceNow: Inventorize data', SERVICENOW, 'SyncServiceNow'),
  imports('JDisc: Import Devices', JDISC, 'jdisc_device_import'),
  byName('JDisc: Import Applications', JDISC, 'jdisc_applications_import'),
  byName('JDisc: Import Executables', JDISC, 'jdisc_executables_import'),
  inventorizes('JDisc: Inventorize Devices', JDISC, 'jdisc_device_inventorize'),
  byName('JDisc: Inventorize Applications', JDISC, 'jdisc_application_inventorize'),
  byName('JDisc: Inventorize Executables', JDISC, 'jdisc_executables_inventorize'),
  imports('Jira Cloud: Import Hosts', JIRA_CLOUD, 'jira_cloud_import'),
  byName('Jira Cloud: Export Objects', JIRA_CLOUD, 'jira_cloud_export'),
  byName('Jira Cloud: Sync Schema', JIRA_CLOUD, 'jira_cloud_schema'),
  imports('Jira OnPrem: Import  Hosts', JIRA, 'jira_onprem_import'),
  imports('i-doit: Import hosts', IDOIT, 'SyncIdoit'),
  exports('i-doit: Export hosts', IDOIT, 'SyncIdoit'),
  imports('PRTG Monitoring: Import Objects', PRTG, 'prtg_import'),
  inventorizes('PRTG Monitoring: Inventorize Objects', PRTG, 'prtg_inventorzie'),
  imports('BMC Remedy: Get Hosts', REMEDY, 'bmc_remedy_import'),
  imports('Cisco DNA: Get Devices', CISCO),
  byName('Cisco DNA: Get Interfaces', CISCO),
  byName('EDA: Send Events', EDA, 'eda_send_events'),

  {
    name: 'Ansible: Build Cache',
    means: { does: 'nothing', because: 'inventories are made of what is stored at that moment, so there is no cache' },
    idents: ['ansible_jobs'],
  },
  { name: 'Ansible: Fire Playbook Rules', means: { does: 'Fire Playbooks' }, idents: [] },
  { name: 'Syncer: Autocreate Rules', means: { does: 'Autorules' }, idents: ['RuleCreation'] },
  { name: 'Syncer: Maintenence', means: { does: 'Maintenance' }, idents: ['Maintenance'] },
  { name: 'Syncer: Mark Stale Hosts', means: { does: 'Mark Stale' }, idents: ['Maintenance'] },
];

function system(title: string, accountType: string): JobSystem {
  return { title, accountType };
}

function imports(name: string, of: JobSystem, ...idents: string[]): JobName {
  return { name, means: { does: 'Import', system: of }, idents };
}

function inventorizes(name: string, of: JobSystem, ...idents: string[]): JobName {
  return { name, means: { does: 'Inventorize', system: of }, idents };
}

function exports(name: string, of: JobSystem, ...idents: string[]): JobName {
  return { name, means: { does: 'Export', system: of }, idents };
}

function byName(name: string, of: JobSystem, ...idents: string[]): JobName {
  return { name, means: { does: 'by its name only', system: of }, idents };
}
