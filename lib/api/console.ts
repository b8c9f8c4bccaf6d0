import type { Stack } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import { consoleEnv } from "../../shared/runtime/function-env.ts";
import type { AppConfig } from "../config/config.ts";
import { environmentFor } from "../functions/environment.ts";
import { createServiceFunction } from "../functions/service-function.ts";
import { addPage } from "./http-api.ts";

/** Just below the 30 seconds after which the HTTP API times out. */
const TIMEOUT_SECONDS = 29;
/** It reads files and sends them. */
const MEMORY_MB = 512;

/**
 * The page for operators: one function that serves its files, behind routes that need no credential. It has no rights
 * but to write its log.
 */
export function createConsole(stack: Stack, config: AppConfig, httpApi: HttpApi): void {
  if (config.console === "off") return;
  const fn = createServiceFunction(stack, "Console", config, {
    bundle: "console",
    description: "Serves the page for operators",
    timeoutSeconds: TIMEOUT_SECONDS,
    memoryMb: MEMORY_MB,
    environment: environmentFor(consoleEnv, {
      OS_ID: config.osId,
      STAGE: config.stage,
      POWERTOOLS_SERVICE_NAME: "console",
      CONSOLE_ISSUER: config.consoleIssuer,
      CONSOLE_CLIENT_ID: config.consoleClientId,
      CONSOLE_SCOPE: config.consoleScope,
    }),
  });
  addPage(stack, httpApi, fn);
}
