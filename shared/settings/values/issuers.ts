import * as v from "valibot";

/** Asymmetric only: a shared secret would let every verifier sign. */
const signatureAlgorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
] as const;

const optionalField = v.optional(v.string());

/** A public key as JWK; further members stay in. */
const JsonWebKey = v.looseObject({
  kty: v.picklist(["RSA", "EC", "OKP"]),
  kid: optionalField,
  alg: optionalField,
  use: optionalField,
});

/** The issuer's names of the claims that are read. @source docs/interface/access.md 2.3 */
const ClaimNames = v.strictObject({
  user_id: v.optional(v.string(), "sub"),
  scopes: v.optional(v.string(), "scopes"),
  audience: v.optional(v.string(), "aud"),
  /** Whether the scopes are one text, separated by blanks; by default where their claim is `scope` or `scp`. */
  split_scopes: v.optional(v.boolean()),
  /** What the issuer puts before each scope, such as `agent-platform/`; others are no scopes of ours. */
  scope_prefix: v.optional(v.string()),
});
export type ClaimNames = v.InferOutput<typeof ClaimNames>;

/**
 * Who may issue credentials for this instance, and how their signatures are checked. At least one source of keys.
 *
 * @source docs/interface/access.md 2.1, 2.2
 */
const Issuer = v.pipe(
  v.strictObject({
    /** When given, only tokens whose `iss` equals it are tried with these keys. */
    issuer: optionalField,
    jwks_uri: v.optional(v.pipe(v.string(), v.startsWith("https://", "must be an https address"))),
    jwks: v.optional(v.object({ keys: v.array(JsonWebKey) })),
    /** PEM text; tried in their order after the JWKS. */
    public_keys: v.optional(v.array(v.string())),
    /** When given, a token must name at least one of these as its audience. */
    audience: v.optional(v.union([v.string(), v.array(v.string())])),
    /** Checks the audience, against this instance's own id when no `audience` is given. */
    verify_audience: v.optional(v.boolean()),
    claims: v.optional(ClaimNames, {}),
    algorithms: v.optional(v.pipe(v.array(v.picklist(signatureAlgorithms)), v.minLength(1)), ["RS256"]),
  }),
  v.check(
    (issuer) => Boolean(issuer.jwks_uri || issuer.jwks || issuer.public_keys?.length),
    "needs jwks_uri, jwks or public_keys",
  ),
);
export type Issuer = v.InferOutput<typeof Issuer>;
export const Issuers = v.array(Issuer);

/** An issuer in a config. `jwks_file` is a key set on the machine that makes the templates, which put it in its place. */
export type GivenIssuer = v.InferInput<typeof Issuer> & { readonly jwks_file?: string };
