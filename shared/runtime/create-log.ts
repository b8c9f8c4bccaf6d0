import { Logger } from "@aws-lambda-powertools/logger";
import { describeError } from "./describe-error.ts";
import type { Log } from "./log.ts";
import { scopeFields } from "./log-scope.ts";

/**
 * JSON lines for CloudWatch, each with the fields of its scope (`request_id` wherever a request is being served).
 * Errors are logged with their stack mapped to our sources. Level by `POWERTOOLS_LOG_LEVEL`, INFO when unset.
 */
export function createLog(service: string): Log {
  const logger = new Logger({ serviceName: service });
  return {
    info: (message, fields) => logger.info(message, lineOf(fields)),
    warn: (message, fields) => logger.warn(message, lineOf(fields)),
    error: (message, fields) => logger.error(message, lineOf(fields)),
  };
}

function lineOf(fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    value instanceof Error ? describeError(value) : value,
  ]);
  return { ...scopeFields(), ...Object.fromEntries(entries) };
}
