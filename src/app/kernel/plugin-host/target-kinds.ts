import { AppError, type TargetKind, type TargetPart } from '../../../ports/index.ts';

/** Objects are compared and remembered by what a target declares of them. Throws `AppError('invalid_input')`. */
export function requireKinds(id: string, kinds: readonly TargetKind[], parts: readonly TargetPart[] = []): void {
  const names = kinds.map((kind) => kind.id);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (kinds.length === 0) throw new AppError('invalid_input', `target ${id} declares no kind of objects`);
  if (twice !== undefined) throw new AppError('invalid_input', `target ${id} declares the kind ${twice} twice`);
  for (const kind of kinds) {
    if (!/^[a-z][a-z0-9_-]*$/i.test(kind.id)) {
      throw new AppError('invalid_input', `target ${id}: a kind is called by letters, digits, - and _, not ${kind.id}`);
    }
    if (kind.batch !== undefined && !(Number.isSafeInteger(kind.batch) && kind.batch >= 1)) {
      throw new AppError('invalid_input', `target ${id}: the batch of the kind ${kind.id} must be a number from 1 on`);
    }
    for (const other of [kind.of, kind.within, ...(kind.partOf ?? [])]) {
      if (other === undefined || names.slice(0, names.indexOf(kind.id)).includes(other)) continue;
      throw new AppError(
        'invalid_input',
        `target ${id}: the kind ${kind.id} is of ${other}, which must be declared before it`,
      );
    }
  }
  for (const part of parts) {
    const unknown = part.kinds.find((kind) => !names.includes(kind));
    if (unknown !== undefined) {
      throw new AppError(
        'invalid_input',
        `target ${id}: the part ${part.id} has the kind ${unknown}, which is not declared`,
      );
    }
  }
}
