import * as v from "valibot";
import { jsonArray, jsonObject, matching, takes, whole } from "../forms.ts";
import type { Settings } from "../setting.ts";
import { type GivenIssuer, Issuers } from "../values/issuers.ts";

const issuers = jsonArray("a JSON array", Issuers, "must be a JSON array of issuers");
/** Functions check mappings against the routes as well, by `readScopeMappings`, and so does what makes templates. */
const mappings = jsonObject(v.record(v.string(), v.unknown()));

/** Who may ask for what, and how often. The authorizer reads these. */
export const access = {
  /** issuers whose tokens are accepted; without one every JWT is refused. Locally the built-in issuer */
  jwtIssuers: {
    variable: "JWT_ISSUERS",
    local: false,
    form: { ...issuers, given: takes<string | readonly GivenIssuer[]>(issuers.given) },
    default: "[]",
  },
  /**
   * scope that satisfies every other; compared as a whole, so nothing else makes an admin. With
   * `platform:admin,agent_os:admin` the admins of an AgentOS are admins here too; refusals name the first, and tokens of
   * `npm start` hold it
   */
  adminScope: {
    variable: "ADMIN_SCOPE",
    form: matching(
      "text without blanks, or several separated by commas",
      /^[^\s,]+(,[^\s,]+)*$/,
      "must be a scope without blanks, or several separated by commas",
    ),
    unset: "platform:admin",
  },
  /**
   * `METHOD /path` → scopes that the route needs instead of its own; `[]` needs a credential and no scope. In a path `*`
   * and `{name}` stand for one segment. A path that is no route is refused at synth. Routes of agents, teams and workflows
   * need their own scopes in addition
   */
  scopeMappings: {
    variable: "SCOPE_MAPPINGS",
    form: {
      may: mappings.may,
      given: takes<string | Readonly<Record<string, readonly string[]>>>(mappings.given),
      schema: v.string(),
    },
    default: "{}",
  },
  /** how long a valid token of a service account is cached, and so how late revoking takes effect */
  serviceAccountCacheSeconds: {
    variable: "SERVICE_ACCOUNT_CACHE_SECONDS",
    form: whole(0, 300),
    default: "30",
  },
  /**
   * requests that one principal may make; 0 sets no limit. They are counted in batches, see [access](guide/access.md)
   */
  requestsPerMinute: { variable: "REQUESTS_PER_MINUTE", form: whole(0, 1_000_000), default: "30000" },
  /**
   * tokens of service accounts that each instance looks up for one address although it does not know them; beyond that it
   * answers 429 without looking further ones up. Valid tokens are not affected: beyond the limit it lists those of all
   * accounts, once in five seconds at most. 0 sets no limit
   */
  unauthenticatedPerMinute: {
    variable: "UNAUTHENTICATED_PER_MINUTE",
    form: whole(0, 1_000_000),
    default: { otherwise: "60", development: "0" },
  },
} as const satisfies Settings;
