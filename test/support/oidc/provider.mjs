// A certified OpenID provider over people that a test names: node provider.mjs <port> <address of Muster>.
// It has a login form of its own; POST /test/people replaces who is known there; GET /test/asked counts what was asked for.
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const [port, muster] = process.argv.slice(2);
let people = {};

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: 'muster',
      client_secret: 'the secret of the client',
      redirect_uris: [`${muster}/admin/sign-in/company/return`],
      post_logout_redirect_uris: [`${muster}/admin`],
      backchannel_logout_uri: `${muster}/admin/sign-in/company/ended`,
      backchannel_logout_session_required: true,
      grant_types: ['authorization_code', 'refresh_token'],
    },
  ],
  claims: { openid: ['sub', 'sid'], profile: ['preferred_username', 'groups'], email: ['email'] },
  features: {
    devInteractions: { enabled: true },
    backchannelLogout: { enabled: true },
    rpInitiatedLogout: { enabled: true },
  },
  // Its own would call nobody on this machine.
  fetch: (url, { dispatcher: _, ...options }) => fetch(url, options),
  pkce: { required: () => true },
  issueRefreshToken: () => process.env.WITHOUT_REFRESH !== '1',
  cookies: { keys: ['one key for a test'] },
  async loadExistingGrant({ oidc }) {
    const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
    grant.addOIDCScope('openid profile email');
    await grant.save();
    return grant;
  },
  findAccount(_context, id) {
    const person = people[id];
    if (person === undefined) return undefined;
    return { accountId: id, claims: () => ({ sub: id, ...person }) };
  },
});

const answer = provider.callback();
const asked = {};
createServer(async (request, response) => {
  const path = request.url.split('?')[0];
  if (path === '/test/asked') return response.end(JSON.stringify(asked));
  asked[path] = (asked[path] ?? 0) + 1;
  if (request.url !== '/test/people') return answer(request, response);
  let text = '';
  for await (const piece of request) text += piece;
  people = JSON.parse(text);
  response.end();
}).listen(Number(port), '127.0.0.1', () => console.log('ready'));
