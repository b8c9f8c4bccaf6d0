import * as v from "valibot";
import { readScopeMappings } from "../../shared/auth/scopes/scope-mappings.ts";
import { parseModelSpec } from "../../shared/engine/model/model-spec.ts";
import { type ProviderSettings, readProviderSettings } from "../../shared/engine/model/provider-settings.ts";
import { mappableAccess } from "../../shared/routes/served-access.ts";
import type { VectorStoreName } from "../../shared/runtime/knowledge-settings.ts";
import type { RegistryManifest } from "../../shared/runtime/registry-manifest.ts";
import { type QueueSetting, type QueueSettingName, queueSettings } from "../../shared/runtime/settings.ts";
import { misspelledName, nearestName } from "../../shared/schemas/values/nearest-name.ts";
import { ConfigError } from "./config-error.ts";
import { Context } from "./context.ts";
import type { LogRetention } from "./log-retention.ts";
import { missingKeys } from "./missing-keys.ts";
import type { Retained } from "./retained.ts";
import { toolSecretProblems } from "./tool-secret-problems.ts";
import type { ToolVpc } from "./tool-vpc.ts";

/** Configuration of a deployment, from the context of the CDK app. */
export type AppConfig = {
  readonly stage: string;
  /** Data may be deleted together with the stack. */
  readonly disposable: boolean;
  readonly osId: string;
  readonly model: string;
  readonly modelBaseUrl: string | undefined;
  /** Name of the Secrets Manager secret that holds the key of the model's provider. */
  readonly modelApiKeySecret: string | undefined;
  /** JSON: address, secret and models of further providers; see `readProviderSettings`. */
  readonly modelProviders: string | undefined;
  /** JSON: dollars for a million tokens, by model specification. */
  readonly modelPrices: string | undefined;
  readonly judgeModel: string | undefined;
  /** The tools that need secrets or permissions, as the registry declares them. */
  readonly toolNeeds: ToolNeeds;
  /** JSON object, as functions read it: where the secrets of tools are. */
  readonly toolSecrets: string;
  /** JSON array, as the authorizer reads it. */
  readonly jwtIssuers: string;
  readonly adminScope: string | undefined;
  /** JSON object, as the authorizer reads it. */
  readonly scopeMappings: string;
  readonly approvers: "admins" | "scope";
  readonly serviceAccountCacheSeconds: string;
  /** Limit for one principal; "0" sets none. */
  readonly requestsPerMinute: string;
  /** Limit for all callers together, at the gateway. */
  readonly requestsPerSecond: number;
  readonly requestBurst: number;
  /** Most invocations at a time of each streaming function; 0 sets no limit. */
  readonly streamConcurrency: number;
  /** Whether the deployment has its own user pool. */
  readonly userPool: "true" | "false";
  /** Separated by commas. */
  readonly corsAllowedOrigins: string | undefined;
  readonly queueEnabled: "true" | "false";
  /** Policy of background runs that name none. */
  readonly sessionPolicy: "queue" | "parallel";
  /** Whether other agents may call the hosted components by A2A, and below which path. */
  readonly a2a: "true" | "false";
  readonly a2aPrefix: `/${string}`;
  /** Whether front ends may run the hosted components by AG-UI, and which one answers where none is named. */
  readonly agui: "true" | "false";
  readonly aguiComponent?: string | undefined;
  /** Whether there is an MCP server, and which components are tools of their own there. */
  readonly mcp: "true" | "false";
  readonly mcpTools?: string | undefined;
  /** The component whose card everybody may read at the root of the service, such as `agents/assistant`. */
  readonly a2aHostAgent: string | undefined;
  /** Secret with the key that signs agent cards. */
  readonly a2aCardKeySecret: string | undefined;
  /** Address at which clients reach the service. */
  readonly publicUrl: string | undefined;
  /** JSON array, as functions read it. */
  readonly knowledgeBases: string;
  readonly vectorStore: VectorStoreName;
  /** Whether the configuration names the store, and does not take the default. */
  readonly isVectorStoreChosen: boolean;
  /** Specification of the embedder. */
  readonly embedder: string;
  readonly embedderBaseUrl: string | undefined;
  readonly embedderApiKeySecret: string | undefined;
  /** Separated by commas. */
  readonly fetchAllowedHosts: string | undefined;
  /** Whether receivers are told how runs end. */
  readonly webhooks: "on" | "off";
  /** Receiver of the ends of background runs that name none. */
  readonly callbackUrl: string | undefined;
  /** Name of the event bus of the account that hears of every change. */
  readonly eventBus: string | undefined;
  /** Whether its events carry what runs have answered. */
  readonly eventBusContents: "true" | "false";
  /** Names of the state machines whose tasks runs may end, `*` for all of the account; empty where none may. */
  readonly taskTokens: readonly string[];
  readonly tracing: "on" | "off";
  readonly traceContent: "on" | "off";
  /** JSON array of regular expressions. */
  readonly traceRedact: string;
  /** Separated by commas. */
  readonly otlpEndpoints: string | undefined;
  readonly otlpHeadersSecret: string | undefined;
  /** JSON objects, as functions read them; undefined where the interface is off. */
  readonly whatsapp: string | undefined;
  readonly telegram: string | undefined;
  readonly slack: string | undefined;
  /** Names of the Secrets Manager secrets that the chat platforms and we share. */
  readonly whatsappSecret: string | undefined;
  readonly telegramSecret: string | undefined;
  readonly slackSecret: string | undefined;
  /** SNS topic that alarms notify. */
  readonly alarmTopicArn: string | undefined;
  /** Mail address that alarms notify, by a topic of the deployment's own. */
  readonly alarmEmail: string | undefined;
  /** Whether the page for operators is served. */
  readonly console: "on" | "off";
  /** Identity provider at which the page signs users in, the page's id there, and what it asks for. */
  readonly consoleIssuer: string | undefined;
  readonly consoleClientId: string | undefined;
  readonly consoleScope: string;
  /** Entry point of clients: CloudFront before the HTTP API and the streaming functions, or the HTTP API alone. */
  readonly edge: "cloudfront" | "http-api";
  /** Domain name at which clients reach the service, and its certificate. */
  readonly domainName: string | undefined;
  readonly certificateArn: string | undefined;
  /** Web ACL of CloudFront. */
  readonly webAclArn: string | undefined;
  /** Whether stored, queued and logged data is encrypted with a key of the account's own. */
  readonly customerKey: "true" | "false";
  /** Managed policy that no role of the deployment may exceed. */
  readonly permissionsBoundary: string | undefined;
  /** What an earlier deployment left and this one takes over. */
  readonly retained: Retained;
  /** Network of the account's own for the functions that execute tools: as it was given to the construct, or by its ids. */
  readonly vpc?: ToolVpc | undefined;
  readonly vpcId: string | undefined;
  readonly vpcSubnetIds: readonly string[] | undefined;
  readonly vpcSecurityGroupIds: readonly string[] | undefined;
  /** Indexes that are left to a later deployment, such as `runs.by_owner`. */
  readonly withoutIndexes?: ReadonlySet<string> | undefined;
  readonly logRetentionDays: LogRetention;
  /** Whether functions send traces of their invocations to X-Ray. */
  readonly xray: "on" | "off";
  readonly settings: Readonly<Record<QueueSettingName, string>>;
};

type ToolNeeds = RegistryManifest["needs"];

/** Claude by its global inference profile: one id for every region where Bedrock offers it. */
const DEFAULT_MODEL = "amazon-bedrock:global.anthropic.claude-sonnet-4-5-20250929-v1:0";

/** A model that every region with Bedrock offers, and that accepts long texts. */
const DEFAULT_EMBEDDER = "amazon-bedrock:amazon.titan-embed-text-v2:0";

/**
 * Reads and checks the configuration.
 *
 * @param contextOf  the context value of a name; undefined when it is not set
 * @param given      names of all values that are set, also of those that nobody reads
 * @param toolNeeds  what the tools of the registry need
 * @throws ConfigError naming every value that is missing or malformed, and what it must be
 */
export function readConfig(
  contextOf: (name: string) => unknown,
  given: readonly string[] = [],
  toolNeeds: ToolNeeds = [],
): AppConfig {
  const values = Object.fromEntries(Object.keys(Context.entries).map((name) => [name, contextOf(name)]));
  const parsed = v.safeParse(Context, values);
  const settings = readSettings(contextOf, parsed.success && isDevelopmentStage(parsed.output.stage));
  const problems = [
    ...unknownNames(given),
    ...(parsed.issues ?? []).map((issue) => `${v.getDotPath(issue)}: ${issue.message}`),
    ...settings.problems,
    ...(parsed.success
      ? [...problemsOf(parsed.output), ...toolSecretProblems(parsed.output, toolNeeds)]
      : []),
  ];
  if (!parsed.success || problems.length > 0) {
    throw new ConfigError(`the configuration is not usable: ${problems.join("; ")}`);
  }
  const { model, vectorStore, embedder, a2a, agui, mcp, publicUrl, tracing, webhooks, ...rest } =
    parsed.output;
  const { stage, domainName } = rest;
  const isDevelopment = isDevelopmentStage(stage);
  return {
    modelBaseUrl: undefined,
    modelApiKeySecret: undefined,
    modelProviders: undefined,
    modelPrices: undefined,
    judgeModel: undefined,
    adminScope: undefined,
    corsAllowedOrigins: undefined,
    alarmTopicArn: undefined,
    alarmEmail: undefined,
    domainName: undefined,
    certificateArn: undefined,
    webAclArn: undefined,
    permissionsBoundary: undefined,
    vpcId: undefined,
    vpcSubnetIds: undefined,
    vpcSecurityGroupIds: undefined,
    embedderBaseUrl: undefined,
    embedderApiKeySecret: undefined,
    fetchAllowedHosts: undefined,
    callbackUrl: undefined,
    eventBus: undefined,
    otlpEndpoints: undefined,
    otlpHeadersSecret: undefined,
    whatsapp: undefined,
    whatsappSecret: undefined,
    telegram: undefined,
    telegramSecret: undefined,
    slack: undefined,
    slackSecret: undefined,
    a2aHostAgent: undefined,
    a2aCardKeySecret: undefined,
    consoleIssuer: undefined,
    consoleClientId: undefined,
    ...rest,
    toolNeeds,
    publicUrl: publicUrl ?? (domainName && `https://${domainName}`),
    a2a: a2a ?? (stage === "local" ? "true" : "false"),
    agui: agui ?? (stage === "local" ? "true" : "false"),
    mcp: mcp ?? (stage === "local" ? "true" : "false"),
    isVectorStoreChosen: vectorStore !== undefined,
    vectorStore: vectorStore ?? (stage === "local" ? "dynamodb" : "s3-vectors"),
    embedder: embedder ?? (stage === "local" ? "none" : DEFAULT_EMBEDDER),
    model: model ?? (stage === "local" ? "scripted" : DEFAULT_MODEL),
    // Whoever develops looks at traces; in production each stored span is paid for.
    tracing: tracing ?? (isDevelopment ? "on" : "off"),
    webhooks: webhooks ?? (isDevelopment ? "on" : "off"),
    disposable: isDevelopment,
    settings: settings.values,
  };
}

const problemsOf = (context: ContextValues): string[] => [
  ...contradictions(context),
  ...mappingProblems(context),
  // `npm start` has the keys in its environment, and checks them there.
  ...(context.stage === "local" ? [] : keyProblems(context)),
];

const keyProblems = ({ model = DEFAULT_MODEL, modelProviders, ...context }: ContextValues): string[] =>
  missingKeys({ ...context, model, modelProviders: providersIn(modelProviders) });

const isDevelopmentStage = (stage: string): boolean => stage === "local" || stage === "dev";

/** Values that no operator sets have a colon, an `@` or a slash: flags of the CDK, its look-ups, and how this app is built. */
const INTERNAL = /[:@/]/;

const known: readonly string[] = [
  ...Object.keys(Context.entries),
  ...Object.keys(queueSettings).map((name) => name.toLowerCase()),
];

/**
 * What to tell about context values of an app that has others besides: those that look like settings and are none.
 *
 * @param names  of all values in the context
 */
export function misspelledSettings(names: readonly string[]): string[] {
  const plain = (name: string): string => name.replaceAll("_", "").toLowerCase();
  return names.flatMap((name) => {
    if (INTERNAL.test(name) || known.includes(name)) return [];
    const meant = known.find((one) => plain(one) === plain(name)) ?? misspelledName(name, known);
    return meant === undefined ? [] : [`${name} is no setting and changes nothing; did you mean ${meant}?`];
  });
}

/** Context values that nobody would read: a misspelled one must not leave its setting at the default silently. */
function unknownNames(given: readonly string[]): string[] {
  return given
    .filter((name) => !INTERNAL.test(name) && !known.includes(name))
    .map((name) => `${name} is no setting; did you mean ${nearestName(name, known)}?`);
}

type ContextValues = v.InferOutput<typeof Context>;

/** Combinations of values that contradict each other, with their messages. */
const contradictory: readonly (readonly [(context: ContextValues) => boolean, string])[] = [
  [
    ({ model, modelBaseUrl, modelProviders }) =>
      Boolean(model?.startsWith("openai-compatible:")) &&
      modelBaseUrl === undefined &&
      providersIn(modelProviders)["openai-compatible"]?.baseUrl === undefined,
    "modelBaseUrl: openai-compatible needs the address of its service",
  ],
  [
    ({ model, modelBaseUrl, modelApiKeySecret, modelProviders }) =>
      (modelBaseUrl !== undefined || modelApiKeySecret !== undefined) &&
      Object.hasOwn(providersIn(modelProviders), parseModelSpec(model ?? DEFAULT_MODEL)?.provider ?? ""),
    "modelProviders: it names the provider of model, whose address and secret are also in modelBaseUrl or modelApiKeySecret; give them once",
  ],
  [
    ({ callbackUrl, webhooks, stage }) =>
      callbackUrl !== undefined && (webhooks ?? (isDevelopmentStage(stage) ? "on" : "off")) === "off",
    "callbackUrl: it needs webhooks=on",
  ],
  [
    // A card names the host that the client asked for then, and our signature would vouch for any.
    ({ a2aCardKeySecret, publicUrl, domainName }) =>
      a2aCardKeySecret !== undefined && publicUrl === undefined && domainName === undefined,
    "a2aCardKeySecret: it needs publicUrl, or domainName: what a signed card names must be configured",
  ],
  [
    ({ eventBus, eventBusContents }) => eventBusContents === "true" && eventBus === undefined,
    "eventBusContents: it needs eventBus",
  ],
  [
    ({ domainName, certificateArn }) => (domainName === undefined) !== (certificateArn === undefined),
    "domainName and certificateArn: one needs the other",
  ],
  [
    ({ vpcId, vpcSubnetIds }) => (vpcId === undefined) !== (vpcSubnetIds === undefined),
    "vpcId and vpcSubnetIds: one needs the other",
  ],
  [
    ({ vpcId, vpcSecurityGroupIds }) => vpcSecurityGroupIds !== undefined && vpcId === undefined,
    "vpcSecurityGroupIds: they need vpcId and vpcSubnetIds",
  ],
  [
    ({ consoleIssuer, consoleClientId }) => (consoleIssuer === undefined) !== (consoleClientId === undefined),
    "consoleIssuer and consoleClientId: one needs the other",
  ],
  [
    // The stage is part of the name of the page at which Cognito signs users in.
    ({ stage, userPool, console, consoleIssuer }) =>
      userPool === "true" &&
      console === "on" &&
      consoleIssuer === undefined &&
      /aws|amazon|cognito/.test(stage),
    "stage: with userPool=true and the console it must not contain aws, amazon or cognito, which Cognito keeps for itself",
  ],
  [
    ({ edge, certificateArn }) =>
      edge === "cloudfront" && certificateArn !== undefined && !certificateArn.includes(":us-east-1:"),
    "certificateArn: CloudFront takes certificates of us-east-1 only",
  ],
  [
    ({ stage, retained }) =>
      isDevelopmentStage(stage) &&
      Object.keys(retained).some((name) => name !== "tables" || Object.keys(retained.tables).length > 0),
    "retained: the data of this stage goes with its stack; give what was kept to another stage",
  ],
  [
    ({ retained, customerKey }) => retained.key !== undefined && customerKey === "false",
    "retained: its key is used with customerKey=true",
  ],
  [
    ({ edge, webAclArn }) =>
      webAclArn !== undefined && (edge !== "cloudfront" || !webAclArn.includes(":global/")),
    "webAclArn: a firewall stands before CloudFront alone, and its web ACL is a global one of us-east-1",
  ],
];

const contradictions = (context: ContextValues): string[] =>
  contradictory.filter(([applies]) => applies(context)).map(([, text]) => text);

const providersIn = (text: string | undefined): ProviderSettings => readProviderSettings(text ?? "{}");
/** Mappings depend on the prefix of A2A too: only with it are the routes known that they may name. */
function mappingProblems({ scopeMappings, a2aPrefix }: ContextValues): string[] {
  const read = readScopeMappings(scopeMappings, mappableAccess({ A2A_PREFIX: a2aPrefix }));
  return "problems" in read ? read.problems.map((problem) => `scopeMappings: ${problem}`) : [];
}

/**
 * Queue settings are context values in lower case; each is validated by the schema with which its function reads it.
 * Those that are not set and depend on others follow from them.
 */
function readSettings(contextOf: (name: string) => unknown, isDevelopment: boolean) {
  const problems: string[] = [];
  const given = (name: QueueSettingName): unknown => contextOf(name.toLowerCase());
  const read = (name: QueueSettingName): string => {
    const setting: QueueSetting = queueSettings[name];
    const unset = (isDevelopment ? setting.development : undefined) ?? setting.default;
    const value = String(given(name) ?? unset);
    const checked = v.safeParse(setting.schema, value);
    if (!checked.success) problems.push(`${name.toLowerCase()}: ${checked.issues[0].message}`);
    return value;
  };
  const names = Object.keys(queueSettings) as QueueSettingName[]; // keys of a constant table
  const values = Object.fromEntries(names.map((name) => [name, read(name)])) as Record<
    QueueSettingName,
    string
  >; // one entry for each
  const derived = names.flatMap((name) => {
    const setting: QueueSetting = queueSettings[name];
    const isOpen = (given(name) ?? "") === "" && setting.derived !== undefined && problems.length === 0;
    return isOpen && setting.derived ? [[name, String(setting.derived(values))] as const] : [];
  });
  return { values: { ...values, ...Object.fromEntries(derived) }, problems };
}

/** Whether anybody can be told of anything: then the outbox is used, and its worker. */
export const tellsOfEvents = ({
  webhooks,
  eventBus,
  taskTokens,
}: Pick<AppConfig, "webhooks" | "eventBus" | "taskTokens">): boolean =>
  webhooks === "on" || eventBus !== undefined || taskTokens.length > 0;
