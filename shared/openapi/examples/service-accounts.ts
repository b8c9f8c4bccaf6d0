import type { serviceAccountRoutes } from "../../routes/service-accounts.ts";
import type { ServiceAccount } from "../../schemas/access/service-account.ts";
import type { ExamplesOf } from "./example.ts";
import { pageWith } from "./page-with.ts";
import { pathExamples } from "./path-examples.ts";

const account: ServiceAccount = {
  id: pathExamples.account_id,
  name: "nightly-report",
  principal: "sa:nightly-report",
  user_id: "maria",
  token_prefix: "plat_pat_3f9Kq2W",
  scopes: [
    {
      id: null,
      raw: "agents:assistant:run",
      namespace: "agents",
      sub_namespace: "assistant",
      permission: "run",
      value: "allow",
    },
  ],
  created_at: 1772615700,
  expires_at: 1780391700,
  last_used_at: null,
  revoked_at: null,
  created_by: "maria",
};

export const serviceAccountExamples: ExamplesOf<typeof serviceAccountRoutes> = {
  mintServiceAccount: {
    body: { name: "nightly-report", scopes: [{ scope: "agents:assistant:run" }], expires_in_days: 90 },
    answer: { ...account, token: "plat_pat_…" },
  },
  listServiceAccounts: { query: { include_revoked: false }, answer: pageWith(account) },
  revokeServiceAccount: {
    further: { 200: { also_revoked: [{ id: "01a1", name: "nightly-report-2" }] } },
  },
};
