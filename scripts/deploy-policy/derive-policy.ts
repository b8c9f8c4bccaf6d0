import { featureRights, furtherRights } from "./feature-rights.ts";
import handlers from "./handlers.json" with { type: "json" };
import { type Named, ownNames, resourceNames } from "./resource-names.ts";

/** A resource of a template. */
export type TemplateResource = {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
};

/** What one variant of the deployment has. */
export type Deployed = {
  readonly option?: string | undefined;
  readonly resources: readonly TemplateResource[];
};

export type Statement = {
  readonly Sid: string;
  readonly Effect: "Allow";
  readonly Action: readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Named["condition"];
};
export type Policy = { readonly Version: "2012-10-17"; readonly Statement: readonly Statement[] };

/** A managed policy has 6,144 characters at most, so there are several. */
export type PolicyName = "core" | "edge" | "options";

/** The statements of the second policy: what callers and operators see of a deployment. */
const atEdge: ReadonlySet<string> = new Set([
  "Alarms",
  "Apis",
  "CachePolicies",
  "Dashboards",
  "Distributions",
  "EdgeFunctions",
  "ScheduleGroups",
  "Schedules",
  "Secrets",
]);

/** The one option for which the policy of options has no room. */
const ROLLOUT = "OnlyWithWorkerRollout";

/** What CloudFormation itself reads in every deployment of the CDK. */
const always = ["ssm:GetParameters"];

/** Handlers that CloudFormation calls when it deploys or removes; `list` serves its search for resources alone. */
const phases = ["create", "read", "update", "delete"] as const;

type Handlers = Readonly<
  Record<string, Partial<Readonly<Record<(typeof phases)[number], readonly string[]>>>>
>;
const handlersOf: Handlers = handlers.types;
const reference: Readonly<Record<string, readonly string[]>> = handlers.actions;

/**
 * The rights of the role by which CloudFormation deploys: two policies for every deployment, and one for its options. Each action
 * is restricted to names of this project where the service knows such names.
 *
 * @param deployed  the variants, the one without options first
 * @throws Error naming a resource type without known handlers, or an action whose resources have no name here
 * @source the `handlers` of CloudFormation's resource schemas, and the service authorization reference; see `handlers.json`
 */
export function derivePolicies(deployed: readonly Deployed[]): Record<PolicyName, Policy> {
  const plain = new Set(always);
  for (const { option, resources } of deployed)
    if (option === undefined) for (const action of actionsOf(resources)) plain.add(action);
  const options = new Map<string, Set<string>>();
  for (const { option, resources } of deployed) {
    if (option === undefined) continue;
    // An action that several options need is in each of their statements: each of them may be left out.
    const own = [...actionsOf(resources)].filter((action) => !plain.has(action));
    options.set(option, new Set([...(options.get(option) ?? []), ...own]));
  }
  const statements = statementsOf("", plain);
  const optional = [...options].flatMap(([option, actions]) => statementsOf(`OnlyWith${option}`, actions));
  const isAtEdge = ({ Sid }: Statement): boolean => atEdge.has(Sid);
  const isRollout = ({ Sid }: Statement): boolean => Sid.startsWith(ROLLOUT);
  return {
    core: policyOf(statements.filter((statement) => !isAtEdge(statement))),
    edge: policyOf([...statements.filter(isAtEdge), ...optional.filter(isRollout)]),
    options: policyOf(optional.filter((statement) => !isRollout(statement))),
  };
}

const policyOf = (Statement: readonly Statement[]): Policy => ({ Version: "2012-10-17", Statement });

function actionsOf(resources: readonly TemplateResource[]): Set<string> {
  const byType = Map.groupBy(resources, ({ Type }) => Type);
  const actions = new Set<string>();
  for (const [type, found] of byType) {
    const uses = (property: string): boolean =>
      found.some(({ Properties }) => valueAt(Properties, property) !== undefined);
    const unused = featureRights.filter((right) => right.type === type && !uses(right.property));
    for (const action of namedBy(type))
      if (!unused.some((right) => right.actions.some((pattern) => covers(pattern, action))))
        actions.add(action);
    for (const further of furtherRights)
      if (further.type === type && (further.property === undefined || uses(further.property)))
        for (const action of further.actions) actions.add(action);
  }
  return actions;
}

function namedBy(type: string): readonly string[] {
  const found = handlersOf[type];
  if (found === undefined)
    throw new Error(`${type}: its handlers are not known; run "npm run deploy-policy -- --refresh"`);
  // Some names in handlers are of an API and not of IAM.
  return phases.flatMap((phase) => found[phase] ?? []).filter((action) => isAction(action));
}

const isAction = (action: string): boolean =>
  action.endsWith("*") || action in reference || action in ownNames;

const covers = (pattern: string, action: string): boolean =>
  pattern.endsWith("*") ? action.startsWith(pattern.slice(0, -1)) : pattern === action;

function valueAt(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (at, name) => (typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined),
      value,
    );
}

function statementsOf(prefix: string, actions: ReadonlySet<string>): Statement[] {
  const bySid = new Map<string, { readonly named: Named; readonly actions: Set<string> }>();
  for (const action of [...actions].sort())
    for (const named of namesOf(action)) {
      const statement = bySid.get(named.sid) ?? { named, actions: new Set() };
      statement.actions.add(action);
      bySid.set(named.sid, statement);
    }
  return [...bySid]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([sid, { named, actions: Action }]) => ({
      Sid: `${prefix}${sid}`,
      Effect: "Allow",
      Action: [...Action],
      Resource: named.resources.length === 1 ? (named.resources[0] ?? "*") : named.resources,
      ...(named.condition && { Condition: named.condition }),
    }));
}

/** Where an action may be done: on all of its kinds of resources that this project has. */
function namesOf(action: string): readonly Named[] {
  const own = ownNames[action];
  if (own) return own;
  const [service = ""] = action.split(":");
  const kinds = reference[action] ?? [];
  if (kinds.length === 0 && action in reference) return [{ sid: "NotNamed", resources: ["*"] }];
  const names = [
    ...new Set(
      kinds.flatMap((kind) => resourceNames[`${service}:${kind}`] ?? resourceNames[`${service}:*`] ?? []),
    ),
  ];
  if (names.length === 0)
    throw new Error(`${action}: how its resources are named is not known; add it to resource-names.ts`);
  return names;
}
