import { Logger } from "@aws-lambda-powertools/logger";
import type { Log } from "./log.ts";

/** JSON lines as CloudWatch takes them. Level by `POWERTOOLS_LOG_LEVEL`, INFO when unset. */
export function createLog(service: string): Log {
  const logger = new Logger({ serviceName: service });
  return {
    info: (message, fields) => logger.info(message, { ...fields }),
    warn: (message, fields) => logger.warn(message, { ...fields }),
    error: (message, fields) => logger.error(message, { ...fields }),
  };
}
