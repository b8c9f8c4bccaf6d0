import { describe, expect, test } from "vitest";
import { families } from "../../../shared/routes/index.ts";
import { bundleOf, type Resource, type Synthesized, synthesized } from "../../infra/synthesized.ts";

type Statement = { bundle: string; Action: string[]; Resource: string[] };

const listed = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(String);

const roleOf = (app: Synthesized, fn: Resource): Resource | undefined =>
  app.ofType("AWS::IAM::Role").find(({ id }) => fn.properties.Role === `<${id}>.Arn`);

/** What the role of each function allows. */
function statements(app: Synthesized): Statement[] {
  return app.ofType("AWS::Lambda::Function").flatMap((fn) => {
    const role = roleOf(app, fn);
    return app
      .ofType("AWS::IAM::Policy")
      .filter(({ properties }) => properties.Roles.includes(`<${role?.id}>`))
      .flatMap(({ properties }) => properties.PolicyDocument.Statement)
      .map(({ Action, Resource }) => ({
        bundle: bundleOf(fn),
        Action: listed(Action),
        Resource: listed(Resource),
      }));
  });
}

/** Actions that know no resource: a list of names, and segments of X-Ray, which can only be added. */
const withoutResource = new Set([
  "scheduler:ListSchedules",
  "xray:PutTelemetryRecords",
  "xray:PutTraceSegments",
]);

const allowedTo = (app: Synthesized, action: string): string[] => [
  ...new Set(
    statements(app)
      .filter(({ Action }) => Action.includes(action))
      .map(({ bundle }) => bundle),
  ),
];

const scripted = await synthesized({ model: "scripted", a2a: "true" });
const profile = await synthesized({ model: "amazon-bedrock:eu.amazon.nova-lite-v1:0" });
const direct = await synthesized({ model: "amazon-bedrock:amazon.nova-lite-v1:0" });
const keyed = await synthesized({
  ...{ model: "openai:gpt-5", modelApiKeySecret: "models/openai" },
  ...{ a2a: "true", a2aCardKeySecret: "cards/key", publicUrl: "https://agents.example" },
});

describe("access", () => {
  test("every function has a role of its own, without a policy that AWS manages", () => {
    const functions = scripted.ofType("AWS::Lambda::Function");
    const roles = functions.map((fn) => roleOf(scripted, fn));
    expect(new Set(roles.map((role) => role?.id)).size).toBe(functions.length);
    for (const role of roles) expect(role?.properties.ManagedPolicyArns).toBeUndefined();
  });

  test("no action and no resource has a wildcard, but for objects by their folder, indexes of vectors, the schedules of the group and the versions of the worker", () => {
    const named =
      /(Objects.*\/(sessions|knowledge|uploads|evals|words)|s3vectors:.*:bucket\/.*\/index|:schedule\/.*ScheduleGroup.*)\/\*$/;
    const worker = scripted.ofType("AWS::Lambda::Function").find((fn) => bundleOf(fn) === "worker");
    const workerArn = `<${worker?.id}>.Arn`;
    for (const { bundle, Action, Resource } of statements(scripted)) {
      // What it may empty is in removal.test.ts.
      if (bundle === "data-remover") continue;
      if (Resource.every((resource) => named.test(resource))) continue;
      if (Action.every((action) => withoutResource.has(action))) continue;
      if (Resource.every((resource) => resource === `${workerArn}:*`)) continue;
      for (const part of [...Action, ...Resource]) expect(part, bundle).not.toMatch(/[*?]/);
    }
  });

  test("items are deleted by what removes notes of waiting jobs, sessions, schedules, approvals, versions, reminders, memories, learnings, contents, evaluations, feedback, receivers and days of metrics without sessions, and whole tables are read by migrations alone", () => {
    expect(allowedTo(scripted, "dynamodb:*")).toEqual([]);
    expect(allowedTo(scripted, "dynamodb:Scan")).toEqual(["housekeeper"]);
    expect(allowedTo(scripted, "dynamodb:DeleteItem").sort()).toEqual([
      "approvals",
      // What a person takes back of what they said about an answer.
      "chat-worker",
      "components",
      "deliveries",
      "delivery-worker",
      "eval-worker",
      "feedback",
      "housekeeper",
      "knowledge",
      "knowledge-worker",
      "learnings",
      "memories",
      "runs",
      "schedule-reconcile",
      "schedules",
      "sweeper",
      "worker",
    ]);
    expect(allowedTo(scripted, "dynamodb:BatchWriteItem").sort()).toEqual([
      "eval-worker",
      "housekeeper",
      "knowledge",
      "knowledge-worker",
      "runs",
      "schedule-reconcile",
      "schedules",
      "worker",
    ]);
  });

  test("the entry points that need no table have no access to one", () => {
    // Whether a table is there may be asked by more: that shows nothing of what it holds.
    const touching = statements(scripted).filter(({ Action }) =>
      Action.some((a) => a.startsWith("dynamodb:") && a !== "dynamodb:DescribeTable"),
    );
    expect([...new Set(touching.map(({ bundle }) => bundle))].sort()).toEqual([
      "a2a",
      "approvals",
      "audit",
      "authorizer",
      "chat-worker",
      "components",
      "databases",
      "deliveries",
      "delivery-worker",
      "deployment",
      "eval-worker",
      "evals",
      "feedback",
      "housekeeper",
      "knowledge",
      "knowledge-worker",
      "learnings",
      "memories",
      "metrics",
      "queue",
      "runnables",
      "runs",
      "schedule-executor",
      "schedule-reconcile",
      "schedules",
      "service-accounts",
      "sessions",
      "sweeper",
      "traces",
      "webhooks",
      "worker",
    ]);
  });

  test("only what forwards requests, runs schedules, answers chats, has metrics computed and passes runs on to their version calls functions, and only those that it must", () => {
    expect(allowedTo(scripted, "lambda:InvokeFunction").sort()).toEqual([
      "chat-worker",
      "metrics",
      "platform",
      "schedule-executor",
      "worker",
    ]);
    const callable = (bundle: string) =>
      statements(scripted)
        .find(({ Action, bundle: by }) => Action[0] === "lambda:InvokeFunction" && by === bundle)
        ?.Resource.toSorted();
    const entryPointsBut = (left: string) =>
      scripted
        .ofType("AWS::Lambda::Function")
        .filter((fn) => bundleOf(fn) !== left && bundleOf(fn) in families)
        .filter((fn) => fn.properties.Handler === "index.handler")
        .map(({ id }) => `<${id}>.Arn`)
        .sort();
    const authorizer = scripted.ofType("AWS::Lambda::Function").find((fn) => bundleOf(fn) === "authorizer");
    // It asks the authorizer for its parts, in a deep check of health.
    expect(callable("platform")).toEqual([...entryPointsBut("platform"), `<${authorizer?.id}>.Arn`].sort());
    // What a person says about a run is said by no schedule.
    expect(callable("schedule-executor")).toEqual(entryPointsBut("feedback"));
    const refresher = scripted.ofType("AWS::Lambda::Function").find((fn) => bundleOf(fn) === "housekeeper");
    expect(callable("metrics")).toEqual([`<${refresher?.id}>.Arn`]);
    expect(callable("chat-worker")).toHaveLength(1);
    const worker = scripted.ofType("AWS::Lambda::Function").find((fn) => bundleOf(fn) === "worker");
    expect(callable("worker")).toEqual([`<${worker?.id}>.Arn:*`]);
  });

  test("versions of the worker are deleted by the sweeper, and no function can be", () => {
    const worker = scripted.ofType("AWS::Lambda::Function").find((fn) => bundleOf(fn) === "worker");
    expect(allowedTo(scripted, "lambda:DeleteFunction")).toEqual(["sweeper"]);
    const deleting = statements(scripted).filter(({ Action }) => Action.includes("lambda:DeleteFunction"));
    // With a colon: the name of the function alone does not match.
    expect(deleting.flatMap(({ Resource }) => Resource)).toEqual([`<${worker?.id}>.Arn:*`]);
  });

  test("messages are sent by those who queue runs, wake schedules, remove sessions, process contents, migrate, evaluate, answer chats or check locks, and received by those whom the queues feed", () => {
    expect(allowedTo(scripted, "sqs:SendMessage").sort()).toEqual([
      "a2a",
      "chat-worker",
      "components",
      "databases",
      "deliveries",
      "delivery-worker",
      // It has the housekeeper look whether the database is new.
      "deployment",
      "eval-worker",
      "evals",
      "feedback",
      "housekeeper",
      "knowledge",
      "knowledge-worker",
      "queue",
      "runs",
      "schedule-executor",
      "schedule-reconcile",
      "schedules",
      "service-accounts",
      "sessions",
      "sweeper",
      "webhooks",
      "worker",
    ]);
    expect(allowedTo(scripted, "sqs:ReceiveMessage").sort()).toEqual([
      "chat-worker",
      "delivery-worker",
      "eval-worker",
      "housekeeper",
      "knowledge-worker",
      "schedule-executor",
      "worker",
    ]);
  });
});

describe("access to the model", () => {
  const action = "bedrock:InvokeModelWithResponseStream";
  const bedrockResources = (app: Synthesized) =>
    statements(app).find(({ Action }) => Action.includes(action))?.Resource;

  test("is no function's where the model is scripted", () => {
    expect(allowedTo(scripted, action)).toEqual([]);
  });

  test("is given to the functions that execute runs, judge answers, name sessions or merge memories, for the configured model alone", () => {
    expect(allowedTo(direct, action).sort()).toEqual([
      "eval-worker",
      "memories",
      "runs",
      "sessions",
      "worker",
    ]);
    expect(bedrockResources(direct)).toEqual([
      "arn:<AWS::Partition>:bedrock:<AWS::Region>::foundation-model/amazon.nova-lite-v1:0",
    ]);
  });

  test("covers the model that judges, where that is another one", async () => {
    const judged = await synthesized({
      model: "openai:gpt-5",
      modelApiKeySecret: "models/openai",
      judgeModel: "amazon-bedrock:judge-1",
    });
    expect(bedrockResources(judged)).toEqual([
      "arn:<AWS::Partition>:bedrock:<AWS::Region>::foundation-model/judge-1",
    ]);
  });

  test("covers the secrets of further providers and further models of Bedrock", async () => {
    const several = await synthesized({
      model: "openai:gpt-5",
      modelApiKeySecret: "models/openai",
      modelProviders: {
        anthropic: { apiKeySecret: "models/anthropic" },
        "amazon-bedrock": { models: ["amazon.nova-lite-v1:0"] },
      },
    });
    expect(bedrockResources(several)).toEqual([
      "arn:<AWS::Partition>:bedrock:<AWS::Region>::foundation-model/amazon.nova-lite-v1:0",
    ]);
    const secrets = statements(several)
      .filter(({ Action }) => Action.includes("secretsmanager:GetSecretValue"))
      .flatMap(({ Resource }) => [Resource].flat())
      // The one that is shared with CloudFront is a resource of the stack.
      .filter((arn) => arn.includes(":secret:"))
      .map((arn) => arn.slice(arn.indexOf(":secret:")));
    expect([...new Set(secrets)].sort()).toEqual([
      ":secret:models/anthropic-??????",
      ":secret:models/openai-??????",
    ]);
  });

  test("covers the regions of an inference profile, which are the only wildcard anywhere", () => {
    expect(bedrockResources(profile)).toEqual([
      "arn:<AWS::Partition>:bedrock:<AWS::Region>:<AWS::AccountId>:inference-profile/eu.amazon.nova-lite-v1:0",
      "arn:<AWS::Partition>:bedrock:*::foundation-model/amazon.nova-lite-v1:0",
    ]);
  });

  test("is a secret where the provider asks for a key", () => {
    expect(allowedTo(keyed, action)).toEqual([]);
    // The authorizer reads the secret that it shares with CloudFront; those of deliveries and of feedback the one that signs.
    // So does the streaming function of A2A, which reads the key of cards as well.
    const others = ["authorizer", "deliveries", "delivery-worker", "feedback", "a2a"];
    const readers = allowedTo(keyed, "secretsmanager:GetSecretValue").filter(
      (name) => !others.includes(name),
    );
    expect(readers.sort()).toEqual(["eval-worker", "memories", "runs", "sessions", "worker"]);
    const given = keyed
      .ofType("AWS::Lambda::Function")
      .filter(({ variables }) => variables.MODEL_API_KEY_SECRET === "models/openai");
    expect([...new Set(given.map(bundleOf))].sort()).toEqual([
      "eval-worker",
      "memories",
      "runs",
      "sessions",
      "worker",
    ]);
  });

  test("to the key of agent cards is had by the functions of A2A alone, which know its name", () => {
    const readers = statements(keyed).filter(({ Resource }) =>
      Resource.some((arn) => /:secret:cards/.test(arn)),
    );
    expect(new Set(readers.map(({ bundle }) => bundle))).toEqual(new Set(["a2a"]));
    const informed = keyed
      .ofType("AWS::Lambda::Function")
      .filter(({ variables }) => variables.A2A_CARD_KEY_SECRET === "cards/key");
    expect(informed.map(bundleOf)).toEqual(["a2a", "a2a"]);
    expect(statements(scripted).some(({ Resource }) => Resource.some((arn) => /:secret:/.test(arn)))).toBe(
      false,
    );
  });
});
