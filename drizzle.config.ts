import { defineConfig } from 'drizzle-kit';

/** `npx drizzle-kit generate --name <what changed>` writes the next migration from the schema. */
export default defineConfig({
  dialect: 'sqlite',
  schema: './src/adapters/storage/sqlite/schema.ts',
  out: './src/adapters/storage/sqlite/migrations',
});
