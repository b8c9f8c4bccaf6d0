// Generated from the route table by `npm run routes`; do not edit.
export { listServiceAccounts } from "./list-service-accounts.ts";
export { mintServiceAccount } from "./mint-service-account.ts";
export { revokeServiceAccount } from "./revoke-service-account.ts";
