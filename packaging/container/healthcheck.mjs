// Exits with 0 when the service answers. Not whether it is ready: a node whose database is away recovers by itself, and a restart would not help.
const { SERVICE_HTTP_PORT: port = '8080', SERVICE_TLS_CERT: certificate } = process.env;

// The certificate is made for the name that people use.
if (certificate) process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
process.removeAllListeners('warning');

try {
  const answer = await fetch(`${certificate ? 'https' : 'http'}://127.0.0.1:${port}/healthz`, {
    signal: AbortSignal.timeout(4_000),
  });
  if (!answer.ok) throw new Error(`it answers ${answer.status}`);
} catch (error) {
  console.error(`muster: the service on port ${port} does not answer: ${error.cause?.message ?? error.message}`);
  process.exitCode = 1;
}
