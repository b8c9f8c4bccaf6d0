import { readFileSync } from "node:fs";
import * as v from "valibot";
import { readPrices } from "../../shared/engine/model/model-price.ts";
import { parseModelSpec } from "../../shared/engine/model/model-spec.ts";
import { readProviderSettings } from "../../shared/engine/model/provider-settings.ts";
import { PAGE_PATH } from "../../shared/routes/console.ts";
import { families } from "../../shared/routes/index.ts";
import { A2A_PREFIX } from "../../shared/routes/protocols/a2a-prefix.ts";
import type { RouteTable } from "../../shared/routes/route.ts";
import { SlackText, TelegramText, WhatsappText } from "../../shared/runtime/chat-settings.ts";
import {
  DEFAULT_BASES,
  KnowledgeBasesText,
  parseEmbedderSpec,
  vectorStores,
} from "../../shared/runtime/knowledge-settings.ts";
import { SecretName } from "../../shared/runtime/secret-name.ts";
import { ToolSecretsText } from "../../shared/runtime/tool-secrets-settings.ts";
import { AddressesText, PatternsText } from "../../shared/runtime/tracing-settings.ts";
import { ReceiverUrl } from "../../shared/schemas/deliveries/receiver-url.ts";
import { logRetentions } from "./log-retention.ts";
import { Retained } from "./retained.ts";
import { WithoutIndexes } from "./without-indexes.ts";

const text = v.pipe(
  v.union([v.string(), v.number(), v.boolean()], "must be a plain value"),
  v.transform(String),
);
const wholeNumber = (min: number, max: number) =>
  v.pipe(
    text,
    v.check(
      (value) => /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max,
      `must be a whole number from ${min} to ${max}`,
    ),
  );
/** A component in a setting. */
const COMPONENT_FORM = "agents/<id>, teams/<id> or workflows/<id>";
const component = String.raw`(agents|teams|workflows)/[^/\s,]+`;
const yesOrNo = v.pipe(text, v.picklist(["true", "false"], "must be true or false"));
const arn = (service: string, what: string) =>
  v.pipe(text, v.regex(new RegExp(`^arn:[a-z-]+:${service}:`), `must be the ARN of ${what}`));
const list = (separator: (items: unknown[]) => string) =>
  v.union([v.string(), v.pipe(v.array(v.unknown()), v.transform(separator))]);
const jsonObject = v.union([
  v.string(),
  v.pipe(
    v.record(v.string(), v.unknown()),
    v.transform((value) => JSON.stringify(value)),
  ),
]);

/** One id or more, in a list or separated by commas. */
const ids = (one: RegExp, message: string) =>
  v.pipe(
    list((items) => items.join(",")),
    v.transform((all) => all.split(",").map((id) => id.trim())),
    v.check((all) => all.every((id) => one.test(id)), message),
  );

/** `true` for any state machine of the account, or the names of some. @returns their names; empty for `false` */
const stateMachines = v.pipe(
  v.union([v.pipe(v.boolean(), v.transform(String)), list((names) => names.join(","))]),
  v.transform((all): readonly string[] => {
    if (all === "true") return ["*"];
    return all === "false" ? [] : all.split(",").map((name) => name.trim());
  }),
  v.check(
    (names) => names.every((name) => name === "*" || /^[A-Za-z0-9_-]{1,80}$/.test(name)),
    "must be true, false or the names of state machines, separated by commas",
  ),
);

/** A JSON object that a function reads by this schema. */
const jsonFor = (
  schema: typeof WhatsappText | typeof TelegramText | typeof SlackText | typeof ToolSecretsText,
) =>
  v.pipe(
    jsonObject,
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const parsed = v.safeParse(schema, dataset.value);
      if (!parsed.success) addIssue({ message: parsed.issues[0].message });
    }),
  );

/** The context values of the CDK app, without the settings of `shared/runtime/settings.ts`. */
export const Context = v.object({
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
  modelProviders: v.optional(
    v.pipe(
      jsonObject,
      v.rawCheck(({ dataset, addIssue }) => {
        if (!dataset.typed) return;
        try {
          readProviderSettings(dataset.value);
        } catch (error) {
          addIssue({ message: error instanceof Error ? error.message : String(error) });
        }
      }),
    ),
  ),
  modelPrices: v.optional(
    v.pipe(
      jsonObject,
      v.check((prices) => arePrices(prices), "must be a JSON object of prices by model"),
    ),
  ),
  toolSecrets: v.optional(jsonFor(ToolSecretsText), "{}"),
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
  adminScope: v.optional(
    v.pipe(
      text,
      v.regex(/^[^\s,]+(,[^\s,]+)*$/, "must be a scope without blanks, or several separated by commas"),
    ),
  ),
  scopeMappings: v.optional(jsonObject, "{}"),
  serviceAccountCacheSeconds: v.optional(wholeNumber(0, 300), "30"),
  requestsPerMinute: v.optional(wholeNumber(0, 1_000_000), "30000"),
  requestsPerSecond: v.optional(v.pipe(wholeNumber(1, 10_000), v.transform(Number)), "1000"),
  requestBurst: v.optional(v.pipe(wholeNumber(1, 5_000), v.transform(Number)), "2000"),
  streamConcurrency: v.optional(v.pipe(wholeNumber(0, 100_000), v.transform(Number)), "0"),
  userPool: v.optional(yesOrNo, "false"),
  corsAllowedOrigins: v.optional(list((origins) => origins.join(","))),
  approvers: v.optional(v.pipe(text, v.picklist(["admins", "scope"], "must be admins or scope")), "admins"),
  queueEnabled: v.optional(yesOrNo, "true"),
  sessionPolicy: v.optional(
    v.pipe(text, v.picklist(["queue", "parallel"], "must be queue or parallel")),
    "queue",
  ),
  a2a: v.optional(yesOrNo),
  a2aPrefix: v.optional(
    v.pipe(
      text,
      v.check((path) => isOwnPrefix(path), "must be a path such as /a2a that nothing else is served below"),
      v.transform((path) => path as `/${string}`), // as checked
    ),
    A2A_PREFIX,
  ),
  agui: v.optional(yesOrNo),
  aguiComponent: v.optional(v.pipe(text, v.regex(new RegExp(`^${component}$`), `must be ${COMPONENT_FORM}`))),
  mcp: v.optional(yesOrNo),
  mcpTools: v.optional(
    v.pipe(
      text,
      v.regex(
        new RegExp(`^(all|${component}(,${component})*)$`),
        `must be all, or a list of ${COMPONENT_FORM}, separated by commas`,
      ),
    ),
  ),
  a2aHostAgent: v.optional(
    v.pipe(
      text,
      v.regex(/^(agents|teams|workflows)\/[^/]+$/, "must name a component, such as agents/assistant"),
    ),
  ),
  a2aCardKeySecret: v.optional(SecretName),
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
  webhooks: v.optional(v.pipe(text, v.picklist(["on", "off"], "must be on or off"))),
  callbackUrl: v.optional(
    v.pipe(
      text,
      v.check((address) => v.is(ReceiverUrl, address), "must be an http or https address without a password"),
    ),
  ),
  eventBus: v.optional(
    v.pipe(
      text,
      v.regex(/^[/.\-_A-Za-z0-9]{1,256}$/, "must be the name of an event bus, or default"),
      v.check((name) => !name.startsWith("aws."), "must be a bus of the account, and not one of a partner"),
    ),
  ),
  eventBusContents: v.optional(yesOrNo, "false"),
  taskTokens: v.optional(stateMachines, "false"),
  tracing: v.optional(v.pipe(text, v.picklist(["on", "off"], "must be on or off"))),
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
  whatsapp: v.optional(jsonFor(WhatsappText)),
  whatsappSecret: v.optional(SecretName),
  telegram: v.optional(jsonFor(TelegramText)),
  telegramSecret: v.optional(SecretName),
  slack: v.optional(jsonFor(SlackText)),
  slackSecret: v.optional(SecretName),
  alarmTopicArn: v.optional(arn("sns", "an SNS topic")),
  alarmEmail: v.optional(v.pipe(text, v.email("must be a mail address"))),
  console: v.optional(v.pipe(text, v.picklist(["on", "off"], "must be on or off")), "on"),
  consoleIssuer: v.optional(
    v.pipe(
      text,
      v.check((address) => isIssuer(address), "must be the https address of an identity provider"),
    ),
  ),
  consoleClientId: v.optional(v.pipe(text, v.nonEmpty("must not be empty"))),
  consoleScope: v.optional(
    v.pipe(text, v.regex(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/, "must be scopes, separated by one blank")),
    "openid",
  ),
  edge: v.optional(
    v.pipe(text, v.picklist(["cloudfront", "http-api"], "must be cloudfront or http-api")),
    "cloudfront",
  ),
  domainName: v.optional(
    v.pipe(text, v.regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/, "must be a domain name")),
  ),
  certificateArn: v.optional(arn("acm", "a certificate")),
  webAclArn: v.optional(arn("wafv2", "a web ACL")),
  customerKey: v.optional(yesOrNo, "false"),
  retained: v.optional(v.pipe(jsonObject, v.parseJson(undefined, "must be a JSON object"), Retained), "{}"),
  permissionsBoundary: v.optional(arn("iam", "a managed policy")),
  vpcId: v.optional(v.pipe(text, v.regex(/^vpc-[0-9a-f]{8,17}$/, "must be the id of a VPC"))),
  vpcSubnetIds: v.optional(ids(/^subnet-[0-9a-f]{8,17}$/, "must be ids of subnets")),
  vpcSecurityGroupIds: v.optional(ids(/^sg-[0-9a-f]{8,17}$/, "must be ids of security groups")),
  withoutIndexes: v.optional(WithoutIndexes),
  logRetentionDays: v.optional(
    v.pipe(
      text,
      v.transform(Number),
      v.picklist(logRetentions, `must be one of ${logRetentions.join(", ")}`),
    ),
    "30",
  ),
  xray: v.optional(v.pipe(text, v.picklist(["on", "off"], "must be on or off")), "on"),
});

const WithFile = v.looseObject({ jwks_file: v.string() });

/** Replaces `jwks_file` of an issuer by the key set in that file: functions do not have the file. */
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

/** On one's own machine an identity provider may do without TLS. */
const isIssuer = (address: string): boolean =>
  URL.canParse(address) && /^(https:|http:\/\/(127\.0\.0\.1|localhost)[:/])/.test(address);

/** Whether it is a path of plain segments, the first of which is not the first segment of another route. */
function isOwnPrefix(path: string): boolean {
  const { a2a: _, ...others } = families;
  const first = path.split("/")[1];
  const reserved = Object.values<RouteTable>(others)
    .flatMap((table) => Object.values(table))
    .map((route) => route.path.split("/")[1]);
  return /^(\/[\w-]+)+$/.test(path) && ![...reserved, PAGE_PATH.slice(1)].includes(first);
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
