import * as v from "valibot";
import { registry } from "#registry";
import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { createMatcher } from "../../shared/routes/matching/matcher.ts";
import { platformRoutes } from "../../shared/routes/platform.ts";
import { servedFamilies } from "../../shared/routes/served.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { FamilyFunctions } from "../../shared/runtime/functions/family-functions.ts";
import { invokeFunction } from "../../shared/runtime/functions/invoke-function.ts";
import { version } from "../../shared/runtime/version.ts";
import { platformEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { createDeepHealth } from "./deep-health.ts";
import { forwardTo } from "./forward.ts";
import * as handlers from "./handlers.ts";
import type { PlatformDeps } from "./platform-deps.ts";

const env = readEnv(platformEnv);
const served = servedFamilies(env);
const options = httpOptionsFrom(env);
const deps: PlatformDeps = {
  osId: env.OS_ID,
  version,
  instantiated_at: new Date().toISOString(),
  registry,
  served,
  deepHealth: createDeepHealth({
    connect: async () => (await import("./connect-parts.ts")).connectParts(env),
    now: systemClock.now,
    onFault: (part, error) => options.log.error("a part of the platform does not answer", { part, error }),
  }),
};

/** In addition to its own routes this family gets every request that matches no route of the gateway. */
export const handler = serve(platformRoutes, handlers, deps, options, {
  match: createMatcher(served),
  elsewhere: forwardTo(v.parse(FamilyFunctions, env.FAMILY_FUNCTIONS), invokeFunction()),
});
