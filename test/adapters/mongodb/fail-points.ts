import { MongoClient } from 'mongodb';

export interface FailPoint {
  readonly commands: readonly string[];
  /** How many commands still succeed. */
  readonly skip?: number;
  readonly closeConnection?: boolean;
  readonly errorCode?: number;
  readonly blockMs?: number;
}

/** Makes commands fail that come from clients of one name. The server must run with test commands enabled. */
export async function failPoints(serverUrl: string): Promise<{
  set(appName: string, point: FailPoint): Promise<void>;
  clear(): Promise<void>;
  close(): Promise<void>;
}> {
  const client = await MongoClient.connect(serverUrl);
  const admin = client.db('admin');
  const configureFailPoint = 'failCommand';
  return {
    async set(appName, { commands, skip, closeConnection, errorCode, blockMs }) {
      const data = {
        failCommands: commands,
        appName,
        ...(closeConnection === undefined ? {} : { closeConnection }),
        ...(errorCode === undefined ? {} : { errorCode }),
        ...(blockMs === undefined ? {} : { blockConnection: true, blockTimeMS: blockMs }),
      };
      await admin.command({ configureFailPoint, mode: skip === undefined ? 'alwaysOn' : { skip }, data });
    },
    async clear() {
      await admin.command({ configureFailPoint, mode: 'off' });
    },
    close: () => client.close(),
  };
}
