import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from "jose";

type TokenOptions = { alg?: string; kid?: string | null };

/** An identity provider of our own: a key pair, its public half in both forms, and tokens signed with it. */
export async function anIssuer(alg = "RS256", kid: string | null = "key-1") {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), use: "sig" };
  return {
    jwk: kid === null ? jwk : { ...jwk, kid },
    pem: await exportSPKI(publicKey),
    sign: (tokenClaims: JWTPayload, options: TokenOptions = {}) => {
      const used = options.kid === undefined ? kid : options.kid;
      const header = { alg: options.alg ?? alg, ...(used !== null && { kid: used }) };
      return new SignJWT(tokenClaims).setProtectedHeader(header).sign(privateKey);
    },
  };
}
