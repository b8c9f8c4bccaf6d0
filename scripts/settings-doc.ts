import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { readConfig } from "../lib/config/config.ts";
import { appContext, cardKeys, chatKeys, modelKeys } from "../local/template/app-context.ts";
import { DEFAULT_ORIGINS } from "../shared/http/cors.ts";
import { type QueueSetting, type QueueSettingName, queueSettings } from "../shared/runtime/settings.ts";
import { queueSettingMeanings } from "./queue-setting-meanings.ts";

/** Where the page is kept. */
export const settingsDocFile = join(import.meta.dirname, "..", "docs", "settings.md");

type Words = { readonly may: string; readonly meaning: string };

/** What the context values say that are no queue settings. Bounds are checked in `lib/config/config.ts`. */
const contextWords: Readonly<Record<string, Words>> = {
  stage: {
    may: "a short lower-case name",
    meaning:
      "names the stacks; the data of `dev` and `local` goes with its stack, that of every other stage is protected",
  },
  osId: { may: "not empty", meaning: "names this instance on the wire (`os_id`)" },
  model: {
    may: "`scripted` or `<provider>:<id>`",
    meaning:
      "model of every agent that names none; providers are `amazon-bedrock`, `openai`, `anthropic` and `openai-compatible`",
  },
  modelBaseUrl: {
    may: "a URL",
    meaning:
      "address of the service that serves `model`; `openai-compatible` needs it, and it replaces the address of any other provider",
  },
  modelApiKeySecret: {
    may: "a secret's name",
    meaning:
      "Secrets Manager secret with the key of the provider of `model`; Bedrock needs none, `openai` and `anthropic` need one",
  },
  modelProviders: {
    may: "a JSON object",
    meaning:
      'further providers, each with its own address and secret: `{"anthropic": {"apiKeySecret": "models/anthropic"}, "openai-compatible": {"baseUrl": "https://…"}, "amazon-bedrock": {"models": ["amazon.nova-lite-v1:0"]}}`. `models` are the Bedrock models that functions may call besides `model` and `judgeModel`',
  },
  modelPrices: {
    may: "a JSON object",
    meaning:
      'dollars for a million tokens, by model: `{"openai:gpt-5": {"input_per_million": 1.25, "output_per_million": 10}}`; the metrics of a run contain its cost if its model has a price',
  },
  judgeModel: {
    may: "`scripted` or `<provider>:<id>`",
    meaning: "model that judges answers in evaluations; the evaluated component's own where not set",
  },
  toolSecrets: {
    may: "a JSON object",
    meaning:
      'where the [secrets of tools](guide/registry.md#a-tool-with-a-key) are in Secrets Manager, by the names that tools declare: `{"STRIPE_KEY": "shop/stripe", "MAPS_KEY": {"secret": "shop/keys", "field": "maps"}}`. A secret is given by its name or its whole ARN; `field` is a member of the JSON object that it holds. Locally what is not mapped comes from the environment or from `.env`',
  },
  jwtIssuers: {
    may: "a JSON array",
    meaning:
      "issuers whose tokens are accepted; without one every JWT is refused. Locally the built-in issuer",
  },
  adminScope: {
    may: "text without blanks, or several separated by commas",
    meaning:
      "scope that satisfies every other; compared as a whole, so nothing else makes an admin. With `platform:admin,agent_os:admin` the admins of an AgentOS are admins here too; refusals name the first, and tokens of `npm start` hold it",
  },
  scopeMappings: {
    may: "a JSON object",
    meaning:
      "`METHOD /path` → scopes that the route needs instead of its own; `[]` needs a credential and no scope. In a path `*` and `{name}` stand for one segment. A path that is no route is refused at synth. Routes of agents, teams and workflows need their own scopes in addition",
  },
  approvers: {
    may: "`admins` or `scope`",
    meaning:
      "who resolves approvals: admins, also their own; or whoever holds `approvals:write`, everybody's but their own",
  },
  serviceAccountCacheSeconds: {
    may: "whole, from 0 to 300",
    meaning: "how long a valid token of a service account is cached, and so how late revoking takes effect",
  },
  requestsPerMinute: {
    may: "whole, from 0",
    meaning:
      "requests that one principal may make; 0 sets no limit. They are counted in batches, see [access](guide/access.md)",
  },
  requestsPerSecond: {
    may: "whole, from 1 to 10000",
    meaning: "requests of all callers together that the gateway takes in the long run",
  },
  requestBurst: { may: "whole, from 1 to 5000", meaning: "requests that the gateway takes at once" },
  streamConcurrency: {
    may: "whole, from 0",
    meaning:
      "most streams at a time of each streaming function (reserved concurrency), so that a flood of them leaves room for the others; 0 sets no limit. Lambda keeps 100 of the account's limit for functions without one, so an account with the limit of 10 can set none; see [deploying](deploy.md#how-many-streams-at-a-time)",
  },
  userPool: {
    may: "`true` or `false`",
    meaning:
      "brings a Cognito user pool as a further issuer; a user's groups are its scopes (a group is named `agents:run`)",
  },
  corsAllowedOrigins: {
    may: "origins, separated by commas",
    meaning: `where browsers may call from; when empty, the peer's open UI on this machine and its hosted one: ${DEFAULT_ORIGINS.map((origin) => `\`${origin}\``).join(", ")}`,
  },
  sessionPolicy: {
    may: "`queue` or `parallel`",
    meaning:
      "what becomes of a background run whose session has a live run, where the request does not say: with `queue` it waits, so that the second of two messages sees the first one's answer",
  },
  queueEnabled: {
    may: "`true` or `false`",
    meaning:
      "whether background runs are accepted; with `false` every request that needs the queue is answered with 503",
  },
  a2a: {
    may: "`true` or `false`",
    meaning: "whether other agents can call the components by the agent-to-agent protocol; see [A2A](a2a.md)",
  },
  a2aPrefix: {
    may: "a path of plain segments that no other route begins with",
    meaning: "path prefix of these routes",
  },
  agui: {
    may: "`true` or `false`",
    meaning: "whether front ends can run the components by AG-UI; see [AG-UI](guide/ag-ui.md)",
  },
  aguiComponent: {
    may: "`agents/<id>`, `teams/<id>` or `workflows/<id>`",
    meaning: "what `POST /agui` runs; by default the first component that is declared",
  },
  mcp: {
    may: "`true` or `false`",
    meaning: "whether there is an MCP server at `/mcp`; see [MCP](guide/mcp.md)",
  },
  mcpTools: {
    may: "`all`, or components as in `aguiComponent`, separated by commas",
    meaning:
      "components, declared or stored, that are tools of their own of the MCP server, beside the tools for all components",
  },
  a2aHostAgent: {
    may: "`agents/<id>`, `teams/<id>` or `workflows/<id>`",
    meaning:
      "the component whose agent card everybody may read at `/.well-known/agent-card.json`, without a credential; it names no tools there",
  },
  a2aCardKeySecret: {
    may: "a secret's name",
    meaning:
      "Secrets Manager secret with the key that signs agent cards, see [signed cards](a2a.md#signed-cards); it needs `publicUrl` or `domainName`",
  },
  publicUrl: {
    may: "an address without a path",
    meaning:
      "address of the service as its clients know it, for agent cards and the MCP server; by default the host that the client asked for",
  },
  knowledgeBases: {
    may: "a JSON array",
    meaning:
      'the knowledge bases: `[{"name": "manuals", "description": "…", "max_results": 10, "search_type": "hybrid", "weights": {"vector": 1, "keyword": 1}, "sources": […]}]`, see [searches](guide/knowledge.md#searches); a source is `{"type": "s3", "id", "name", "bucket", "prefix"}` or of type `gcs`, `azureblob`, `sharepoint` or `github` with the name of a `secret`, see [knowledge](guide/knowledge.md#sources)',
  },
  vectorStore: {
    may: "`dynamodb` or `s3-vectors`",
    meaning:
      "where vectors are kept; a deployment without it takes `s3-vectors`, which [not every region](deploy.md#regions) has, `npm start` takes `dynamodb`",
  },
  embedder: {
    may: "`none` or `<provider>:<id>`",
    meaning:
      "embedding model for texts; providers are `amazon-bedrock`, `openai` and `openai-compatible`. `none` leaves searches to words. With another embedder contents are found by words as before, and by meaning once they are uploaded again",
  },
  embedderBaseUrl: { may: "a URL", meaning: "address of the service behind an `openai-compatible` embedder" },
  embedderApiKeySecret: {
    may: "a secret's name",
    meaning:
      "Secrets Manager secret with the key of the embedder's provider; Bedrock needs none, `openai` needs one",
  },
  fetchAllowedHosts: {
    may: "hosts with their ports, separated by commas",
    meaning:
      "hosts from which content may be fetched, and to which messages may be sent, although they are not public; to these also without TLS",
  },
  webhooks: {
    may: "`on` or `off`",
    meaning:
      "whether receivers are told how runs end, by [callbacks and endpoints](guide/webhooks.md); `on` with `npm start` and on stage `dev`, else `off`. It takes a secret in Secrets Manager, for $0.40 a month",
  },
  callbackUrl: {
    may: "a URL",
    meaning:
      "receiver of the ends of background runs, where neither their request nor their component names one; needs `webhooks`",
  },
  eventBus: {
    may: "the name of an event bus, or `default`",
    meaning:
      "EventBridge bus of the account that gets an [event for every change](guide/events.md) of runs, jobs, approvals, schedules and evaluations",
  },
  eventBusContents: {
    may: "`true` or `false`",
    meaning: "whether the events of runs on the bus carry their answers",
  },
  taskTokens: {
    may: "`true`, `false`, or names of state machines, separated by commas",
    meaning:
      "state machines of Step Functions whose tasks background runs may end, by [`task_token`](guide/events.md#a-task-of-step-functions); `true` for all of the account and region",
  },
  tracing: {
    may: "`on` or `off`",
    meaning:
      "whether runs are traced, which is `on` with `npm start` and on stage `dev`, else `off`: [what that costs](decisions/2026-11-21-traces.md)",
  },
  traceContent: {
    may: "`on` or `off`",
    meaning: "whether traces contain inputs, outputs and arguments. Errors are contained in any case",
  },
  traceRedact: {
    may: "a JSON array of regular expressions",
    meaning: "what matches one of these is `[redacted]` in traces",
  },
  otlpEndpoints: {
    may: "URLs, separated by commas",
    meaning:
      "endpoints to which spans are exported, by OTLP over HTTP, such as `https://collector.example/v1/traces`; needs `tracing`",
  },
  otlpHeadersSecret: {
    may: "a secret's name",
    meaning: 'Secrets Manager secret with headers for these, as a JSON object: `{"x-api-key": "…"}`',
  },
  whatsapp: {
    may: "a JSON object",
    meaning:
      'the component that answers on WhatsApp, and its options: `{"component": "agents/assistant", "phone_number_id": "…"}`; see [chat](chat.md). Off without it',
  },
  whatsappSecret: {
    may: "a secret's name",
    meaning: "Secrets Manager secret with the tokens of WhatsApp, a JSON object",
  },
  telegram: {
    may: "a JSON object",
    meaning:
      'the component that answers on Telegram, and its options: `{"component": "agents/assistant"}`; see [chat](chat.md). Off without it',
  },
  telegramSecret: {
    may: "a secret's name",
    meaning: "Secrets Manager secret with the tokens of Telegram, a JSON object",
  },
  slack: {
    may: "a JSON object",
    meaning:
      'the component that answers on Slack, and its options: `{"component": "agents/assistant"}`; see [chat](chat.md). Off without it',
  },
  slackSecret: {
    may: "a secret's name",
    meaning: "Secrets Manager secret with the token and the signing secret of the Slack app, a JSON object",
  },
  alarmTopicArn: { may: "an ARN", meaning: "your SNS topic, which every alarm notifies" },
  alarmEmail: {
    may: "a mail address",
    meaning:
      "address that every alarm notifies, by a topic that the deployment creates; the first mail asks for a confirmation",
  },
  console: {
    may: "`on` or `off`",
    meaning: "whether the [console](guide/console.md) is served at `/console`",
  },
  consoleIssuer: {
    may: "an https address",
    meaning:
      "identity provider at which the console signs users in (OpenID Connect); `jwtIssuers` must accept its tokens. Without it the pool of `userPool=true`, else a pasted token",
  },
  consoleClientId: {
    may: "not empty",
    meaning:
      "id of the console as a public client of `consoleIssuer`, with `<address>/console` as the callback",
  },
  consoleScope: {
    may: "scopes, separated by one blank",
    meaning: "what the console asks the identity provider for",
  },
  edge: {
    may: "`cloudfront` or `http-api`",
    meaning:
      "the entry point for clients. `http-api` leaves out CloudFront and the streaming functions: responses are buffered and take half a minute at most, see [deploying](deploy.md#without-cloudfront)",
  },
  domainName: {
    may: "a domain name",
    meaning: "domain name of the service, see [deploying](deploy.md#a-name-of-your-own)",
  },
  certificateArn: {
    may: "an ARN",
    meaning:
      "certificate for it, in Certificate Manager: of us-east-1 for CloudFront, of the deployment's region for `http-api`",
  },
  webAclArn: {
    may: "an ARN",
    meaning: "web ACL of AWS WAF before CloudFront, a global one. It costs money every hour",
  },
  customerKey: {
    may: "`true` or `false`",
    meaning:
      "encrypts tables, objects, vectors, queues and logs with a KMS key of the account's own, see [deploying](deploy.md#a-key-of-your-own). It costs money every hour",
  },
  retained: {
    may: "a JSON object",
    meaning:
      'data that an earlier deployment of the stage left, for this one to [take over](deploy.md#taking-over-what-was-kept), by the names that it has: `{"tables": {"jobs": "agent-platform-prod-data-JobsDF1CC2D4-1X2Y", …}, "objects": "…", "vectors": "…", "key": "arn:aws:kms:…"}`',
  },
  permissionsBoundary: {
    may: "an ARN",
    meaning: "managed policy that is the permissions boundary of every role of the deployment",
  },
  vpcId: {
    may: "the id of a VPC",
    meaning:
      "VPC that the functions which execute tools join, with `vpcSubnetIds`; see [deploying](deploy.md#tools-in-your-vpc). Locally it is ignored",
  },
  vpcSubnetIds: {
    may: "ids of subnets, in a list or separated by commas",
    meaning: "subnets of `vpcId` in which these functions have their network interfaces; private ones",
  },
  vpcSecurityGroupIds: {
    may: "ids of security groups, in a list or separated by commas",
    meaning:
      "security groups of these functions; without them the deployment makes one that lets everything out, and its id is the output `ToolSecurityGroupId`",
  },
  withoutIndexes: {
    may: "names of indexes, such as `runs.by_owner`, separated by commas",
    meaning:
      "indexes that this deployment leaves to a later one: DynamoDB adds one for each update of a table ([upgrading](releases.md#indexes))",
  },
  logRetentionDays: {
    may: "a number of days that CloudWatch knows: 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, …",
    meaning: "how long logs are kept",
  },
  xray: {
    may: "`on` or `off`",
    meaning:
      "whether functions send traces of their invocations to X-Ray; the first 100,000 traces of a month are free, the sweeper's among them",
  },
};

/** Defaults that are decided where the value is read, as far as `readConfig` leaves it out. */
const decidedLater: Readonly<Record<string, string>> = { adminScope: "platform:admin" };

/** Variables of `npm start` that no template ever sees. */
const localRows: readonly (readonly string[])[] = [
  ["`PORT`", "7777", "up to 65535; 0 takes any free one", "port of the platform on 127.0.0.1"],
  [
    "`DATA_DIR`",
    "`.local`",
    "a folder",
    "where state, keys and logs are kept; one platform at a time uses it",
  ],
  [
    "`OPEN_ACCESS`",
    "–",
    "`true`",
    "requests without a credential count as an admin's; this does not exist on AWS",
  ],
  ["`JWT_JWKS_FILE`", "–", "a file", "key set of a further issuer whose tokens are accepted"],
  ["`JWT_VERIFICATION_KEY`", "–", "PEM text", "public key of a further issuer whose tokens are accepted"],
  ["`LOCAL_CONCURRENCY`", "64", "whole, above 0", "threads that one function may run in"],
  [
    "`LAMBDA_CONCURRENCY`",
    "16",
    "whole, above 0",
    "invocations of a function that one thread serves at a time; 1 is Lambda as it is by default",
  ],
  ["`DYNAMODB_ENDPOINT`", "–", "a URL", "uses this DynamoDB instead of starting one"],
  [
    "`DYNAMODB_ENGINE`",
    "the first found",
    "`dynoxide` or `dynamodb-local`",
    "which DynamoDB is started on this machine",
  ],
];

/** The settings page, as Markdown. */
export function settingsDoc(): string {
  return `# Settings

\`node scripts/settings-doc.ts\` generates this page from the tables that the code reads. A test compares them.

On AWS a setting is a context value of the CDK app: \`npx cdk deploy -c max_attempts=2\`. Locally it is an environment
variable: \`MAX_ATTEMPTS=2 npm start\`. If a value is out of bounds, the deployment or the start fails and names it.

## Background runs and budgets

${markdown(["Variable", "Context value", "Default", "Bounds", "Meaning"], queueRows())}

## The instance

${markdown(["Context value", "Variable (local)", "Default", "May be", "Meaning"], contextRows())}

A deployment without a \`model\` takes the default above; \`npm start\` takes \`scripted\`.

## On this machine only

${markdown(["Variable", "Default", "May be", "Meaning"], [...localRows, ...keyRows()])}
`;
}

function queueRows(): string[][] {
  const names = Object.keys(queueSettings) as QueueSettingName[]; // keys of a constant table
  return names.map((name) => {
    const { schema, default: value, development }: QueueSetting = queueSettings[name];
    const meaning = queueSettingMeanings[name];
    const values = development === undefined ? value : `${value}; ${development} locally and on \`dev\``;
    return [`\`${name}\``, `\`${name.toLowerCase()}\``, values, boundsOf(schema), meaning];
  });
}

type Bound = { readonly type: string; readonly requirement?: unknown };

/** Reads the bounds out of a setting's schema; whether parts of one are taken is asked of the schema itself. */
function boundsOf(schema: v.GenericSchema): string {
  const bounds: readonly Bound[] = "pipe" in schema && Array.isArray(schema.pipe) ? schema.pipe : [];
  const bound = (type: string) => Number(bounds.find((one) => one.type === type)?.requirement);
  const [min, max] = [bound("min_value"), bound("max_value")];
  const isWhole = !v.safeParse(schema, String(min + 0.5)).success;
  const upTo = max === Number.MAX_SAFE_INTEGER ? "" : ` to ${max}`;
  return `${isWhole ? "whole, " : ""}from ${min}${upTo}`;
}

/** Every name that the app's configuration asks for, besides the queue's settings. */
function contextRows(): string[][] {
  const asked: string[] = [];
  const config: Readonly<Record<string, unknown>> = readConfig((name) => {
    asked.push(name);
    return undefined;
  });
  const settings = new Set(Object.keys(queueSettings).map((name) => name.toLowerCase()));
  return asked
    .filter((name) => !settings.has(name))
    .map((name) => {
      const words = contextWords[name];
      if (!words) throw new Error(`scripts/settings-doc.ts says nothing about the context value ${name}`);
      const value = config[name] ?? decidedLater[name];
      const variable = variables().get(name);
      return [
        `\`${name}\``,
        variable ? `\`${variable}\`` : "–",
        value === undefined ? "–" : `\`${value}\``,
        words.may,
        words.meaning,
      ];
    });
}

/** Gives every variable its own name as its value, and so shows which context value it becomes. */
const namesAsValues: Readonly<Record<string, string>> = new Proxy({}, { get: (_, name) => String(name) });

/** The variable that `npm start` passes on, by the name of its context value. */
function variables(): Map<string, string> {
  const issuer = { jwks: { keys: [] }, algorithms: ["RS256"] as const };
  const noIdentity = { issuer, publicParts: [], token: () => "" };
  const own = new Set(["stage", "jwtIssuers"]);
  // A file of keys is read at once, so these two have no name for a value.
  const named = new Proxy(namesAsValues, {
    get: (_, name) => (/^JWT_/.test(String(name)) ? "" : String(name)),
  });
  const passed = Object.entries(appContext(noIdentity, named));
  return new Map(passed.filter(([name]) => !own.has(name)));
}

function keyRows(): string[][] {
  const chats = Object.keys(chatKeys(namesAsValues)).map((name) => [
    `\`${name}\``,
    "–",
    "a secret",
    "of a chat platform, see [chat](chat.md); no file and no template ever holds it",
  ]);
  const models = Object.keys(modelKeys(namesAsValues)).map((name) => {
    const whose =
      name === "MODEL_API_KEY"
        ? "the provider of `MODEL`, where its own variable is not set"
        : "its provider";
    return [`\`${name}\``, "–", "a key", `key for ${whose}; no file and no template ever holds it`];
  });
  const cards = Object.keys(cardKeys(namesAsValues)).map((name) => [
    `\`${name}\``,
    "–",
    "a key",
    "signs agent cards, see [signed cards](a2a.md#signed-cards); needs `PUBLIC_URL`; no file and no template ever holds it",
  ]);
  return [...models, ...chats, ...cards];
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

if (import.meta.main) writeFileSync(settingsDocFile, settingsDoc());
