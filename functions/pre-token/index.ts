import type { PreTokenGenerationV2TriggerEvent } from "aws-lambda";
import { DEPLOYMENT_CLAIM, deploymentName } from "../../shared/runtime/deployment-claim.ts";
import { preTokenEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";

const { STAGE } = readEnv(preTokenEnv);

/** The event as it is returned. A claim of an access token may be a list; the event's own type knows texts only. */
type Answered = Omit<PreTokenGenerationV2TriggerEvent, "response"> & {
  response: {
    claimsAndScopeOverrideDetails: {
      accessTokenGeneration: {
        claimsToAddOrOverride: { scopes: string[]; [DEPLOYMENT_CLAIM]: string };
      };
    };
  };
};

/**
 * Puts two claims into every access token that the user pool issues: `scopes`, with a user's groups, each named like the
 * scope that its members hold; and the deployment that the token is for. ID tokens get neither, so they are no credential.
 */
export async function handler(event: PreTokenGenerationV2TriggerEvent): Promise<Answered> {
  const scopes = [...(event.request.groupConfiguration.groupsToOverride ?? [])];
  const claimsToAddOrOverride = { scopes, [DEPLOYMENT_CLAIM]: deploymentName(STAGE) };
  return {
    ...event,
    response: { claimsAndScopeOverrideDetails: { accessTokenGeneration: { claimsToAddOrOverride } } },
  };
}
