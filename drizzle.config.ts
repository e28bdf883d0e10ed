import { defineConfig } from 'drizzle-kit';

/**
 * `npx drizzle-kit generate --name <what changed>` writes the next migration from the schema. Only the newest snapshot is kept:
 * the older ones are not compared with anything.
 */
export default defineConfig({
  dialect: 'sqlite',
  schema: './src/adapters/storage/sqlite/schema.ts',
  out: './src/adapters/storage/sqlite/migrations',
});
