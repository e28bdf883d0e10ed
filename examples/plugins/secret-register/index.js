import { AppError, definePlugin, z } from 'muster/plugin-api';

/** A source of secrets: a register that answers each of them as text below its address. */
export default definePlugin({
  id: 'secret-register',
  apiVersion: 2,
  options: z.strictObject({ url: z.string(), key: z.string().meta({ secret: true }) }),
  register(host, { url, key }) {
    host.secretSource({
      id: 'register',
      title: 'Register of secrets',
      description: 'The register of the department: one name a secret.',
      example: 'register:netbox-token',
      problem: (name) => (/^[\w-]+$/.test(name) ? undefined : 'must be a name of letters, digits, - and _'),
      open({ http, logger }) {
        const client = http.client({ url, auth: { kind: 'bearer', token: key }, logger });
        return {
          async read(name, context) {
            const { status, value } = await client.text({ path: encodeURIComponent(name), accept: [404] }, context);
            if (status === 404) throw new AppError('failed', `the register has no secret called ${name}`);
            return value;
          },
        };
      },
    });
  },
});
