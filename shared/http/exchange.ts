import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type { Decision } from "../auth/decision.ts";
import type { Audited } from "./audit.ts";
import type { Invocation } from "./handler.ts";
import type { Incoming } from "./incoming.ts";

/** One request on its way through the pipeline. */
export type Exchange = {
  readonly event: APIGatewayProxyEventV2;
  /** Replaced once it is known that CloudFront names the address of its client. */
  incoming: Incoming;
  /** Called before anything else is done with the request. */
  readonly decide: () => Promise<Decision | undefined>;
  /** Aborts when the client is gone or the function is about to end. */
  readonly signal: AbortSignal;
  readonly invocation: Invocation;
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number;
  /** Fields of the request's log line in addition to the answer; filled in as they become known. */
  readonly logFields: {
    operation?: string;
    user_id?: string | null;
    /** Names of form fields that were ignored because they were malformed. */
    dropped_fields?: readonly string[];
  };
  readonly audited: Audited;
};
