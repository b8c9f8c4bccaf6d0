/** A variable of `npm start` that no template ever sees. The comment is the guide's sentence. */
type LocalVariable = { readonly may: string; readonly default?: string };
type LocalVariables = Readonly<Record<string, LocalVariable>>;

/** How the platform runs on this machine. */
export const localVariables = {
  /** port of the platform on 127.0.0.1 */
  PORT: { may: "up to 65535; 0 takes any free one", default: "7777" },
  /** where state, keys and logs are kept; one platform at a time uses it */
  DATA_DIR: { may: "a folder", default: "`.local`" },
  /** requests without a credential count as an admin's; this does not exist on AWS */
  OPEN_ACCESS: { may: "`true`" },
  /** key set of a further issuer whose tokens are accepted */
  JWT_JWKS_FILE: { may: "a file" },
  /** public key of a further issuer whose tokens are accepted */
  JWT_VERIFICATION_KEY: { may: "PEM text" },
  /** threads that one function may run in */
  LOCAL_CONCURRENCY: { may: "whole, above 0", default: "64" },
  /** invocations of a function that one thread serves at a time; 1 is Lambda as it is by default */
  LAMBDA_CONCURRENCY: { may: "whole, above 0", default: "16" },
  /** plays of Lambda what makes a platform slower or less forgiving: retries, limits, freezing, pollers that start slowly */
  LOCAL_AWS: { may: "`strict`" },
  /** with `LOCAL_AWS`, invocations that may go on at a time in the account */
  LOCAL_AWS_CONCURRENCY: { may: "whole, above 0", default: "1000" },
  /** with `LOCAL_AWS`, how many times faster than on AWS its delays pass */
  LOCAL_AWS_PACE: { may: "whole, above 0", default: "1" },
  /** uses this DynamoDB instead of starting one */
  DYNAMODB_ENDPOINT: { may: "a URL" },
  /** which DynamoDB is started on this machine */
  DYNAMODB_ENGINE: { may: "`dynoxide` or `dynamodb-local`", default: "the first found" },
} as const satisfies LocalVariables;
