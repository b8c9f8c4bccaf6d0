import * as v from "valibot";
import type { VectorStoreName } from "../../shared/runtime/knowledge-settings.ts";
import { type QueueSettingName, queueSettings } from "../../shared/runtime/settings.ts";
import { Context } from "./context.ts";
import type { LogRetention } from "./log-retention.ts";

/** What a deployment is told by the context of the CDK app. */
export type AppConfig = {
  readonly stage: string;
  /** Data may be thrown away together with the stack. */
  readonly disposable: boolean;
  readonly osId: string;
  readonly model: string;
  readonly modelBaseUrl: string | undefined;
  /** Name of the Secrets Manager secret that holds the key of the model's provider. */
  readonly modelApiKeySecret: string | undefined;
  /** JSON: dollars for a million tokens, by model specification. */
  readonly modelPrices: string | undefined;
  readonly judgeModel: string | undefined;
  /** JSON array, as the authorizer reads it. */
  readonly jwtIssuers: string;
  readonly adminScope: string | undefined;
  /** JSON object, as the authorizer reads it. */
  readonly scopeMappings: string;
  readonly serviceAccountCacheSeconds: string;
  /** Of one principal; "0" sets no limit. */
  readonly requestsPerMinute: string;
  /** Of all callers together, at the gateway. */
  readonly requestsPerSecond: number;
  readonly requestBurst: number;
  /** Whether the deployment brings its own users. */
  readonly userPool: "true" | "false";
  /** Separated by commas. */
  readonly corsAllowedOrigins: string | undefined;
  readonly queueEnabled: "true" | "false";
  /** Whether other agents may reach what is hosted, and below which path. */
  readonly a2a: "true" | "false";
  readonly a2aPrefix: `/${string}`;
  /** Address of the service as its clients know it. */
  readonly publicUrl: string | undefined;
  /** JSON array, as functions read it. */
  readonly knowledgeBases: string;
  readonly vectorStore: VectorStoreName;
  /** What turns texts into vectors. */
  readonly embedder: string;
  readonly embedderBaseUrl: string | undefined;
  readonly embedderApiKeySecret: string | undefined;
  /** Separated by commas. */
  readonly fetchAllowedHosts: string | undefined;
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
  /** Names of the Secrets Manager secrets that hold what the platforms and we know of each other. */
  readonly whatsappSecret: string | undefined;
  readonly telegramSecret: string | undefined;
  /** SNS topic that alarms tell. */
  readonly alarmTopicArn: string | undefined;
  /** Mail address that alarms tell, by a topic of the deployment's own. */
  readonly alarmEmail: string | undefined;
  /** What clients talk to: the HTTP API behind CloudFront, beside the doors that stream; or that API alone. */
  readonly edge: "cloudfront" | "http-api";
  /** Name that clients know the service by, and the certificate for it. */
  readonly domainName: string | undefined;
  readonly certificateArn: string | undefined;
  /** Firewall of CloudFront. */
  readonly webAclArn: string | undefined;
  /** Whether what is stored, queued and logged is encrypted with a key of the account's own. */
  readonly customerKey: "true" | "false";
  /** Managed policy that no role of the deployment may exceed. */
  readonly permissionsBoundary: string | undefined;
  readonly logRetentionDays: LogRetention;
  /** Whether functions tell X-Ray of their invocations. */
  readonly xray: "on" | "off";
  readonly settings: Readonly<Record<QueueSettingName, string>>;
};

/** Claude by its global inference profile: one id that works in every region where Bedrock has it. */
const DEFAULT_MODEL = "amazon-bedrock:global.anthropic.claude-sonnet-4-5-20250929-v1:0";

/** A model that every region with Bedrock has, and that takes long texts. */
const DEFAULT_EMBEDDER = "amazon-bedrock:amazon.titan-embed-text-v2:0";

/**
 * Reads and checks the configuration.
 *
 * @param contextOf  the context value of a name; undefined when it is not given
 * @throws Error naming every value that is missing or malformed, and what it must be
 */
export function readConfig(contextOf: (name: string) => unknown): AppConfig {
  const given = Object.fromEntries(Object.keys(Context.entries).map((name) => [name, contextOf(name)]));
  const parsed = v.safeParse(Context, given);
  const settings = readSettings(contextOf);
  const faults = [
    ...(parsed.issues ?? []).map((issue) => `${v.getDotPath(issue)}: ${issue.message}`),
    ...settings.faults,
    ...(parsed.success ? contradictions(parsed.output) : []),
  ];
  if (!parsed.success || faults.length > 0) {
    throw new Error(`the configuration is not usable: ${faults.join("; ")}`);
  }
  const { model, vectorStore, embedder, a2a, publicUrl, ...rest } = parsed.output;
  const { stage, domainName } = rest;
  return {
    modelBaseUrl: undefined,
    modelApiKeySecret: undefined,
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
    embedderBaseUrl: undefined,
    embedderApiKeySecret: undefined,
    fetchAllowedHosts: undefined,
    otlpEndpoints: undefined,
    otlpHeadersSecret: undefined,
    whatsapp: undefined,
    whatsappSecret: undefined,
    telegram: undefined,
    telegramSecret: undefined,
    ...rest,
    publicUrl: publicUrl ?? (domainName && `https://${domainName}`),
    a2a: a2a ?? (stage === "local" ? "true" : "false"),
    vectorStore: vectorStore ?? (stage === "local" ? "dynamodb" : "s3-vectors"),
    embedder: embedder ?? (stage === "local" ? "local" : DEFAULT_EMBEDDER),
    model: model ?? (stage === "local" ? "scripted" : DEFAULT_MODEL),
    disposable: stage === "local" || stage === "dev",
    settings: settings.values,
  };
}

type Given = v.InferOutput<typeof Context>;

/** Values that are fine alone and make no sense together. */
const contradictory: readonly (readonly [(given: Given) => boolean, string])[] = [
  [
    ({ model, modelBaseUrl }) =>
      Boolean(model?.startsWith("openai-compatible:")) && modelBaseUrl === undefined,
    "modelBaseUrl: openai-compatible needs the address of its service",
  ],
  [
    ({ domainName, certificateArn }) => (domainName === undefined) !== (certificateArn === undefined),
    "domainName and certificateArn: one needs the other",
  ],
  [
    ({ edge, certificateArn }) =>
      edge === "cloudfront" && certificateArn !== undefined && !certificateArn.includes(":us-east-1:"),
    "certificateArn: CloudFront takes certificates of us-east-1 only",
  ],
  [
    ({ edge, webAclArn }) =>
      webAclArn !== undefined && (edge !== "cloudfront" || !webAclArn.includes(":global/")),
    "webAclArn: a firewall stands before CloudFront alone, and its web ACL is a global one of us-east-1",
  ],
];

const contradictions = (given: Given): string[] =>
  contradictory.filter(([holds]) => holds(given)).map(([, text]) => text);

/** Queue settings are context values in lower case; each is checked by the schema its function reads it with. */
function readSettings(contextOf: (name: string) => unknown) {
  const faults: string[] = [];
  const read = (name: QueueSettingName): string => {
    const value = String(contextOf(name.toLowerCase()) ?? queueSettings[name].default);
    const checked = v.safeParse(queueSettings[name].schema, value);
    if (!checked.success) faults.push(`${name.toLowerCase()}: ${checked.issues[0].message}`);
    return value;
  };
  const names = Object.keys(queueSettings) as QueueSettingName[]; // keys of a constant table
  const values = Object.fromEntries(names.map((name) => [name, read(name)]));
  return { values: values as Record<QueueSettingName, string>, faults }; // one entry for each of its keys
}
