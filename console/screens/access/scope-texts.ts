const verbs: Readonly<Record<string, string>> = {
  read: "see",
  write: "create and change",
  delete: "delete",
  run: "run",
};
const things: Readonly<Record<string, string>> = {
  agents: "agents and their runs",
  teams: "teams and their runs",
  workflows: "workflows and their runs",
  components: "stored agents, teams, workflows and skills",
  config: "the configuration",
  evals: "evaluations",
  registry: "what code registered",
  service_accounts: "service accounts",
};
/** Where the verb and the thing together do not say it. */
const whole: Readonly<Record<string, string>> = {
  "agents:run": "run agents",
  "teams:run": "run teams",
  "workflows:run": "run workflows",
  "agents:write": "create and change agents",
  "teams:write": "create and change teams",
  "workflows:write": "create and change workflows",
  "agents:delete": "delete agents",
  "teams:delete": "delete teams",
  "workflows:delete": "delete workflows",
  "approvals:write": "decide on approvals",
  "config:write": "migrate databases",
  "metrics:write": "have the metrics computed",
  "knowledge:write": "add to knowledge and change it",
  "service_accounts:write": "mint service accounts",
  "service_accounts:delete": "revoke service accounts",
};
const singular: Readonly<Record<string, string>> = {
  agents: "agent",
  teams: "team",
  workflows: "workflow",
  skills: "skill",
};

/**
 * What a scope lets its holder do, as a sentence.
 *
 * @param adminScope  the scope that makes an admin here
 */
export function scopeText(scope: string, adminScope: string): string {
  if (scope === adminScope) return "Everything, including the data of all users";
  const [resource = "", second = "", third] = scope.split(":");
  const action = third ?? second;
  const id = third === undefined || second === "*" ? undefined : second;
  const verb = verbs[action] ?? action;
  if (id !== undefined) return capital(`${verb} the ${singular[resource] ?? resource} ${id}`);
  return capital(
    whole[`${resource}:${action}`] ?? `${verb} ${things[resource] ?? resource.replaceAll("_", " ")}`,
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Whether a scope lets its holder change or delete things, or create further credentials: minting one takes a consent.
 *
 * @source as `functions/service-accounts/plan-mint.ts`
 */
export function isPrivileged(scope: string, adminScope: string): boolean {
  const parts = scope.split(":");
  const action = parts.at(-1) ?? "";
  return scope === adminScope || parts[0] === "service_accounts" || action === "write" || action === "delete";
}
