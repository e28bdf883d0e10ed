import {
  MongoInvalidArgumentError,
  MongoNetworkError,
  MongoOperationTimeoutError,
  MongoParseError,
  MongoServerError,
  MongoTopologyClosedError,
  MongoUnexpectedServerResponseError,
} from 'mongodb';
import { describe, expect, it } from 'vitest';
import { toAppError } from '../../../src/adapters/storage/mongodb/errors.ts';

describe('MongoDB: errors of the driver', () => {
  it.each([
    new MongoUnexpectedServerResponseError('Unable to get response from server'),
    new MongoNetworkError('connection closed'),
    new MongoOperationTimeoutError('too slow'),
    new MongoTopologyClosedError('closed'),
    new MongoServerError({ code: 10107, message: 'not primary' }),
  ])('$name is a database that does not answer', (error) => {
    expect(toAppError(error)).toMatchObject({ code: 'unavailable', retryAfterSeconds: 5, cause: error });
  });

  it.each([
    new MongoServerError({ code: 2, message: 'bad value' }),
    new MongoInvalidArgumentError('wrong call'),
    new MongoParseError('wrong address'),
    new TypeError('a fault of ours'),
  ])('$name is a fault', (error) => {
    expect(toAppError(error)).toMatchObject({ code: 'internal', cause: error });
  });
});
