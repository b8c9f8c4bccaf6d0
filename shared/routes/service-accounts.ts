import * as v from "valibot";
import {
  AlsoRevoked,
  MintedServiceAccount,
  MintServiceAccountBody,
  ServiceAccount,
} from "../schemas/access/service-account.ts";
import { meaning } from "../schemas/values/described-as.ts";
import { booleanText } from "../schemas/values/fields.ts";
import { pageOf, pageQuery } from "../schemas/values/page.ts";
import { idOf } from "../schemas/values/path-ids.ts";
import { sorting } from "../schemas/values/query-fields.ts";
import { oauthRoutes } from "./protocols/oauth.ts";
import type { RouteTable } from "./route.ts";

/** @source docs/interface/service-accounts.md 1.1 */
export const serviceAccountRoutes = {
  mintServiceAccount: {
    method: "POST",
    path: "/service-accounts",
    scopes: ["service_accounts:write"],
    body: { json: MintServiceAccountBody },
    status: 201,
    response: MintedServiceAccount,
    refuses: [400, 409],
    example: {
      body: { name: "nightly-report", scopes: [{ scope: "agents:assistant:run" }], expires_in_days: 90 },
    },
    summary: "Mint a service account; its token is shown this once",
  },
  listServiceAccounts: {
    method: "GET",
    path: "/service-accounts",
    scopes: ["service_accounts:read"],
    query: v.object({
      include_revoked: meaning(v.optional(booleanText(), "true"), "Whether revoked ones are shown too"),
      ...pageQuery(100),
      /** An unknown field falls back to `created_at`, and every order but `asc` to descending. */
      ...sorting("created_at"),
      sort_order: meaning(v.optional(v.string(), "desc"), "asc, or anything else for descending"),
    }),
    response: pageOf(ServiceAccount),
    example: { query: { include_revoked: false } },
    summary: "List service accounts: the caller's own and those without an owner; an admin sees all",
  },
  revokeServiceAccount: {
    method: "DELETE",
    path: "/service-accounts/{account_id}",
    scopes: ["service_accounts:delete"],
    params: v.object({ account_id: idOf("the service account") }),
    status: 204,
    response: null,
    also: { 200: AlsoRevoked },
    summary:
      "Revoke a service account for good, with all that it has minted; its schedules are disabled, and its owner may mint the name again",
  },
  ...oauthRoutes,
} as const satisfies RouteTable;
