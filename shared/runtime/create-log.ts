import { Logger } from "@aws-lambda-powertools/logger";
import type { Log } from "./log.ts";
import { scopeFields } from "./log-scope.ts";

/**
 * JSON lines as CloudWatch takes them, each with the fields of its scope (`request_id` wherever a request is being
 * served). Level by `POWERTOOLS_LOG_LEVEL`, INFO when unset.
 */
export function createLog(service: string): Log {
  const logger = new Logger({ serviceName: service });
  return {
    info: (message, fields) => logger.info(message, { ...scopeFields(), ...fields }),
    warn: (message, fields) => logger.warn(message, { ...scopeFields(), ...fields }),
    error: (message, fields) => logger.error(message, { ...scopeFields(), ...fields }),
  };
}
