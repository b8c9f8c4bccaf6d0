import type { PreTokenGenerationV2TriggerEvent } from "aws-lambda";

/** The event as it is returned. A claim of an access token may be a list; the event's own type knows texts only. */
type Answered = Omit<PreTokenGenerationV2TriggerEvent, "response"> & {
  response: {
    claimsAndScopeOverrideDetails: {
      accessTokenGeneration: { claimsToAddOrOverride: { scopes: string[] } };
    };
  };
};

/**
 * Puts a user's groups into the claim `scopes` of every access token that the user pool issues: a group is named like
 * the scope that its members hold.
 */
export async function handler(event: PreTokenGenerationV2TriggerEvent): Promise<Answered> {
  const scopes = [...(event.request.groupConfiguration.groupsToOverride ?? [])];
  const accessTokenGeneration = { claimsToAddOrOverride: { scopes } };
  return { ...event, response: { claimsAndScopeOverrideDetails: { accessTokenGeneration } } };
}
