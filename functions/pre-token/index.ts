import type { PreTokenGenerationV2TriggerEvent } from "aws-lambda";

/**
 * Puts a user's groups into the claim `scopes` of every access token that the user pool issues: a group is named like
 * the scope that its members hold.
 */
export async function handler(
  event: PreTokenGenerationV2TriggerEvent,
): Promise<PreTokenGenerationV2TriggerEvent> {
  const scopes = event.request.groupConfiguration.groupsToOverride ?? [];
  return {
    ...event,
    response: {
      claimsAndScopeOverrideDetails: {
        accessTokenGeneration: { claimsToAddOrOverride: { scopes: [...scopes] } },
      },
    },
  };
}
