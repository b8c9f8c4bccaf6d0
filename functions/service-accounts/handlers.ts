// Generated from the route table by `npm run routes`; do not edit.
export { listServiceAccounts } from "./list-service-accounts.ts";
export { mintServiceAccount } from "./mint-service-account.ts";
export { authorizeApp } from "./oauth/authorize-app.ts";
export { decideConsent } from "./oauth/decide-consent.ts";
export { describeConsent } from "./oauth/describe-consent.ts";
export { getOauthServer } from "./oauth/get-oauth-server.ts";
export { issueOauthToken } from "./oauth/issue-oauth-token.ts";
export { listConnectedApps } from "./oauth/list-connected-apps.ts";
export { registerOauthClient } from "./oauth/register-oauth-client.ts";
export { removeConnectedApp } from "./oauth/remove-connected-app.ts";
export { revokeOauthToken } from "./oauth/revoke-oauth-token.ts";
export { revokeServiceAccount } from "./revoke-service-account.ts";
