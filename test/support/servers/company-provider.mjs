/**
 * A company's OpenID Connect provider (oidc-provider), in a process of its own. Its people are named by their email
 * addresses. The parent changes people, keys, and clock through messages, each of which is answered.
 */
import { createServer } from 'node:http';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { SignJWT, decodeJwt, importJWK } from 'jose';
import { Provider } from 'oidc-provider';

const now = Date.now;
/** Difference of this process's clock, in seconds */
let skew = 0;
Date.now = () => now() + skew * 1000;

/** Accounts by their id: `{ email, name, verified }` */
const people = new Map();
/** Claims that replace those of the next identity tokens */
let forged = {};
/** Whether identity tokens are signed with a key that isn't published */
let usesUnknownKey = false;
/** Nothing is answered */
let isAway = false;

const server = createServer((req, res) => answer(req, res));
await new Promise((resolve) => server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;

function newKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' };
}

const store = new Map();
/** Keeps records when the provider is built anew with other keys. */
class Memory {
  constructor(name) {
    this.name = name;
  }
  key(id) {
    return `${this.name}:${id}`;
  }
  async upsert(id, payload) {
    store.set(this.key(id), payload);
  }
  async find(id) {
    return store.get(this.key(id));
  }
  async findByUid(uid) {
    return [...store.values()].find((record) => record.uid === uid && record.kind === this.name);
  }
  async findByUserCode() {}
  async consume(id) {
    store.get(this.key(id)).consumed = Math.floor(Date.now() / 1000);
  }
  async destroy(id) {
    store.delete(this.key(id));
  }
  async revokeByGrantId(grantId) {
    for (const [id, { grantId: of }] of store) if (of === grantId) store.delete(id);
  }
}

let client = { redirect_uris: [] };
let key = newKey();
let handle = buildProvider();

function buildProvider() {
  const provider = new Provider(issuer, {
    adapter: Memory,
    clients: client.client_id ? [client] : [],
    jwks: { keys: [key] },
    cookies: { keys: ['provider'] },
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true },
    },
    // Its own fetch refuses services on this machine.
    fetch: (url, { method, headers, body }) =>
      fetch(url, { method, headers, ...(body && { body }) }),
    rotateRefreshToken: true,
    issueRefreshToken: async () => true,
    pkce: { required: () => true },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    async findAccount(_ctx, id) {
      const person = people.get(id);
      if (!person) return undefined;
      const { email, name, verified } = person;
      return { accountId: id, claims: () => ({ sub: id, email, email_verified: verified, name }) };
    },
    async loadExistingGrant(ctx) {
      const { provider: own, session, client: asking, params } = ctx.oidc;
      const grant = new own.Grant({ accountId: session.accountId, clientId: asking.clientId });
      grant.addOIDCScope(params.scope);
      await grant.save();
      return grant;
    },
    ttl: { Session: 3600, Interaction: 3600, Grant: 86_400, RefreshToken: 86_400 },
  });
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.oidc?.route === 'token' && ctx.body?.id_token) await forge(ctx);
  });
  return provider;
}

/** Signs the identity token anew, with other claims or another key. */
async function forge(ctx) {
  if (Object.keys(forged).length === 0 && !usesUnknownKey) return;
  const signing = usesUnknownKey ? newKey() : key;
  const claims = { ...decodeJwt(ctx.body.id_token), ...forged };
  const token = new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: signing.kid });
  ctx.body.id_token = await token.sign(await importJWK(signing, 'RS256'));
}

async function answer(req, res) {
  if (isAway) return void req.socket.destroy();
  const [, uid] = /^\/interaction\/([\w-]+)$/.exec(req.url) ?? [];
  if (uid === undefined) return void handle.callback()(req, res);
  try {
    await interact(req, res);
  } catch (error) {
    res.writeHead(500).end(String(error));
  }
}

/** The sign-in page: a person enters the email address, and no password. */
async function interact(req, res) {
  const { params } = await handle.interactionDetails(req, res);
  if (req.method === 'GET') {
    const hint = String(params.login_hint ?? '').replaceAll(/["<>&]/g, '');
    res.setHeader('Content-Type', 'text/html');
    res.end(`<!doctype html><html lang="en"><title>Company sign-in</title><h1>Company sign-in</h1>
      <form method="post"><label>Email <input name="email" value="${hint}"></label>
      <button name="do" value="sign-in">Sign in</button>
      <button name="do" value="cancel">Cancel</button></form>`);
    return;
  }
  let body = '';
  for await (const chunk of req) body += chunk;
  const fields = new URLSearchParams(body);
  const [id] = [...people].find(([, { email }]) => email === fields.get('email')) ?? [];
  const isIn = fields.get('do') !== 'cancel' && id !== undefined;
  const result = isIn
    ? { login: { accountId: id } }
    : { error: 'access_denied', error_description: 'canceled' };
  await handle.interactionFinished(req, res, result);
}

const commands = {
  client(metadata) {
    const redirects = [...new Set([...client.redirect_uris, ...metadata.redirect_uris])];
    client = {
      response_types: ['code'],
      grant_types: ['authorization_code', 'refresh_token'],
      ...metadata,
      redirect_uris: redirects,
    };
    handle = buildProvider();
  },
  person({ id, ...person }) {
    people.set(id, { verified: true, ...person });
  },
  /** The account is deleted: its tokens stop working. */
  remove(id) {
    people.delete(id);
  },
  rotateKeys() {
    key = newKey();
    handle = buildProvider();
  },
  forge(claims) {
    forged = claims;
  },
  useUnknownKey(uses) {
    usesUnknownKey = uses;
  },
  skew(seconds) {
    skew = seconds;
  },
  away(away) {
    isAway = away;
  },
  /** Signs a logout token, by default as the provider would. */
  async logoutToken({ claims = {}, unknownKey = false, without = [] }) {
    const signing = unknownKey ? newKey() : key;
    const payload = {
      iss: issuer,
      aud: client.client_id,
      iat: Math.floor(Date.now() / 1000),
      exp: Math.floor(Date.now() / 1000) + 120,
      jti: randomUUID(),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      ...claims,
    };
    for (const name of without) delete payload[name];
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'RS256', kid: signing.kid, typ: 'logout+jwt' })
      .sign(await importJWK(signing, 'RS256'));
  },
  /** Signs an account out everywhere: the provider itself calls the service. */
  async signOut(id) {
    let told = 0;
    for (const [name, record] of store) {
      if (record.kind !== 'Session' || record.accountId !== id) continue;
      for (const [clientId, { sid }] of Object.entries(record.authorizations ?? {})) {
        const asking = await handle.Client.find(clientId);
        await asking.backchannelLogout(id, sid);
        told++;
      }
      store.delete(name);
    }
    return told;
  },
};

process.on('message', async ({ id, command, value }) => {
  try {
    process.send({ id, result: (await commands[command](value)) ?? null });
  } catch (error) {
    process.send({ id, error: String(error?.stack ?? error) });
  }
});
process.on('disconnect', () => process.exit());
process.send({ ready: issuer });
