import { readFileSync } from "node:fs";
import * as v from "valibot";
import { createKeySource } from "../../shared/auth/identify/issuer-keys.ts";
import { readScopeMappings } from "../../shared/auth/scopes/scope-mappings.ts";
import { PAGE_PATH } from "../../shared/routes/console.ts";
import { families } from "../../shared/routes/index.ts";
import type { RouteTable } from "../../shared/routes/route.ts";
import { mappableAccess } from "../../shared/routes/served-access.ts";
import type { RegistryManifest } from "../../shared/runtime/registry-manifest.ts";
import { parseModelSpec } from "../../shared/schemas/values/model-spec.ts";
import { unknownSettings } from "../../shared/settings/names.ts";
import { defaultOn, type Setting } from "../../shared/settings/setting.ts";
import {
  type SettingName,
  type SettingTexts,
  type SettingValues,
  settingNames,
  settings,
} from "../../shared/settings/table.ts";
import { tableNames } from "../../shared/settings/table-env.ts";
import { tables } from "../../shared/stores/tables.ts";
import { FUNCTIONS_OF_A_POLLER, MOST_UNPROVISIONED } from "../functions/poller-limits.ts";
import { ConfigError } from "./config-error.ts";
import { missingKeys } from "./missing-keys.ts";
import { programProblems } from "./program-problems.ts";
import { toolSecretProblems } from "./tool-secret-problems.ts";
import type { ToolVpc } from "./tool-vpc.ts";

type ToolNeeds = RegistryManifest["needs"];

/** Configuration of a deployment: what its settings mean, and what follows from them. */
export type AppConfig = SettingValues & {
  /** Data may be deleted together with the stack. */
  readonly disposable: boolean;
  /** The tools that need secrets or permissions, as the registry declares them. */
  readonly toolNeeds: ToolNeeds;
  /** Whether the configuration names the store of vectors, and does not take the default. */
  readonly isVectorStoreChosen: boolean;
  /** Network of the account's own for the functions that execute tools, as it was given to the construct. */
  readonly vpc?: ToolVpc | undefined;
  /** The settings as functions read them. */
  readonly environment: SettingTexts;
};

type ContextOf = (name: string) => unknown;

/**
 * Reads and checks the configuration.
 *
 * @param contextOf  the context value of a name; undefined when it is not set
 * @param given      names of all values that are set, also of those that are not read
 * @param toolNeeds  what the tools of the registry need
 * @throws ConfigError naming every value that is missing or malformed, and what it must be
 */
export function readConfig(
  contextOf: ContextOf,
  given: readonly string[] = [],
  toolNeeds: ToolNeeds = [],
): AppConfig {
  const stage = String(contextOf("stage") ?? settings.stage.default);
  const rows = withDerived(settingNames.map((name) => writtenRow(name, contextOf(name), stage))).map(readRow);
  const malformed = rows.flatMap(({ name, problem }) => (problem ? [`${name}: ${problem}`] : []));
  const found = [...unknownSettings(given), ...malformed];
  if (malformed.length > 0) throw unusable(found);
  // One entry for each row of the table, read by its schema.
  const values = Object.fromEntries(rows.map(({ name, value }) => [name, value])) as SettingValues;
  const publicUrl = values.publicUrl ?? (values.domainName && `https://${values.domainName}`);
  const problems = [
    ...found,
    ...problemsOf(values),
    ...toolSecretProblems(values, toolNeeds),
    ...programProblems(values, toolNeeds),
  ];
  if (problems.length > 0) throw unusable(problems);
  return {
    ...values,
    publicUrl,
    toolNeeds,
    isVectorStoreChosen: contextOf("vectorStore") !== undefined,
    disposable: isDevelopmentStage(stage),
    environment: { ...textsOf(rows), PUBLIC_URL: publicUrl },
  };
}

const unusable = (problems: readonly string[]): ConfigError =>
  new ConfigError(`the configuration is not usable: ${problems.join("; ")}`);

/** A setting of a deployment: its text and what it means, or what is wrong with it. */
type Row = {
  readonly name: SettingName;
  readonly isGiven: boolean;
  readonly text?: string;
  readonly value?: unknown;
  readonly problem?: string;
};

function writtenRow(name: SettingName, given: unknown, stage: string): Row {
  const row = { name, isGiven: given !== undefined };
  const written = given ?? defaultOn(settings[name], stage);
  if (written === undefined) return row;
  const { success, issues, output } = v.safeParse<Setting["form"]["given"]>(
    settings[name].form.given,
    written,
  );
  if (!success) return { ...row, problem: issues[0].message };
  try {
    return { ...row, text: name === "jwtIssuers" ? withKeySets(output) : output };
  } catch (error) {
    return { ...row, problem: String(error) };
  }
}

/** Limits that are not given and depend on others follow from them. */
function withDerived(rows: readonly Row[]): readonly Row[] {
  const texts = Object.fromEntries(rows.map(({ name, text = "" }) => [variableOf(name), text]));
  return rows.map((row) => {
    const { derived }: Setting = settings[row.name];
    return derived && !row.isGiven ? { ...row, text: String(derived(texts)) } : row;
  });
}

/** Reads a text as the functions of the deployment will. */
function readRow(row: Row): Row {
  if (row.text === undefined || row.problem !== undefined) return row;
  const { form }: Setting = settings[row.name];
  // Of what does not hold for a value, the first thing says it.
  const read = v.safeParse(form.schema, row.text, { abortPipeEarly: true });
  return read.success
    ? { ...row, value: read.output }
    : { ...row, problem: read.issues.map(({ message }) => message).join("; ") };
}

const variableOf = (name: SettingName): string => {
  const { variable = name }: Setting = settings[name];
  return variable;
};

/** One entry for each row, checked by its schema; what has no variable no function asks for. */
const textsOf = (rows: readonly Row[]): SettingTexts =>
  Object.fromEntries(rows.map(({ name, text }) => [variableOf(name), text])) as SettingTexts;

const WithFile = v.looseObject({ jwks_file: v.string() });

/** Replaces `jwks_file` of an issuer by the key set in that file: functions do not have the file. */
function withKeySets(issuers: string): string {
  const entries = v.safeParse(v.pipe(v.string(), v.parseJson(), v.array(v.unknown())), issuers);
  if (!entries.success || !entries.output.some((entry) => v.is(WithFile, entry))) return issuers;
  const read = (entry: unknown): unknown => {
    if (!v.is(WithFile, entry)) return entry;
    const { jwks_file, ...issuer } = entry;
    return { ...issuer, jwks: JSON.parse(readFileSync(jwks_file, "utf8")) };
  };
  return JSON.stringify(entries.output.map(read));
}

const problemsOf = (values: SettingValues): string[] => [
  ...contradictory.filter(([applies]) => applies(values)).map(([, text]) => text),
  ...indexProblems(values),
  ...mappingProblems(values),
  // `npm start` has the keys of models in its environment, and checks them there; those of its issuer are put in later.
  ...(values.stage === "local" ? [] : [...missingKeys(values), ...keyProblems(values)]),
];

const isDevelopmentStage = (stage: string): boolean => stage === "local" || stage === "dev";

/** Values that contradict each other or the routes, with their messages. */
const contradictory: readonly (readonly [(values: SettingValues) => boolean, string])[] = [
  [
    ({ a2aPrefix }) => othersBeginLike(a2aPrefix),
    "a2aPrefix: must be a path such as /a2a that nothing else is served below",
  ],
  [
    ({ model, modelBaseUrl, modelProviders }) =>
      model.startsWith("openai-compatible:") &&
      modelBaseUrl === undefined &&
      modelProviders?.["openai-compatible"]?.baseUrl === undefined,
    "modelBaseUrl: openai-compatible needs the address of its service",
  ],
  [
    ({ model, modelBaseUrl, modelApiKeySecret, modelProviders }) =>
      (modelBaseUrl !== undefined || modelApiKeySecret !== undefined) &&
      Object.hasOwn(modelProviders ?? {}, parseModelSpec(model)?.provider ?? ""),
    "modelProviders: it names the provider of model, whose address and secret are also in modelBaseUrl or modelApiKeySecret; give them once",
  ],
  [
    ({ callbackUrl, webhooks }) => callbackUrl !== undefined && webhooks === "off",
    "callbackUrl: it needs webhooks=on",
  ],
  [
    ({ feedbackLinks, webhooks }) => feedbackLinks === "on" && webhooks === "off",
    "feedbackLinks: it needs webhooks=on",
  ],
  [
    ({ stage, mcpAuth, mcp, console, publicUrl, domainName }) =>
      stage !== "local" &&
      mcpAuth === "builtin" &&
      (mcp === "false" || console === "off" || (publicUrl === undefined && domainName === undefined)),
    "mcpAuth: builtin needs mcp=true, console=on, and publicUrl or domainName: tokens are for one address",
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
    ({ worker_concurrency, queuePollers }) =>
      queuePollers === undefined && worker_concurrency > MOST_UNPROVISIONED,
    `worker_concurrency: more than ${MOST_UNPROVISIONED} need queuePollers`,
  ],
  [
    ({ worker_concurrency, queuePollers = 0 }) => worker_concurrency < queuePollers * FUNCTIONS_OF_A_POLLER,
    `queuePollers: each calls ${FUNCTIONS_OF_A_POLLER} functions at once, and worker_concurrency must be as much for all of them`,
  ],
  [
    ({ otlpMetrics, otlpEndpoints = [] }) =>
      otlpMetrics === "true" &&
      (otlpEndpoints.length === 0 || otlpEndpoints.some((url) => !url.endsWith("/v1/traces"))),
    "otlpMetrics: it needs otlpEndpoints, each of which ends with /v1/traces",
  ],
  [
    ({ domainName, certificateArn }) => (domainName === undefined) !== (certificateArn === undefined),
    "domainName and certificateArn: one needs the other",
  ],
  [
    ({ costAlarmUsd, alarmEmail, alarmTopicArn }) =>
      costAlarmUsd !== undefined && alarmEmail === undefined && alarmTopicArn === undefined,
    "costAlarmUsd: it needs alarmEmail or alarmTopicArn",
  ],
  [
    ({ costAlarmUsd, costMonitorArn }) => costMonitorArn !== undefined && costAlarmUsd === undefined,
    "costMonitorArn: it needs costAlarmUsd",
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

/** Whether another route begins with the first segment of a path. */
function othersBeginLike(path: string): boolean {
  const { a2a: _, ...others } = families;
  const rows = Object.values<RouteTable>(others).flatMap((table) => Object.values(table));
  const paths = [PAGE_PATH, ...rows.map((row) => row.path)];
  return paths.some((other) => other.split("/")[1] === path.split("/")[1]);
}

/** Names of all indexes of all tables, such as `runs.by_owner`. */
const indexes: ReadonlySet<string> = new Set(
  tableNames.flatMap((table) => Object.keys(tables[table].indexes).map((index) => `${table}.${index}`)),
);

function indexProblems({ withoutIndexes = [] }: SettingValues): string[] {
  const unknown = withoutIndexes.filter((name) => !indexes.has(name));
  return unknown.length > 0 ? [`withoutIndexes: ${unknown.join(", ")}: there is no such index`] : [];
}

/** Keys that the authorizer could not read, so that it would not start. */
const keyProblems = ({ jwtIssuers }: SettingValues): string[] =>
  jwtIssuers.flatMap((issuer, at) => {
    try {
      createKeySource(issuer, () => Promise.reject(), Date.now);
      return [];
    } catch (error) {
      return [`jwtIssuers: ${at}: a key cannot be read: ${error instanceof Error ? error.message : error}`];
    }
  });

/** Mappings depend on the prefix of A2A too: only with it are the routes known that they may name. */
function mappingProblems({ scopeMappings, a2aPrefix }: SettingValues): string[] {
  const read = readScopeMappings(scopeMappings, mappableAccess({ A2A_PREFIX: a2aPrefix }));
  return "problems" in read ? read.problems.map((problem) => `scopeMappings: ${problem}`) : [];
}

/** Whether events can have receivers: then the outbox is used, and its worker. */
export const publishesEvents = ({
  webhooks,
  eventBus,
  taskTokens,
}: Pick<AppConfig, "webhooks" | "eventBus" | "taskTokens">): boolean =>
  webhooks === "on" || eventBus !== undefined || taskTokens.length > 0;
