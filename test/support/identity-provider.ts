import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type IdentityProvider = {
  /** Its address, as tokens and settings name it. */
  readonly issuer: string;
  /** What it says of itself; undefined while it is down. */
  document: object | undefined;
  /** The endpoints that it really has. */
  readonly endpoints: {
    readonly issuer: string;
    readonly authorization_endpoint: string;
    readonly token_endpoint: string;
  };
  /** The token that it gives; set by the test. */
  token: string;
  /** What it was asked, the paths of discovery and the `prompt` of each sign-in. */
  readonly asked: string[];
  readonly stop: () => void;
};

const PATH = "/tenant";

/** An identity provider that knows whoever has its cookie, and signs everybody else in unless it was asked to be silent. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  const asked: string[] = [];
  const server = createServer((received, response) => answer(received, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`;
  const provider: IdentityProvider = {
    issuer,
    document: undefined,
    endpoints: { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
    token: "",
    asked,
    stop: () => server.close(),
  };

  function answer(received: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(received.url ?? "", issuer);
    if (pathname === `${PATH}/authorize`) authorize(received, response, searchParams);
    else if (pathname === `${PATH}/token`) {
      response.writeHead(200, { "content-type": "application/json", "access-control-allow-origin": "*" });
      response.end(JSON.stringify({ access_token: provider.token, token_type: "bearer", expires_in: 3_600 }));
    } else {
      asked.push(pathname);
      const found = pathname === `${PATH}/.well-known/openid-configuration` && provider.document;
      response.writeHead(found ? 200 : 500).end(JSON.stringify(found || {}));
    }
  }

  function authorize({ headers }: IncomingMessage, response: ServerResponse, given: URLSearchParams): void {
    const prompt = given.get("prompt");
    asked.push(`authorize ${prompt ?? "openly"}`);
    const isRefused = prompt === "none" && !headers.cookie?.includes("known=1");
    const back = new URL(given.get("redirect_uri") ?? "");
    back.searchParams.set("state", given.get("state") ?? "");
    if (isRefused) back.searchParams.set("error", "login_required");
    else back.searchParams.set("code", "code-1");
    const cookie = isRefused ? {} : { "set-cookie": `known=1; Path=${PATH}` };
    response.writeHead(302, { location: back.href, ...cookie }).end();
  }

  return provider;
}
