import * as v from "valibot";
import { choice, eachOf, texts, whole, yesNo } from "../forms.ts";
import type { Settings } from "../setting.ts";

/** What the gateway lets through, whence browsers may call, and who approves. */
export const entrance = {
  /** requests of all callers together that the gateway takes in the long run */
  requestsPerSecond: { form: whole(1, 10_000), default: "1000" },
  /** requests that the gateway takes at once */
  requestBurst: { form: whole(1, 5_000), default: "2000" },
  /**
   * most streams at a time of each streaming function (reserved concurrency), so that a flood of them leaves room for the
   * others; 0 sets no limit. Lambda keeps 100 of the account's limit for functions without one, so an account with the
   * limit of 10 can set none; see [deploying](deploy.md#how-many-streams-at-a-time)
   */
  streamConcurrency: { form: whole(0, 100_000), default: "0" },
  /**
   * brings a Cognito user pool as a further issuer; a user's groups are its scopes (a group is named `agents:run`)
   */
  userPool: { form: yesNo, default: "false" },
  /**
   * where browsers may call from; when empty, the peer's open UI on this machine and its hosted one:
   * `http://localhost:3000`, `http://127.0.0.1:3000`, `https://os.agno.com`
   */
  corsAllowedOrigins: {
    variable: "CORS_ALLOWED_ORIGINS",
    form: texts("origins, separated by commas", eachOf(v.string())),
    unset: "",
  },
  /** who resolves approvals: admins, also their own; or whoever holds `approvals:write`, everybody's but their own */
  approvers: { variable: "APPROVERS", form: choice("admins", "scope"), default: "admins" },
} as const satisfies Settings;
