import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { interactionPolicy } from "oidc-provider";

export const CLIENT_ID = "console-1";
const RESOURCE = "urn:agents";

type Options = {
  /** Whether a refresh token is replaced at each use, and its second use ends all that came of the first. */
  readonly rotates?: boolean;
};

/**
 * A real OpenID provider on this machine, at which everybody who comes is `maria` and has agreed. Whoever has no scopes any more is
 * disabled.
 */
export async function startOidcProvider({ rotates = true }: Options = {}) {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const described = { kid: "key-1", use: "sig", alg: "RS256" };
  const server = createServer((received, response) => void answer(received, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
  const scopesOf = new Map([["maria", ["agents:run", "sessions:read"]]]);
  const asked: string[] = [];
  /** Whether the token endpoint gives nothing for now. */
  const busy = { now: false };

  const policy = interactionPolicy.base();
  // A program of this machine is asked for each time otherwise; pages of other machines are not.
  policy.get("consent")?.checks.remove("native_client_prompt");
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        token_endpoint_auth_method: "none",
        application_type: "native",
        grant_types: ["authorization_code", "refresh_token"],
        // On this machine, at any port.
        redirect_uris: ["http://127.0.0.1/console"],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), ...described }] },
    scopes: ["openid", "offline_access"],
    rotateRefreshToken: rotates,
    issueRefreshToken: () => true,
    clientBasedCORS: () => true,
    extraTokenClaims: (_, token) => ({
      scopes: "accountId" in token ? scopesOf.get(String(token.accountId)) : [],
    }),
    findAccount: (_, accountId) =>
      scopesOf.has(accountId) ? { accountId, claims: () => ({ sub: accountId }) } : undefined,
    interactions: { policy, url: (_, { uid }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => RESOURCE,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          ...{ scope: "openid offline_access", audience: "agents", accessTokenTTL: 3_600 },
          ...{ accessTokenFormat: "jwt" as const, jwt: { sign: { alg: "RS256" as const } } },
        }),
      },
    },
    ttl: {
      AccessToken: 3_600,
      RefreshToken: 86_400,
      Grant: 86_400,
      Interaction: 600,
      Session: 3_600,
      IdToken: 3_600,
    },
  });
  const handle = provider.callback();

  /** What a user has agreed to. */
  async function agreed(accountId: string): Promise<string> {
    const grant = new provider.Grant({ accountId, clientId: CLIENT_ID });
    grant.addOIDCScope("openid offline_access");
    grant.addResourceScope(RESOURCE, "openid offline_access");
    return grant.save();
  }

  async function answer(received: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(received.url ?? "", issuer).pathname;
    asked.push(path);
    if (path.startsWith("/interaction/")) {
      const { prompt } = await provider.interactionDetails(received, response);
      const result =
        prompt.name === "login"
          ? { login: { accountId: "maria" } }
          : { consent: { grantId: await agreed("maria") } };
      await provider.interactionFinished(received, response, result, { mergeWithLastSubmission: true });
    } else if (path === "/token" && busy.now) {
      response.writeHead(503, { "content-type": "text/html" }).end("<h1>Try again later</h1>");
    } else handle(received, response);
  }

  return {
    issuer,
    /** As one of `jwtIssuers`. */
    trusted: {
      issuer,
      jwks: { keys: [{ ...publicKey.export({ format: "jwk" }), kty: "RSA", ...described }] },
    },
    /** The same key as PEM text. */
    pem: String(publicKey.export({ format: "pem", type: "spki" })),
    scopesOf,
    /** Paths of the requests. */
    asked,
    busy,
    /** What the console has after a user's sign-in. */
    async refreshTokenOf(accountId: string): Promise<string> {
      const client = await provider.Client.find(CLIENT_ID);
      if (!client) throw new Error("the client is configured");
      const token = new provider.RefreshToken({
        ...{ accountId, client, grantId: await agreed(accountId), gty: "authorization_code" },
        ...{ scope: "openid offline_access", resource: RESOURCE, expiresWithSession: false },
      } as never);
      return token.save();
    },
    stop: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

export type OidcProvider = Awaited<ReturnType<typeof startOidcProvider>>;
