import { createServer } from "node:http";
import { serveOnLoopback } from "../../local/machine/listen-on-loopback.ts";

/** A program that listens for its answer on a port that is free. */
export async function listeningProgram() {
  const answered = Promise.withResolvers<URLSearchParams>();
  const { address, stop } = await serveOnLoopback(
    createServer(({ url = "" }, response) => {
      response.end("Back in the program");
      if (url.startsWith("/callback")) answered.resolve(new URL(url, "http://program").searchParams);
    }),
  );
  return { redirect_uri: `${address}/callback`, answered: answered.promise, stop };
}

/** What an official client keeps of its sign-in, in memory: `kept.address` is where it sends its user. */
export function appSignIn(redirectUrl: string, clientMetadataUrl?: string) {
  const kept: Record<string, unknown> = {};
  return {
    kept,
    redirectUrl,
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    clientMetadata: {
      client_name: "Desk",
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    },
    state: () => "state of this client",
    // biome-ignore lint/suspicious/noExplicitAny: both versions of the kit have types of their own for what they keep
    clientInformation: (): any => kept.client,
    saveClientInformation: (client: unknown) => {
      kept.client = client;
    },
    // biome-ignore lint/suspicious/noExplicitAny: the same
    tokens: (): any => kept.tokens,
    saveTokens: (tokens: unknown) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (address: URL) => {
      kept.address = address;
    },
    saveCodeVerifier: (verifier: string) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => String(kept.verifier),
    saveDiscoveryState: (state: unknown) => {
      kept.discovered = state;
    },
    // biome-ignore lint/suspicious/noExplicitAny: the same
    discoveryState: (): any => kept.discovered,
  };
}
