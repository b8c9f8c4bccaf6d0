import { createLog } from "../runtime/create-log.ts";
import type { Log } from "../runtime/log.ts";
import { createMeter } from "../runtime/metrics/create-meter.ts";
import type { Meter } from "../runtime/metrics/meter.ts";
import type { RecordAudit } from "./audit.ts";
import { parseOrigins } from "./cors.ts";

/** Configuration of a family's HTTP pipeline. */
export type HttpOptions = {
  readonly origins: ReadonlySet<string>;
  readonly maxBodyBytes: number;
  readonly log: Log;
  readonly meter?: Meter;
  /** Address of the service as its clients know it, where one is set. */
  readonly publicUrl?: string;
  /** Whether a refusal of the MCP server says where its clients learn how to sign in; it does when this is absent. */
  readonly namesSignIn?: boolean;
  /** Absent for families without audited routes. */
  readonly recordAudit?: RecordAudit;
};

/**
 * Builds the options from a function's environment, as the schemas of `settings/environments.ts` read it.
 *
 * @param recordAudit  given by families with audited routes
 */
export function httpOptionsFrom(
  env: {
    readonly POWERTOOLS_SERVICE_NAME: string;
    readonly STAGE: string;
    readonly CORS_ALLOWED_ORIGINS: readonly string[];
    readonly MAX_BODY_BYTES: number;
    readonly PUBLIC_URL?: string | undefined;
  },
  recordAudit?: RecordAudit,
): HttpOptions {
  return {
    origins: parseOrigins(env.CORS_ALLOWED_ORIGINS),
    maxBodyBytes: env.MAX_BODY_BYTES,
    log: createLog(env.POWERTOOLS_SERVICE_NAME),
    meter: createMeter(env),
    ...(recordAudit && { recordAudit }),
    ...(env.PUBLIC_URL !== undefined && { publicUrl: env.PUBLIC_URL }),
  };
}
