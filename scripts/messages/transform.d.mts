export function hasMessages(source: string): boolean;
export function withMessages(
  source: string,
  path: string,
  runtime: string,
): Promise<{ code: string; messages: { message: string; context: string | undefined }[] }>;
export function compiled(message: string): unknown[];
