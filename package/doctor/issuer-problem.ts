import * as v from "valibot";
import type { Issuer } from "../../shared/settings/values/issuers.ts";
import { messageOf } from "./check.ts";

const Metadata = v.object({ issuer: v.string(), jwks_uri: v.string() });
const KeySet = v.object({ keys: v.array(v.looseObject({ kty: v.string(), kid: v.optional(v.string()) })) });
const TIMEOUT_MS = 10_000;

/** The kind of key that verifies signatures of an algorithm. */
const kindOf = (algorithm: string): string =>
  algorithm === "EdDSA" ? "OKP" : algorithm.startsWith("ES") ? "EC" : "RSA";

/**
 * What an operator would learn from the first refused token: keys that cannot be fetched, are no key set or verify none of the
 * algorithms, and metadata that names another issuer or other keys. An issuer need not publish metadata.
 *
 * @returns undefined where nothing is wrong
 */
export async function issuerProblem({ issuer, jwks_uri, algorithms }: Issuer): Promise<string | undefined> {
  if (jwks_uri === undefined) return undefined;
  const keys = await documentAt(jwks_uri);
  if ("problem" in keys) return keys.problem;
  const set = v.safeParse(KeySet, keys.document);
  if (!set.success) return `${jwks_uri} is no key set: it has no list of keys`;
  const kinds = algorithms.map(kindOf);
  if (!set.output.keys.some(({ kty }) => kinds.includes(kty)))
    return `${jwks_uri} has no key for ${algorithms.join(", ")}`;
  return issuer === undefined ? undefined : metadataProblem(issuer, jwks_uri);
}

async function metadataProblem(issuer: string, jwksUri: string): Promise<string | undefined> {
  const found = await documentAt(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
  if ("problem" in found) return undefined;
  const { output, success } = v.safeParse(Metadata, found.document);
  if (!success) return undefined;
  if (output.issuer !== issuer)
    return `the metadata of ${issuer} names the issuer ${output.issuer}, which its tokens will have`;
  if (output.jwks_uri !== jwksUri) return `the metadata of ${issuer} has its keys at ${output.jwks_uri}`;
  return undefined;
}

type Fetched = { readonly document: unknown } | { readonly problem: string };

async function documentAt(address: string): Promise<Fetched> {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!answer.ok) return { problem: `${address} answers with ${answer.status}` };
    return { document: await answer.json() };
  } catch (error) {
    return { problem: `${address} cannot be read: ${messageOf(error)}` };
  }
}
