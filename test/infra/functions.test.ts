import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { authorizerEnv } from "../../shared/settings/authorizer-environment.ts";
import {
  a2aEnv,
  approvalsEnv,
  auditEnv,
  chatWorkerEnv,
  componentsEnv,
  configEnv,
  consoleEnv,
  databasesEnv,
  dataRemoverEnv,
  deliveriesEnv,
  deliveryWorkerEnv,
  deploymentEnv,
  evalsEnv,
  evalWorkerEnv,
  feedbackEnv,
  housekeeperEnv,
  knowledgeEnv,
  knowledgeWorkerEnv,
  learningsEnv,
  memoriesEnv,
  metricsEnv,
  platformEnv,
  queueEnv,
  runnablesEnv,
  runsEnv,
  scheduleExecutorEnv,
  scheduleReconcileEnv,
  schedulesEnv,
  serviceAccountsEnv,
  sessionsEnv,
  sweeperEnv,
  tracesEnv,
  webhooksEnv,
  workerEnv,
} from "../../shared/settings/environments.ts";
import { bundleOf, synthesized } from "./synthesized.ts";

const environments: Readonly<Record<string, v.GenericSchema & { entries: Record<string, unknown> }>> = {
  authorizer: authorizerEnv,
  platform: platformEnv,
  config: configEnv,
  console: consoleEnv,
  "data-remover": dataRemoverEnv,
  deployment: deploymentEnv,
  runnables: runnablesEnv,
  runs: runsEnv,
  queue: queueEnv,
  "service-accounts": serviceAccountsEnv,
  approvals: approvalsEnv,
  sessions: sessionsEnv,
  components: componentsEnv,
  worker: workerEnv,
  sweeper: sweeperEnv,
  housekeeper: housekeeperEnv,
  knowledge: knowledgeEnv,
  webhooks: webhooksEnv,
  "chat-worker": chatWorkerEnv,
  "knowledge-worker": knowledgeWorkerEnv,
  databases: databasesEnv,
  schedules: schedulesEnv,
  "schedule-executor": scheduleExecutorEnv,
  "schedule-reconcile": scheduleReconcileEnv,
  memories: memoriesEnv,
  learnings: learningsEnv,
  evals: evalsEnv,
  feedback: feedbackEnv,
  "eval-worker": evalWorkerEnv,
  traces: tracesEnv,
  audit: auditEnv,
  metrics: metricsEnv,
  a2a: a2aEnv,
  deliveries: deliveriesEnv,
  "delivery-worker": deliveryWorkerEnv,
};

const app = await synthesized({
  osId: "os-7",
  adminScope: "ops:admin",
  corsAllowedOrigins: ["https://a.example", "https://b.example"],
  jwtIssuers: [{ issuer: "https://id.example", jwks_uri: "https://id.example/keys" }],
  lock_grace_seconds: 30,
  a2a: "true",
});
const functions = app.ofType("AWS::Lambda::Function");
const variablesOf = (bundle: string) => functions.find((fn) => bundleOf(fn) === bundle)?.variables ?? {};

describe.each(functions.map((fn) => [fn.id.replace(/[0-9A-F]{8}$/, ""), fn] as const))(
  "function %s",
  (_, fn) => {
    test("gets the environment that it reads, and nothing else", () => {
      const schema = environments[bundleOf(fn)];
      const given = fn.variables;
      expect(schema && v.safeParse(schema, given).issues).toBeUndefined();
      expect(Object.keys(given).filter((name) => !(name in (schema?.entries ?? {})))).toEqual([]);
    });

    test("runs on Node 24 and ARM and writes to a log group that forgets", () => {
      expect(fn.properties).toMatchObject({ Runtime: "nodejs24.x", Architectures: ["arm64"] });
      const group = app
        .ofType("AWS::Logs::LogGroup")
        .find(({ id }) => fn.properties.LoggingConfig.LogGroup === `<${id}>`);
      expect(group?.properties.RetentionInDays).toBe(30);
    });

    test("has the memory that was decided for it", () => {
      const decided: Readonly<Record<string, number>> = {
        authorizer: 512,
        console: 512,
        sweeper: 512,
        "chat-worker": 512,
        "data-remover": 256,
        deployment: 256,
        "delivery-worker": 512,
        "schedule-executor": 512,
        "schedule-reconcile": 512,
        "knowledge-worker": 2048,
      };
      expect(fn.properties.MemorySize).toBe(decided[bundleOf(fn)] ?? 1024);
    });

    test("has the time that its caller waits", () => {
      const streams = fn.properties.Handler === "index.stream";
      const expected: Readonly<Record<string, number>> = {
        authorizer: 10,
        worker: 900,
        sweeper: 55,
        housekeeper: 900,
        "knowledge-worker": 900,
        "eval-worker": 900,
        "chat-worker": 180,
        "data-remover": 900,
        deployment: 600,
        "delivery-worker": 60,
        "schedule-executor": 60,
        "schedule-reconcile": 300,
      };
      expect(fn.properties.Timeout).toBe(streams ? 900 : (expected[bundleOf(fn)] ?? 29));
    });
  },
);

test("every log group has a retention", () => {
  for (const { id, properties } of app.ofType("AWS::Logs::LogGroup")) {
    expect(properties.RetentionInDays, id).toBeGreaterThan(0);
  }
});

test("context values reach the functions that read them", () => {
  expect(variablesOf("runs")).toMatchObject({
    OS_ID: "os-7",
    ADMIN_SCOPE: "ops:admin",
    CORS_ALLOWED_ORIGINS: "https://a.example,https://b.example",
    JWT_ISSUERS: '[{"issuer":"https://id.example","jwks_uri":"https://id.example/keys"}]',
  });
  expect(variablesOf("worker").LOCK_GRACE_SECONDS).toBe("30");
});

test("the platform family knows the function of every other family", () => {
  const { FAMILY_FUNCTIONS } = variablesOf("platform");
  for (const family of ["config", "runnables", "runs", "queue", "approvals"]) {
    const fn = functions.find(
      ({ properties, ...rest }) =>
        bundleOf({ properties, ...rest }) === family && properties.Handler === "index.handler",
    );
    expect(JSON.parse(FAMILY_FUNCTIONS ?? "")[family]).toBe(`<${fn?.id}>`);
  }
});
