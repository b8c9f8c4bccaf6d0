import * as v from "valibot";

const Endpoint = v.pipe(v.string(), v.check(isSafe, "must be an https address"));
const Document = v.object({
  issuer: v.string(),
  authorization_endpoint: Endpoint,
  token_endpoint: Endpoint,
  end_session_endpoint: v.optional(Endpoint),
});

/** Where users of an identity provider sign in and out, and where the page gets its tokens. */
export type Endpoints = v.InferOutput<typeof Document>;

/** @throws Error when the provider cannot be reached, or does not describe itself */
export type Discover = () => Promise<Endpoints>;

const TIMEOUT_MS = 3_000;

/**
 * Reads how to sign in from what an identity provider publishes. A good answer is kept for as long as the function lives;
 * after a failure the next call asks again.
 *
 * @source OpenID Connect Discovery 1.0, sections 3 and 4
 */
export function createDiscovery(issuer: string, fetcher: typeof fetch): Discover {
  let asked: Promise<Endpoints> | undefined;
  const ask = async (): Promise<Endpoints> => {
    const response = await fetcher(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`${issuer} answers ${response.status}`);
    const document = v.parse(Document, await response.json());
    // Else another provider could take the place of the one that was configured.
    if (document.issuer !== issuer) throw new Error(`${issuer} calls itself ${document.issuer}`);
    return document;
  };
  return () => {
    asked ??= ask().catch((error: unknown) => {
      asked = undefined;
      throw error;
    });
    return asked;
  };
}

/** On one's own machine an identity provider may do without TLS. */
function isSafe(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || (protocol === "http:" && /^(127\.0\.0\.1|localhost)$/.test(hostname));
}
