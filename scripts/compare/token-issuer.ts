import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { SignJWT } from "jose";

/** An issuer of tokens that a platform accepts when it is started with the issuer's key set (`JWT_JWKS_FILE`). */
export type TokenIssuer = {
  readonly token: (sub: string, scopes: readonly string[]) => Promise<string>;
};

const kid = "compare";
const algorithm = "RS256";

/** @param keySetFile  file to write the public key to */
export function createTokenIssuer(keySetFile: string): TokenIssuer {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = { ...publicKey.export({ format: "jwk" }), kid, use: "sig", alg: algorithm };
  writeFileSync(keySetFile, JSON.stringify({ keys: [key] }));
  return {
    token: (sub, scopes) =>
      new SignJWT({ scopes })
        .setProtectedHeader({ alg: algorithm, kid })
        .setSubject(sub)
        .setIssuedAt()
        .setExpirationTime("12h")
        .sign(privateKey),
  };
}
