import { createServer } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect } from "vitest";
import { serveOnLoopback } from "../../local/machine/listen-on-loopback.ts";
import { AwsError, connectAws } from "../../package/doctor/aws/aws-api.ts";
import { remedyOfRefusal } from "../../package/doctor/aws/model-refusal.ts";
import { areRequiredMet, examineAll, type Outcome, reportLines } from "../../package/doctor/check.ts";
import { issuerProblem } from "../../package/doctor/issuer-problem.ts";
import { platformChecks } from "../../package/doctor/platform-checks.ts";
import { stageChecks } from "../../package/doctor/stage-checks.ts";
import { stagePlace } from "../../package/doctor/stage-place.ts";
import manifest from "../../package.json" with { type: "json" };
import { type FakeAnswers, startFakeAws, xmlList } from "../support/fake-aws.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

const resources = [
  {
    LogicalResourceId: "DeadLetters1",
    ResourceType: "AWS::SQS::Queue",
    PhysicalResourceId: "https://sqs/1/dead",
  },
  {
    LogicalResourceId: "RunQueue1",
    ResourceType: "AWS::SQS::Queue",
    PhysicalResourceId: "https://sqs/1/runs",
  },
  {
    LogicalResourceId: "A1",
    ResourceType: "AWS::CloudWatch::Alarm",
    PhysicalResourceId: "agent-platform-prod-A",
  },
  { LogicalResourceId: "R1", ResourceType: "AWS::ApiGatewayV2::Route", PhysicalResourceId: "r1" },
];

const usersAlarm = [
  {
    LogicalResourceId: "B1",
    ResourceType: "AWS::CloudWatch::Alarm",
    PhysicalResourceId: "agent-platform-prod-users-B",
  },
];

/** An account in which everything is right. */
const right: FakeAnswers = {
  "sts GetCallerIdentity": {
    body: "<r><Account>123456789012</Account><Arn>arn:aws:iam::1:user/ops</Arn></r>",
  },
  "cloudformation DescribeStacks": {
    body: `<r><Stacks><member><StackStatus>UPDATE_COMPLETE</StackStatus>${xmlList("Outputs", [
      { OutputKey: "BaseUrl", OutputValue: "https://agents.example" },
      { OutputKey: "DistributionId", OutputValue: "E1" },
    ])}</member></Stacks></r>`,
  },
  "cloudformation ListStackResources": { body: `<r>${xmlList("StackResourceSummaries", resources)}</r>` },
  "cloudfront GET": { body: "<Distribution><Status>Deployed</Status></Distribution>" },
  "lambda GET": { body: { AccountLimit: { ConcurrentExecutions: 1000 } } },
  "bedrock POST": { body: { output: {} } },
  "secretsmanager DescribeSecret": { body: { VersionIdsToStages: { v1: ["AWSCURRENT"] } } },
  "sqs GetQueueAttributes": { body: { Attributes: { ApproximateNumberOfMessages: "0" } } },
  "monitoring DescribeAlarms": { body: "<r><MetricAlarms></MetricAlarms></r>" },
};
const settings = {
  userPool: "true",
  model: "amazon-bedrock:us.anthropic.claude",
  otlpHeadersSecret: "prod/otlp",
  alarmEmail: "ops@example.com",
} as const;

let answers = right;
let aws: Awaited<ReturnType<typeof startFakeAws>>;
beforeAll(async () => {
  aws = await startFakeAws(() => answers);
});
afterAll(() => aws.stop());
beforeEach(() => {
  answers = right;
});

/** What the checks of the stage find, with these answers of AWS in addition. */
async function examined(more: FakeAnswers = {}, given = {}, clockMs = 0): Promise<readonly Outcome[]> {
  answers = { ...right, ...more };
  const client = { region: "eu-west-1", credentials: { accessKeyId: "AKID", secretAccessKey: "secret" } };
  const connect = () => connectAws({ endpoint: aws.address, client, now: () => Date.now() + clockMs });
  return examineAll(stageChecks, stagePlace("prod", { ...settings, ...given }, [], connect));
}

describe("a stage in an account", () => {
  test("where everything is right meets every check, and no secret is read", async () => {
    const outcomes = await examined();
    expect(outcomes.filter(({ verdict }) => verdict !== "ok")).toEqual([]);
    expect(areRequiredMet(outcomes)).toBe(true);
    expect(aws.asked).not.toContain("secretsmanager GetSecretValue");
  });

  test("has the alarms of its service and of its users", async () => {
    const more = {
      "cloudformation ListStackResources agent-platform-prod-users": {
        body: `<r>${xmlList("StackResourceSummaries", usersAlarm)}</r>`,
      },
    };
    const found = async (given = {}) =>
      (await examined(more, given)).find(({ name }) => name === "alarms")?.found;
    expect(await found()).toBe("2, none raised");
    expect(await found({ userPool: "false" })).toBe("1, none raised");
  });

  const refused = (__type: string, message: string) => ({ status: 400, body: { __type, message } });
  test.each<[string, FakeAnswers, object, number, RegExp]>([
    ["settings", {}, { worker_concurrency: "none" }, 0, /worker_concurrency/],
    [
      "credentials",
      {
        "sts GetCallerIdentity": {
          status: 403,
          body: "<r><Code>ExpiredToken</Code><Message>expired</Message></r>",
        },
      },
      {},
      0,
      /ExpiredToken: expired/,
    ],
    ["clock", {}, {}, 120_000, /1(19|20|21) s ahead/],
    [
      "stack",
      {
        "cloudformation DescribeStacks": {
          status: 400,
          body: "<r><Code>ValidationError</Code><Message>does not exist</Message></r>",
        },
      },
      {},
      0,
      /no stack agent-platform-prod/,
    ],
    [
      "stack",
      {
        "cloudformation DescribeStacks": {
          body: xmlList("Stacks", [{ StackStatus: "UPDATE_ROLLBACK_COMPLETE" }]),
        },
      },
      {},
      0,
      /UPDATE_ROLLBACK_COMPLETE/,
    ],
    ["issuers", {}, { userPool: "false" }, 0, /none is configured/],
    [
      "model",
      {
        "bedrock POST": refused(
          "ResourceNotFoundException",
          "Model use case details have not been submitted for this account.",
        ),
      },
      {},
      0,
      /use case details/,
    ],
    [
      "secrets",
      { "secretsmanager DescribeSecret": refused("ResourceNotFoundException", "can't find it") },
      {},
      0,
      /prod\/otlp: ResourceNotFound/,
    ],
    ["secrets", { "secretsmanager DescribeSecret": { body: {} } }, {}, 0, /prod\/otlp has no value/],
    [
      "concurrency",
      { "lambda GET": { body: { AccountLimit: { ConcurrentExecutions: 10 } } } },
      { worker_concurrency: "10" },
      0,
      /10, of which workers may take 10/,
    ],
    [
      "routes",
      {
        "cloudformation ListStackResources": {
          body: xmlList(
            "StackResourceSummaries",
            Array.from({ length: 300 }, (_, i) => ({ ...resources[3], LogicalResourceId: `R${i}` })),
          ),
        },
      },
      {},
      0,
      /300 of 300/,
    ],
    [
      "CloudFront",
      { "cloudfront GET": { body: "<Distribution><Status>InProgress</Status></Distribution>" } },
      {},
      0,
      /E1: InProgress/,
    ],
    [
      "dead letters",
      { "sqs GetQueueAttributes": { body: { Attributes: { ApproximateNumberOfMessages: "3" } } } },
      {},
      0,
      /^dead has 3$/,
    ],
    [
      "alarms",
      {
        "monitoring DescribeAlarms": {
          body: `<r>${xmlList("MetricAlarms", [{ AlarmName: "agent-platform-prod-A", AlarmDescription: "Workers crash. See docs/operations.md#workers-crash" }])}</r>`,
        },
      },
      {},
      0,
      /operations\.md#workers-crash/,
    ],
    [
      "alarms",
      {
        "cloudformation ListStackResources agent-platform-prod-users": {
          body: `<r>${xmlList("StackResourceSummaries", usersAlarm)}</r>`,
        },
        "monitoring DescribeAlarms": {
          body: `<r>${xmlList("MetricAlarms", [{ AlarmName: "agent-platform-prod-users-B", AlarmDescription: "Tokens of users cannot be made." }])}</r>`,
        },
      },
      {},
      0,
      /Tokens of users cannot be made/,
    ],
  ])("fails the check %s, with what is wrong and what to do", async (name, more, given, clockMs, wrong) => {
    const outcomes = await examined(more, given, clockMs);
    const found = outcomes.find((one) => one.name === name);
    expect(found).toMatchObject({ verdict: "problem", found: expect.stringMatching(wrong) });
    expect(found?.remedy?.length).toBeGreaterThan(10);
    expect(areRequiredMet(outcomes)).toBe(false);
  });

  test("that is not deployed yet is examined as far as there is something", async () => {
    const gone = { status: 400, body: "<r><Code>ValidationError</Code></r>" };
    const outcomes = await examined({
      "cloudformation DescribeStacks": gone,
      "cloudfront GET": { body: "<DistributionList><Quantity>0</Quantity></DistributionList>" },
    });
    const verdicts = Object.fromEntries(outcomes.map(({ name, verdict }) => [name, verdict]));
    expect(verdicts).toMatchObject({
      stack: "problem",
      model: "ok",
      concurrency: "ok",
      CloudFront: "not examined",
      alarms: "not examined",
    });
    expect(reportLines(outcomes)).toContain(
      "WRONG alarms: not examined, there is no stack agent-platform-prod in this account and region",
    );
  });

  test("without credentials is not guessed about", async () => {
    const place = stagePlace("prod", settings, [], () => Promise.reject(new Error("Region is missing")));
    const outcomes = await examineAll(stageChecks, place);
    expect(outcomes.filter(({ verdict }) => verdict === "problem").map(({ name }) => name)).toEqual([
      "credentials",
    ]);
    expect(areRequiredMet(outcomes)).toBe(false);
  });
});

test.each([
  [
    "ResourceNotFoundException",
    "Model use case details have not been submitted for this account",
    /use case.*form/,
  ],
  [
    "AccessDeniedException",
    "not authorized to perform aws-marketplace:Subscribe",
    /aws-marketplace:ViewSubscriptions/,
  ],
  [
    "ValidationException",
    "Invocation of model ID x with on-demand throughput isn’t supported",
    /inference profile/,
  ],
  ["ResourceNotFoundException", "This model version has reached the end of its life", /docs\/models\.md/],
  ["AccessDeniedException", "explicit deny", /bedrock:InvokeModel/],
])("Bedrock's %s, %s, names what to fill in", (code, message, remedy) => {
  expect(remedyOfRefusal(new AwsError(code, message))).toMatch(remedy);
});

describe("an issuer", () => {
  const documents = new Map<string, unknown>();
  let address: string;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const server = createServer((request, response) => {
      const found = documents.get(request.url ?? "");
      response.writeHead(found === undefined ? 404 : 200).end(JSON.stringify(found));
    });
    ({ address, stop } = await serveOnLoopback(server));
  });
  afterAll(() => stop());

  const problem = () =>
    issuerProblem({
      issuer: address,
      jwks_uri: `${address}/keys`,
      algorithms: ["RS256"],
      claims: { user_id: "sub", scopes: "scopes", audience: "aud" },
    });

  test("needs keys that can be fetched, are a key set and fit its algorithms, and metadata that names it", async () => {
    expect(await problem()).toMatch(/keys answers with 404/);
    documents.set("/keys", { keys: "none" });
    expect(await problem()).toMatch(/is no key set/);
    documents.set("/keys", { keys: [{ kty: "EC" }] });
    expect(await problem()).toMatch(/no key for RS256/);
    documents.set("/keys", { keys: [{ kty: "RSA", kid: "1" }] });
    expect(await problem()).toBeUndefined();
    const metadata = "/.well-known/openid-configuration";
    documents.set(metadata, { issuer: "https://other.example", jwks_uri: `${address}/keys` });
    expect(await problem()).toMatch(/names the issuer https:\/\/other\.example/);
    documents.set(metadata, { issuer: address, jwks_uri: `${address}/others` });
    expect(await problem()).toMatch(/has its keys at .*\/others/);
    documents.set(metadata, { issuer: address, jwks_uri: `${address}/keys` });
    expect(await problem()).toBeUndefined();
  });
});

describe("a platform", () => {
  let platform: RunningPlatform;
  test.beforeAll(({ platform: shared }) => {
    platform = shared;
  });
  const examinedHere = (token: string | undefined, version = manifest.version) =>
    examineAll(platformChecks, { address: () => platform.url, token, version });

  test("that runs meets every check, with a sample run", async () => {
    const outcomes = await examinedHere(platform.token("doctor", ["platform:admin"]));
    expect(outcomes.filter(({ verdict, isRequired }) => isRequired && verdict !== "ok")).toEqual([]);
    expect(outcomes.at(-1)?.found).toMatch(/^POST \/agents\/.*\/runs completed in/);
  });

  test("refuses a token that is not its own, and shows another version as a note", async () => {
    const outcomes = await examinedHere("not-a-token", "9.9.9");
    const [parts, token, version] = outcomes;
    expect(parts?.verdict).toBe("ok");
    expect(token).toMatchObject({ verdict: "problem", found: expect.stringMatching(/401/) });
    expect(version).toMatchObject({ verdict: "problem", isRequired: false });
    expect(reportLines(outcomes).join("\n")).toMatch(/^note {2}version: /m);
  });

  test("without a token is examined as far as it is public, and does not count as right", async () => {
    const outcomes = await examinedHere(undefined);
    expect(outcomes.find(({ name }) => name === "token")?.verdict).toBe("not examined");
    expect(areRequiredMet(outcomes)).toBe(false);
  });
});
