/**
 * The module that plugins import as `muster/kit`: the parts that built-in plugins are made of. It may change with any release until 1.0, unlike
 * `muster/plugin-api`, which has the ports, the schema library, and members of rule documents.
 */

export { generalizedTime } from '../jinja/point-in-time.ts';
export { API_ACCOUNT_TYPES } from './account-options/api-accounts.ts';
export { commonAccountOptions } from './account-options/common-options.ts';
export { optionDocument } from './account-options/option-document.ts';
export { certificatesOf } from './connection/certificates.ts';
export { connectionError, serverError, told, withSaid } from './connection/faults.ts';
export { type ConnectionOptions, connectionOptions } from './connection/options.ts';
export { type Limits, settles, within, withSignsOfLife } from './connection/timeouts.ts';
export { type Encryption, encryptionOf, tlsSettings } from './connection/tls.ts';
export { tlsFileOptions } from './connection/tls-file-options.ts';
export { isLikelySecret, isSecretValue } from './document/likely-secrets.ts';
export { isListRule } from './document/list-rule.ts';
export * from './document/member-table.ts';
export * from './document/members.ts';
export { readListColumns } from './document/pasted-list.ts';
export { namedTemplates } from './document/templates.ts';
export { readExtraVariables } from './extra-variables/extra-variables.ts';
export { type FileTurn, hostOf, readEachFile } from './file-source/each-file.ts';
export { fileFault, shown, shownNames } from './file-source/fault.ts';
export { foreignFormat, isZip } from './file-source/foreign-format.ts';
export { fileOptions } from './file-source/options.ts';
export { setOwn } from './file-source/own-property.ts';
export { readText } from './file-source/read-text.ts';
export * from './http-account/client.ts';
export { httpAccountMembers } from './http-account/members.ts';
export { METHODS, method } from './http-account/method.ts';
export * from './http-account/options.ts';
export * from './http-account/refuse-login.ts';
export {
  compileBody,
  compilePairs,
  compileQuery,
  compileText,
  type RequestValues,
} from './http-account/request-template.ts';
export { DocumentFault, type DocumentHandler, type DocumentPath, DocumentScanner } from './json/document-scanner.ts';
export { isExactNumber } from './json/exact-number.ts';
export { parseExact } from './json/exact-numbers.ts';
export { isJsonObject } from './json/json-object.ts';
export { readJson } from './json/json-reader.ts';
export { namesOfPath } from './json/member-path.ts';
export { isSecretName } from './masking/secret-names.ts';
export { checkedLookup, requireAllowedHost } from './names/addresses.ts';
export { isAnsibleVariable } from './names/ansible-names.ts';
export { groupFault, isOwnMachine, lookedUpFault } from './names/entity-names.ts';
export { GroupNames, identifierOf, type NameMode, withNames } from './names/variable-names.ts';
export { compileHostnameTemplate, type HostnameTemplate, type RecordScope } from './options/hostname-template.ts';
export { headersOf } from './options/http-headers.ts';
export { holdsHttpSecret } from './options/http-options.ts';
export { madeOnce } from './options/made-once.ts';
export { referenceShapeProblem } from './options/secret-reference.ts';
export { titled } from './options/titled.ts';
export { flag, number, textList, whole } from './options/values.ts';
export { blankLabels } from './records/blank-labels.ts';
export { readFilter } from './records/filter-text.ts';
export { flatList } from './records/flat-labels.ts';
export { ahead, withBeats } from './records/heartbeat.ts';
export { NamedRows } from './records/named-rows.ts';
export { listedRecord } from './records/object-record.ts';
export { filterOption, keyOption, objectOptions, recordOptions, WRITTEN_NULLS } from './records/options.ts';
export { RecordFilter } from './records/record-filter.ts';
export { RecordKeys, readKeyField } from './records/record-keys.ts';
export { RecordMaker, type RecordOptions } from './records/record-maker.ts';
export { isNamedByFile, nameFields, noNameText } from './records/record-name.ts';
export { isAtPath, isList, leadsOn, pathText, stepsIntoLists, valuesAt } from './records/record-path.ts';
export { RELATION_FAULT, type RelationField, readRelationField, relationsOf } from './records/relation-fields.ts';
export { isVaulted, isVaultedText, VAULT_MARK } from './records/vaulted.ts';
export {
  ANSWER_REMEDY,
  FILE_REMEDY,
  FileLists,
  ignoredMembersOption,
  maySpeak,
  speaksOfList,
  textOf as answerText,
  WholeList,
} from './records/whole-list.ts';
export { isNoName } from './records/worthless-values.ts';
export { countWordings as exportCountWordings, hostsWording } from './summaries/export-summary.ts';
export { countWordings as importCountWordings, recordsWording } from './summaries/import-summary.ts';
export { passwordHashProblem } from './users/password-hash.ts';
export { tokenHashOf } from './users/token-hash.ts';
export { userNameLikeness, userNameProblem } from './users/user-names.ts';
export {
  abridged,
  alternatives,
  detailOf,
  enumerated,
  messageOf,
  phrase,
  plainWording,
  type Said,
  saidBy,
  saidIn,
  schemaText,
  textOf,
  WordedError,
  worded,
} from './worded.ts';
