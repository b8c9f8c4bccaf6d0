import { join } from "node:path";
import { createDiscovery } from "../../shared/auth/identify/discovery.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { consoleEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { consoleHandler } from "./console-handler.ts";
import { openSite } from "./site.ts";

const env = readEnv(consoleEnv);
const log = createLog(env.POWERTOOLS_SERVICE_NAME);
const { CONSOLE_ISSUER: issuer, CONSOLE_CLIENT_ID: clientId, CONSOLE_SCOPE: scope } = env;

export const handler = consoleHandler({
  // The build puts the page beside the function.
  site: openSite(join(import.meta.dirname, "site")),
  osId: env.OS_ID,
  stage: env.STAGE,
  ...(env.CONSOLE_NAME !== undefined && { name: env.CONSOLE_NAME }),
  ...(env.CONSOLE_COLOUR !== undefined && { colour: env.CONSOLE_COLOUR }),
  // The addresses that uploads are signed for follow the SDK's own variable where it is set.
  uploadOrigin: env.AWS_ENDPOINT_URL_S3 ?? env.UPLOAD_ORIGIN,
  ...(issuer && clientId && { signIn: { clientId, scope, discover: createDiscovery(issuer, fetch) } }),
  log,
});
