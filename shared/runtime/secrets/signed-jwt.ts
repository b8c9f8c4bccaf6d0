import { type KeyObject, sign } from "node:crypto";

/**
 * A JSON web token, signed with RS256.
 *
 * @param key     private; PEM text or an object
 * @param header  members in addition to algorithm and type
 * @throws        Error when the text is no private key
 */
export function signedJwt(claims: object, key: KeyObject | string, header: object = {}): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part({ alg: "RS256", typ: "JWT", ...header })}.${part(claims)}`;
  return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
}
