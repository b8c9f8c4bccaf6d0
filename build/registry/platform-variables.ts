import { knownVariables } from "../../local/template/app-context.ts";
import * as functionEnv from "../../shared/settings/environments.ts";

/** What Lambda, Node and their libraries read. @source Lambda developer guide, "Defined runtime environment variables" */
const RUNTIME =
  /^(AWS|LAMBDA|NODE|POWERTOOLS|OTEL|X_AMZN|XRAY)_|^(PATH|HOME|LANG|LD_LIBRARY_PATH|TZ|TMPDIR|USER|SHELL|PWD)$/;

const ownVariables = new Set([
  ...knownVariables,
  ...Object.values(functionEnv).flatMap(({ entries }) => Object.keys(entries)),
]);

/** Whether a variable of this name is one of the platform's settings, or of its runtime. */
export const isPlatformVariable = (name: string): boolean => ownVariables.has(name) || RUNTIME.test(name);
