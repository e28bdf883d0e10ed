import { addRelation } from '../../../app/operations/relations/add-relation.ts';
import { listRelations } from '../../../app/operations/relations/list-relations.ts';
import { removeRelation } from '../../../app/operations/relations/remove-relation.ts';
import { type OperationRoute, route } from '../route.ts';

const basePath = '/api/v1/objects';

/** Without CMDB mode these endpoints do not exist, for anybody. */
export function relationRoutes(options: { readonly cmdbMode: boolean }): readonly OperationRoute[] {
  const path = `${basePath}/:hostname/relations`;
  const missing = options.cmdbMode
    ? {}
    : { missing: 'relations are not enabled here; set CMDB_MODE to true in the configuration' };
  return [
    route(listRelations, { method: 'GET', path, basePath, errors: ['not_found'], ...missing }),
    route(addRelation, { method: 'POST', path, basePath, body: 'required', errors: ['not_found'], ...missing }),
    route(removeRelation, { method: 'DELETE', path, basePath, body: 'required', errors: ['not_found'], ...missing }),
  ];
}
