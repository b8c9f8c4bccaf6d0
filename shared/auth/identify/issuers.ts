import * as v from "valibot";
import { access } from "../../settings/rows/access.ts";
import type { Issuer } from "../../settings/values/issuers.ts";

/**
 * Reads issuers as JSON text.
 *
 * @throws Error naming what is wrong, so that a function with an unusable configuration does not start
 */
export function parseIssuers(text: string): Issuer[] {
  const parsed = v.safeParse(access.jwtIssuers.form.schema, text);
  if (parsed.success) return parsed.output;
  throw new Error(`JWT_ISSUERS is not usable: ${parsed.issues.map(({ message }) => message).join("; ")}`);
}

/** Whose credentials an instance takes: the configured issuers, and the deployment's own user pool if it has one. */
export const issuersIn = (env: {
  readonly JWT_ISSUERS: readonly Issuer[];
  readonly USER_POOL_ISSUER?: string | undefined;
}): Issuer[] =>
  // No issuer is an empty list.
  [...env.JWT_ISSUERS, ...parseIssuers(`[${env.USER_POOL_ISSUER ?? ""}]`)];
