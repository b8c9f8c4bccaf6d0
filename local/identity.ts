import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { signedJwt } from "../shared/runtime/secrets/signed-jwt.ts";
import { createFileOnce } from "./machine/whole-file.ts";

/** A local identity provider: one key pair, generated once per data folder. */
export type Identity = {
  /** The issuer, in the format of the app's `jwtIssuers` context. */
  readonly issuer: {
    readonly jwks: { readonly keys: readonly object[] };
    readonly algorithms: readonly ["RS256"];
  };
  /** What of the issuer no other identity provider has. */
  readonly publicParts: readonly string[];
  readonly token: (claims: TokenClaims) => string;
};

export type TokenClaims = {
  readonly sub: string;
  readonly scopes: readonly string[];
  /** How long the token is valid; 12 when absent. */
  readonly hours?: number;
};

/** Opens the identity provider of a data folder. Generates its key if there is none. */
export function openIdentity(dataDir: string): Identity {
  const key = privateKey(join(dataDir, "keys"));
  const jwk = createPublicKey(key).export({ format: "jwk" });
  const kid = createHash("sha256").update(String(jwk.n)).digest("hex").slice(0, 16);
  return {
    issuer: { jwks: { keys: [{ ...jwk, kid, use: "sig", alg: "RS256" }] }, algorithms: ["RS256"] },
    publicParts: [String(jwk.n), kid],
    token: (claims) => signedToken(key, kid, claims),
  };
}

function privateKey(folder: string): KeyObject {
  const file = join(folder, "signing-key.pem");
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { privateKey: pem } = generateKeyPairSync("rsa", {
      modulusLength: 2048,
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
      publicKeyEncoding: { type: "spki", format: "pem" },
    });
    // If another process creates the file first, its key is the one that is read below.
    createFileOnce(file, pem, 0o600);
  }
  return createPrivateKey(readFileSync(file));
}

function signedToken(key: KeyObject, kid: string, { sub, scopes, hours = 12 }: TokenClaims): string {
  const now = Math.floor(Date.now() / 1000);
  return signedJwt({ sub, scopes, iat: now, exp: now + Math.round(hours * 3600) }, key, { kid });
}
