import type { Issuer } from "../../shared/auth/identify/issuers.ts";

/**
 * Addresses at which issuers publish what they are. Not every issuer does: one whose keys are in the configuration need not be
 * reachable at all.
 *
 * @source OpenID Connect Discovery 1.0, section 4
 */
export const discoveryOf = (issuers: readonly Issuer[]): string[] =>
  issuers.flatMap(({ issuer, jwks_uri }) =>
    issuer?.startsWith("https://") && jwks_uri !== undefined
      ? [`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`]
      : [],
  );
