import fc from "fast-check";

/**
 * What an attacker may send as `authorization`: cut, mixed and forged tokens, and one that is valid and may do nothing.
 *
 * @param good       a token of an admin, which none of them is
 * @param powerless  a token without any right
 */
export function credentials(good: string, powerless: string): fc.Arbitrary<string> {
  const [head = "", payload = "", signature = ""] = good.split(".");
  const bytes = fc.uint8Array({ maxLength: 80 }).map((part) => Buffer.from(part).toString("base64url"));
  const json = fc.json().map((text) => Buffer.from(text).toString("base64url"));
  const part = fc.oneof(bytes, json, fc.constantFrom(head, payload, signature, ""));
  const claims = fc.record({
    alg: fc.constantFrom("none", "HS256", "ES256", "RS256", "", 7),
    kid: fc.anything(),
  });
  const header = claims.map((value) => Buffer.from(JSON.stringify(value) ?? "").toString("base64url"));
  const token = fc
    .oneof(
      fc.string(),
      fc.tuple(fc.oneof(part, header), part, part).map((parts) => parts.join(".")),
      fc.nat(good.length - 2).map((at) => good.slice(0, at)),
      fc.nat(good.length * 3).map((length) => good + "A".repeat(length + 1)),
      fc
        .tuple(header, fc.constantFrom("", signature))
        .map(([forged, sign]) => `${forged}.${payload}.${sign}`),
      fc.string({ unit: "grapheme-ascii" }).map((text) => `plat_pat_${text}`),
      fc.constant(powerless),
    )
    // A random cut or mix may by chance be the good token again.
    .filter((text) => text.trim() !== good);
  const prefix = fc.constantFrom("Bearer ", "bearer ", "", "Basic ", "Bearer Bearer ", "\t", "Bearer\u0000");
  return fc.tuple(prefix, token).map((parts) => parts.join(""));
}
