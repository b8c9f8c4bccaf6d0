import { readFileSync } from "node:fs";
import * as v from "valibot";
import { parseScopeMappings } from "../shared/auth/scope-mappings.ts";
import { readPrices } from "../shared/engine/model-price.ts";
import { parseModelSpec } from "../shared/engine/model-spec.ts";
import { A2A_PREFIX } from "../shared/routes/a2a.ts";
import { families } from "../shared/routes/index.ts";
import type { RouteTable } from "../shared/routes/route.ts";
import { TelegramText, WhatsappText } from "../shared/runtime/chat-settings.ts";
import {
  DEFAULT_BASES,
  KnowledgeBasesText,
  parseEmbedderSpec,
  type VectorStoreName,
  vectorStores,
} from "../shared/runtime/knowledge-settings.ts";
import { SecretName } from "../shared/runtime/secret-name.ts";
import { type QueueSettingName, queueSettings } from "../shared/runtime/settings.ts";
import { AddressesText, PatternsText } from "../shared/runtime/tracing-settings.ts";

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
  readonly settings: Readonly<Record<QueueSettingName, string>>;
};

/** Claude by its global inference profile: one id that works in every region where Bedrock has it. */
const DEFAULT_MODEL = "amazon-bedrock:global.anthropic.claude-sonnet-4-5-20250929-v1:0";

/** A model that every region with Bedrock has, and that takes long texts. */
const DEFAULT_EMBEDDER = "amazon-bedrock:amazon.titan-embed-text-v2:0";

const text = v.pipe(
  v.union([v.string(), v.number(), v.boolean()], "must be a plain value"),
  v.transform(String),
);
const wholeNumber = (min: number, max: number) =>
  v.pipe(
    text,
    v.check(
      (given) => /^\d+$/.test(given) && Number(given) >= min && Number(given) <= max,
      `must be a whole number from ${min} to ${max}`,
    ),
  );
const list = (separator: (items: unknown[]) => string) =>
  v.union([v.string(), v.pipe(v.array(v.unknown()), v.transform(separator))]);
const jsonObject = v.union([
  v.string(),
  v.pipe(
    v.record(v.string(), v.unknown()),
    v.transform((value) => JSON.stringify(value)),
  ),
]);

const chatInterface = (settings: typeof WhatsappText | typeof TelegramText) =>
  v.optional(
    v.pipe(
      jsonObject,
      v.rawCheck(({ dataset, addIssue }) => {
        if (!dataset.typed) return;
        const parsed = v.safeParse(settings, dataset.value);
        if (!parsed.success) addIssue({ message: parsed.issues[0].message });
      }),
    ),
  );

const Context = v.object({
  stage: v.optional(
    v.pipe(text, v.regex(/^[a-z][a-z0-9-]{0,19}$/, "must be a short lower-case name")),
    "dev",
  ),
  osId: v.optional(v.pipe(text, v.nonEmpty("must not be empty")), "agent-platform"),
  model: v.optional(
    v.pipe(
      text,
      v.check(
        (spec) => parseModelSpec(spec) !== undefined,
        "must be scripted, or <provider>:<id> with amazon-bedrock, openai, anthropic or openai-compatible",
      ),
    ),
  ),
  judgeModel: v.optional(
    v.pipe(
      text,
      v.check((spec) => parseModelSpec(spec) !== undefined, "must be scripted, or <provider>:<id>"),
    ),
  ),
  modelBaseUrl: v.optional(v.pipe(text, v.url("must be a URL"))),
  modelApiKeySecret: v.optional(SecretName),
  modelPrices: v.optional(
    v.pipe(
      jsonObject,
      v.check((prices) => arePrices(prices), "must be a JSON object of prices by model"),
    ),
  ),
  jwtIssuers: v.optional(
    v.pipe(
      list((issuers) => JSON.stringify(issuers)),
      v.check((issuers) => isJsonArray(issuers), "must be a JSON array of issuers"),
      v.rawTransform(({ dataset, addIssue, NEVER }) => {
        try {
          return withKeySets(dataset.value);
        } catch (error) {
          addIssue({ message: String(error) });
          return NEVER;
        }
      }),
    ),
    "[]",
  ),
  adminScope: v.optional(text),
  scopeMappings: v.optional(
    v.pipe(
      v.union([
        v.string(),
        v.pipe(
          v.looseObject({}),
          v.transform((map) => JSON.stringify(map)),
        ),
      ]),
      v.check(isScopeMappings, 'must be a JSON object of "METHOD /path" to lists of scopes'),
    ),
    "{}",
  ),
  serviceAccountCacheSeconds: v.optional(wholeNumber(0, 300), "30"),
  requestsPerMinute: v.optional(wholeNumber(0, 1_000_000), "0"),
  requestsPerSecond: v.optional(v.pipe(wholeNumber(1, 10_000), v.transform(Number)), "1000"),
  requestBurst: v.optional(v.pipe(wholeNumber(1, 5_000), v.transform(Number)), "2000"),
  userPool: v.optional(v.pipe(text, v.picklist(["true", "false"], "must be true or false")), "false"),
  corsAllowedOrigins: v.optional(list((origins) => origins.join(","))),
  queueEnabled: v.optional(v.pipe(text, v.picklist(["true", "false"], "must be true or false")), "true"),
  a2a: v.optional(v.pipe(text, v.picklist(["true", "false"], "must be true or false"))),
  a2aPrefix: v.optional(
    v.pipe(
      text,
      v.check((path) => isOwnPrefix(path), "must be a path such as /a2a that nothing else is served below"),
      v.transform((path) => path as `/${string}`), // as checked
    ),
    A2A_PREFIX,
  ),
  publicUrl: v.optional(v.pipe(text, v.regex(/^https?:\/\/[^/?#]+$/, "must be an address without a path"))),
  knowledgeBases: v.optional(
    v.pipe(
      list((bases) => JSON.stringify(bases)),
      v.rawCheck(({ dataset, addIssue }) => {
        if (!dataset.typed) return;
        const parsed = v.safeParse(KnowledgeBasesText, dataset.value);
        if (!parsed.success) addIssue({ message: parsed.issues[0].message });
      }),
    ),
    DEFAULT_BASES,
  ),
  vectorStore: v.optional(v.pipe(text, v.picklist(vectorStores, "must be dynamodb or s3-vectors"))),
  embedder: v.optional(
    v.pipe(
      text,
      v.check(
        (spec) => parseEmbedderSpec(spec) !== undefined,
        "must be local, or <provider>:<id> with amazon-bedrock, openai or openai-compatible",
      ),
    ),
  ),
  embedderBaseUrl: v.optional(v.pipe(text, v.url("must be a URL"))),
  embedderApiKeySecret: v.optional(SecretName),
  fetchAllowedHosts: v.optional(list((hosts) => hosts.join(","))),
  tracing: v.optional(v.pipe(text, v.picklist(["on", "off"], "must be on or off")), "off"),
  traceContent: v.optional(v.pipe(text, v.picklist(["on", "off"], "must be on or off")), "on"),
  traceRedact: v.optional(
    v.pipe(
      list((patterns) => JSON.stringify(patterns)),
      v.check((patterns) => v.is(PatternsText, patterns), "must be a JSON array of regular expressions"),
    ),
    "[]",
  ),
  otlpEndpoints: v.optional(
    v.pipe(
      list((addresses) => addresses.join(",")),
      v.check((addresses) => v.is(AddressesText, addresses), "must be URLs, separated by commas"),
    ),
  ),
  otlpHeadersSecret: v.optional(SecretName),
  whatsapp: chatInterface(WhatsappText),
  whatsappSecret: v.optional(SecretName),
  telegram: chatInterface(TelegramText),
  telegramSecret: v.optional(SecretName),
  alarmTopicArn: v.optional(v.pipe(text, v.startsWith("arn:", "must be an ARN"))),
});

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
  const { model, vectorStore, embedder, a2a, ...rest } = parsed.output;
  const { stage } = rest;
  return {
    modelBaseUrl: undefined,
    modelApiKeySecret: undefined,
    modelPrices: undefined,
    judgeModel: undefined,
    adminScope: undefined,
    corsAllowedOrigins: undefined,
    alarmTopicArn: undefined,
    embedderBaseUrl: undefined,
    embedderApiKeySecret: undefined,
    fetchAllowedHosts: undefined,
    otlpEndpoints: undefined,
    otlpHeadersSecret: undefined,
    publicUrl: undefined,
    whatsapp: undefined,
    whatsappSecret: undefined,
    telegram: undefined,
    telegramSecret: undefined,
    ...rest,
    a2a: a2a ?? (stage === "local" ? "true" : "false"),
    vectorStore: vectorStore ?? (stage === "local" ? "dynamodb" : "s3-vectors"),
    embedder: embedder ?? (stage === "local" ? "local" : DEFAULT_EMBEDDER),
    model: model ?? (stage === "local" ? "scripted" : DEFAULT_MODEL),
    disposable: stage === "local" || stage === "dev",
    settings: settings.values,
  };
}

/** Values that are fine alone and make no sense together. */
function contradictions({ model, modelBaseUrl }: v.InferOutput<typeof Context>): string[] {
  const needsAddress = model?.startsWith("openai-compatible:") && modelBaseUrl === undefined;
  return needsAddress ? ["modelBaseUrl: openai-compatible needs the address of its service"] : [];
}

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

const WithFile = v.looseObject({ jwks_file: v.string() });

/** Issuers whose key set lies in a file get it into their entry: a function has no such file. */
function withKeySets(issuers: string): string {
  const entries: unknown[] = JSON.parse(issuers);
  if (!entries.some((entry) => v.is(WithFile, entry))) return issuers;
  const read = (entry: unknown): unknown => {
    if (!v.is(WithFile, entry)) return entry;
    const { jwks_file, ...issuer } = entry;
    return { ...issuer, jwks: JSON.parse(readFileSync(jwks_file, "utf8")) };
  };
  return JSON.stringify(entries.map(read));
}

/** Whether it is a path of plain segments whose first one no other route begins with. */
function isOwnPrefix(path: string): boolean {
  const { a2a: _, ...others } = families;
  const first = path.split("/")[1];
  const taken = Object.values<RouteTable>(others)
    .flatMap((table) => Object.values(table))
    .map((route) => route.path.split("/")[1]);
  return /^(\/[\w-]+)+$/.test(path) && !taken.includes(first);
}

function arePrices(text: string): boolean {
  try {
    readPrices(text);
    return true;
  } catch {
    return false;
  }
}

function isJsonArray(value: string): boolean {
  try {
    return Array.isArray(JSON.parse(value));
  } catch {
    return false;
  }
}

function isScopeMappings(value: string): boolean {
  try {
    parseScopeMappings(value);
    return true;
  } catch {
    return false;
  }
}
