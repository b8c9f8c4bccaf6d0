import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { calculateJwkThumbprint } from "jose";

/** A key that signs cards. */
export type CardKey = {
  /** @source RFC 7518, section 3.1; RFC 8037 */
  readonly alg: string;
  readonly kid: string;
  readonly key: KeyObject;
};

/** What the secret holds: the keys that sign, and the public part of every key. */
export type CardKeys = {
  /** At most two: one, or both while they are rotated. */
  readonly signing: readonly CardKey[];
  /** @source RFC 7517, "JWK Set" */
  readonly published: readonly JsonWebKey[];
};

type Jwk = JsonWebKey & { readonly kid?: string };

/** While keys are rotated every card has both signatures. */
const MOST_SIGNING = 2;
const MOST_KEYS = 10;
const MIN_RSA_BITS = 2048;
/** Some tools write the parameters of the curve before the key; they are left out. */
const PEM = /-----BEGIN ([A-Z ]*(?:PRIVATE|PUBLIC) KEY)-----[\s\S]+?-----END \1-----/g;

/**
 * Reads the keys of cards. Private ones sign, in their order; a public one is published only, so that signatures of a key that
 * is gone can be checked for a while.
 *
 * @param text  a JSON web key, a set of them, or keys in PEM one after the other: EC on P-256, P-384 or P-521, RSA of
 *              2048 bits or more, Ed25519
 * @throws      Error that says what is wrong and quotes nothing
 */
export async function parseCardKeys(text: string): Promise<CardKeys> {
  const read = text.includes("-----BEGIN") ? keysOfPem(text) : keysOfJson(text);
  const known = await Promise.all(read.map(identified));
  const signing = known.filter(({ key }) => key.type === "private");
  if (signing.length === 0) throw new Error("the key of agent cards: there is no private key");
  if (signing.length > MOST_SIGNING || known.length > MOST_KEYS)
    throw new Error(`the key of agent cards: ${MOST_SIGNING} private keys and ${MOST_KEYS} in all at most`);
  if (new Set(known.map(({ kid }) => kid)).size < known.length)
    throw new Error("the key of agent cards: two keys have one kid");
  return {
    signing,
    published: known.map(({ key, kid, alg }) => ({ ...publicJwk(key), kid, alg, use: "sig" })),
  };
}

type Read = { readonly key: KeyObject; readonly kid?: string | undefined };

function keysOfPem(text: string): Read[] {
  return (text.match(PEM) ?? []).map((pem) => ({
    key: readable(() => (pem.includes("PRIVATE KEY") ? createPrivateKey(pem) : createPublicKey(pem))),
  }));
}

function keysOfJson(text: string): Read[] {
  const parsed: unknown = readable(() => JSON.parse(text));
  const keys: unknown = Object(parsed).keys;
  return (Array.isArray(keys) ? keys : [parsed]).map((jwk: Jwk) => ({
    key: readable(() =>
      jwk.d === undefined
        ? createPublicKey({ key: jwk, format: "jwk" })
        : createPrivateKey({ key: jwk, format: "jwk" }),
    ),
    kid: typeof jwk.kid === "string" && jwk.kid !== "" ? jwk.kid : undefined,
  }));
}

/** The message of a parser may quote the key. */
function readable<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw new Error("the key of agent cards: it is neither a JSON web key, a set of them, nor PEM");
  }
}

/** @source RFC 7638: a key without a name is known by its thumbprint */
async function identified({ key, kid }: Read): Promise<CardKey> {
  return { key, kid: kid ?? (await calculateJwkThumbprint(publicJwk(key))), alg: algorithmOf(key) };
}

const publicJwk = (key: KeyObject) =>
  (key.type === "private" ? createPublicKey(key) : key).export({ format: "jwk" });

const ofCurve: Readonly<Record<string, string>> = {
  prime256v1: "ES256",
  secp384r1: "ES384",
  secp521r1: "ES512",
};

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string {
  const { namedCurve = "", modulusLength = 0 } = asymmetricKeyDetails ?? {};
  if (asymmetricKeyType === "ed25519") return "EdDSA";
  if (asymmetricKeyType === "rsa" && modulusLength >= MIN_RSA_BITS) return "RS256";
  const alg = asymmetricKeyType === "ec" ? ofCurve[namedCurve] : undefined;
  if (alg === undefined) throw new Error("the key of agent cards: EC, Ed25519, or RSA of 2048 bits or more");
  return alg;
}
