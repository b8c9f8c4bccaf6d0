import { createHash } from "node:crypto";
import { checkedRequest } from "../../functions/service-accounts/oauth/checked-request.ts";
import { decideConsent } from "../../functions/service-accounts/oauth/decide-consent.ts";
import { issueOauthToken } from "../../functions/service-accounts/oauth/issue-oauth-token.ts";
import type { OauthDeps } from "../../functions/service-accounts/oauth/oauth-deps.ts";
import { registerOauthClient } from "../../functions/service-accounts/oauth/register-oauth-client.ts";
import { createAuthorizer } from "../../shared/auth/authorize.ts";
import type { Principal } from "../../shared/auth/principal.ts";
import { Reply } from "../../shared/http/handler.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import type { AuthorizationRequest } from "../../shared/schemas/access/oauth.ts";
import type { Db } from "../../shared/stores/db.ts";
import { accessStoreOver } from "../../shared/stores/service-accounts/access-store.ts";
import { manualClock } from "../support/manual-clock.ts";

export const ISSUER = "https://agents.example";
export const RESOURCE = `${ISSUER}/mcp`;
export const VERIFIER = "a-verifier-that-is-long-enough-for-the-rule-4711";
export const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");
export const CALLBACK = "https://desk.example/callback";

export const maria: Principal = {
  kind: "user",
  user_id: "maria",
  scopes: ["agents:run", "teams:desk:run", "sessions:read", "components:write"],
  admin: false,
};

type Answer = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts the shape itself
  readonly body: any;
  readonly headers: Readonly<Record<string, string>>;
};

type Decided = {
  readonly approve?: boolean;
  readonly principal?: Principal;
  readonly issuer_token?: string | undefined;
};

/** Sign-in over a store, without HTTP. @param documents  by address: what the fetcher of clients' documents answers */
export function oauthWorld(
  db: Db,
  documents: Readonly<Record<string, () => Response>> = {},
  log: OauthDeps["log"] = { info: () => {}, warn: () => {}, error: () => {} },
  oauth: Partial<OauthDeps["oauth"]> = {},
) {
  const { sleep } = systemClock;
  // Whoever waits for another request waits for a short while, and not for the test to move the clock.
  const clock = { ...manualClock(1_800_000_000_000), sleep: () => sleep(5) };
  const fetchDocument: typeof fetch = async (input) => {
    const made = documents[String(input)];
    if (!made) throw new TypeError("there is no such host");
    return made();
  };
  const deps: OauthDeps = {
    ...{ db, clock, log, adminScope: "platform:admin" },
    oauth: { publicUrl: ISSUER, grantSeconds: 86_400, registers: true, fetchDocument, ...oauth },
  };
  const signal = new AbortController().signal;
  const common = {
    params: {},
    query: {},
    headers: {},
    signal,
    invocation: {},
    origin: "https://elsewhere.example",
  };
  const authorize = createAuthorizer({
    ...{ issuers: [], adminScope: "platform:admin", now: clock.now, appTokens: true },
    store: async () => accessStoreOver(db),
  });
  const world = {
    clock,
    deps,
    /** Registers a client. @returns its id */
    async register(redirect_uris: readonly string[] = [CALLBACK], client_name = "Desk"): Promise<string> {
      const answer = await world.registration({ redirect_uris, client_name });
      return answer.body.client_id;
    },
    registration: async (body: unknown): Promise<Answer> =>
      plain(
        await registerOauthClient(
          { ...common, body: JSON.stringify(body), principal: maria, params: {}, query: {} },
          deps,
        ),
      ),
    /** A request as a client makes it. */
    asked: (client_id: string, changes: Partial<AuthorizationRequest> = {}): AuthorizationRequest => ({
      ...{ response_type: "code", client_id, redirect_uri: CALLBACK, resource: RESOURCE, state: "s%20+/é" },
      ...{ code_challenge: CHALLENGE, code_challenge_method: "S256" },
      ...changes,
    }),
    check: (asked: AuthorizationRequest, principal: Principal = maria) =>
      checkedRequest(asked, principal, undefined, deps),
    /** Lets a client in. @returns the address to which the browser goes on */
    async decide(
      asked: AuthorizationRequest,
      granted: readonly string[] = ["agents:run"],
      { approve = true, principal = maria, issuer_token }: Decided = {},
    ): Promise<URL> {
      const body = { ...asked, approve, granted: [...granted], ...(issuer_token && { issuer_token }) };
      const answer = await decideConsent({ ...common, body, principal, params: {}, query: {} }, deps);
      if (!("redirect_to" in answer)) throw new Error("it is no plain answer");
      return new URL(answer.redirect_to);
    },
    async token(fields: Readonly<Record<string, string>>): Promise<Answer> {
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const body = String(new URLSearchParams(fields));
      return plain(
        await issueOauthToken({ ...common, headers, body, principal: maria, params: {}, query: {} }, deps),
      );
    },
    /** The fields by which a code is exchanged. */
    exchange: (client_id: string, code: string) => ({
      ...{ grant_type: "authorization_code", client_id, code, redirect_uri: CALLBACK },
      ...{ code_verifier: VERIFIER, resource: RESOURCE },
    }),
    /** A client that has been let in, with its tokens. */
    async connected(granted: readonly string[] = ["agents:run"], issuer_token?: string) {
      const client_id = await world.register();
      const decided = await world.decide(world.asked(client_id), granted, { issuer_token });
      const code = decided.searchParams.get("code") ?? "";
      const { body } = await world.token(world.exchange(client_id, code));
      return { client_id, code, access: String(body.access_token), refresh: String(body.refresh_token) };
    },
    refresh: (client_id: string, refresh_token: string) =>
      world.token({ grant_type: "refresh_token", client_id, refresh_token }),
    /** What the service decides on a request with a token. */
    call: (token: string, rawPath = "/mcp", method = "POST") =>
      authorize({ method, rawPath, headers: { authorization: `Bearer ${token}` } }),
  };
  return world;
}

function plain(answer: unknown): Answer {
  if (!(answer instanceof Reply)) throw new Error("it is no reply");
  return answer as Answer;
}
