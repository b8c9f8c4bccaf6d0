/**
 * Claim with which the user pool's trigger names the deployment that an access token is for. The pool's issuer checks it as
 * the audience: Cognito's own claim names the client that asked, and a client whose addresses depend on the deployment's
 * address cannot be a setting of the functions behind that address.
 */
export const DEPLOYMENT_CLAIM = "deployment";

/** Value of the claim. */
export const deploymentName = (stage: string): string => `agent-platform-${stage}`;
