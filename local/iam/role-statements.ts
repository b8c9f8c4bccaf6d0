import * as v from "valibot";
import type { Resource } from "../template/stack.ts";
import type { Statement } from "./policy.ts";

const OneOrMore = v.union([
  v.pipe(
    v.string(),
    v.transform((one) => [one]),
  ),
  v.array(v.string()),
]);
/** The only kinds of conditions that are evaluated. */
const Compared = v.strictObject({
  StringEquals: v.optional(v.record(v.string(), OneOrMore)),
  StringLike: v.optional(v.record(v.string(), OneOrMore)),
});
const TemplateStatement = v.object({
  Effect: v.picklist(["Allow", "Deny"]),
  Action: v.optional(OneOrMore),
  NotAction: v.optional(v.unknown()),
  Resource: v.optional(OneOrMore),
  NotResource: v.optional(v.unknown()),
  Condition: v.optional(v.unknown()),
});
const Document = v.object({ Statement: v.array(TemplateStatement) });
const Policy = v.object({ PolicyDocument: Document, Roles: v.optional(v.array(v.string()), []) });
const Role = v.object({
  Policies: v.optional(v.array(Policy), []),
  ManagedPolicyArns: v.optional(v.array(v.string()), []),
});

/**
 * Every statement of a role: those of its inline policies, and those of the template's policies and managed policies
 * that are attached to it. AWS's own managed policies only allow logs and are left out.
 */
export function roleStatements(roleArn: string, resources: readonly Resource[]): Statement[] {
  const role = resources.find(({ type, arn }) => type === "AWS::IAM::Role" && arn === roleArn);
  if (!role) return [];
  const { Policies, ManagedPolicyArns } = v.parse(Role, role.properties);
  const attached = resources.flatMap((resource) => {
    if (resource.type !== "AWS::IAM::Policy" && resource.type !== "AWS::IAM::ManagedPolicy") return [];
    const policy = v.parse(Policy, resource.properties);
    return policy.Roles.includes(role.name) || ManagedPolicyArns.includes(resource.name) ? [policy] : [];
  });
  return [...Policies, ...attached].flatMap((policy) => policy.PolicyDocument.Statement.map(statementFrom));
}

function statementFrom(statement: v.InferOutput<typeof TemplateStatement>): Statement {
  const { Effect, Action, NotAction, Resource, NotResource, Condition } = statement;
  const parsed = v.safeParse(Compared, Condition);
  const { StringEquals: equals, StringLike: like } = parsed.success ? parsed.output : {};
  return {
    effect: Effect,
    actions: Action ?? ["*"],
    resources: Resource ?? ["*"],
    conditional:
      NotAction !== undefined || NotResource !== undefined || (Condition !== undefined && !parsed.success),
    ...(equals && { equals }),
    ...(like && { like }),
  };
}
