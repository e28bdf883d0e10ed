import { AppError, type JsonObject, type JsonValue, type TransferRecord } from '../../../ports/index.ts';

/** Reads the members of a transferred record; one that does not fit is refused with its key. */
export class TransferMembers {
  readonly #record: TransferRecord;

  constructor(record: TransferRecord) {
    this.#record = record;
  }

  has(name: string): boolean {
    return this.#member(name) !== undefined;
  }

  text(name: string): string {
    const value = this.#member(name);
    return typeof value === 'string' ? value : this.#refuse(name, 'a text');
  }

  nullableText(name: string): string | null {
    return this.#member(name) === null ? null : this.text(name);
  }

  whole(name: string): number {
    const value = this.#member(name);
    return typeof value === 'number' && Number.isSafeInteger(value) ? value : this.#refuse(name, 'a whole number');
  }

  nullableWhole(name: string): number | null {
    return this.#member(name) === null ? null : this.whole(name);
  }

  flag(name: string): boolean {
    const value = this.#member(name);
    return typeof value === 'boolean' ? value : this.#refuse(name, 'true or false');
  }

  /** Milliseconds of an ISO 8601 time. */
  moment(name: string): number {
    const time = Date.parse(this.text(name));
    return Number.isNaN(time) ? this.#refuse(name, 'a time') : time;
  }

  nullableMoment(name: string): number | null {
    return this.#member(name) === null ? null : this.moment(name);
  }

  object(name: string): TransferMembers {
    const value = this.#member(name);
    if (!isObject(value)) return this.#refuse(name, 'an object');
    return new TransferMembers({ key: this.#record.key, value });
  }

  nullableObject(name: string): TransferMembers | null {
    return this.#member(name) === null ? null : this.object(name);
  }

  objects(name: string): readonly TransferMembers[] {
    const value = this.#member(name);
    if (!Array.isArray(value)) return this.#refuse(name, 'a list');
    return value.map((item: JsonValue) =>
      isObject(item)
        ? new TransferMembers({ key: this.#record.key, value: item })
        : this.#refuse(name, 'a list of objects'),
    );
  }

  #member(name: string): JsonValue | undefined {
    const { value } = this.#record;
    return Object.hasOwn(value, name) ? value[name] : undefined;
  }

  #refuse(name: string, wanted: string): never {
    const key = this.#record.key.replaceAll('\u0000', ' ');
    throw new AppError('invalid_input', `the record ${key} cannot be stored: ${name} must be ${wanted}`);
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
