import type { RegistryManifest } from "../../shared/runtime/registry-manifest.ts";

/** An option of a deployment that brings resources or properties of its own, with a context that has it. */
export type Variant = {
  /** Begins the `Sid` of the statements that only this option needs; undefined for the deployment without options. */
  readonly option?: string;
  readonly context: Readonly<Record<string, unknown>>;
  /** What the registry declares; the build's description of it when absent. */
  readonly needs?: RegistryManifest["needs"];
};

const issuer = {
  jwtIssuers: '[{"issuer":"https://issuer.example","jwks_uri":"https://issuer.example/keys"}]',
  stage: "prod",
};
const certificate = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/1b7a`;

/** As many tools with a key and a right each as do not fit into the policies of roles: the CDK makes managed policies of the rest. */
const manyTools: RegistryManifest["needs"] = Array.from({ length: 20 }, (_, at) => ({
  name: `the tool tool_${at}`,
  secrets: [`TOOL_${at}_KEY`],
  permissions: [
    {
      actions: ["dynamodb:GetItem", "dynamodb:Query"],
      resources: [`arn:aws:dynamodb:eu-west-1:123456789012:table/tool-${at}`],
    },
  ],
}));

/** The deployment without options comes first: what it needs is in the first policy. An option that brings a resource type is added here. */
export const variants: readonly Variant[] = [
  { context: issuer },
  { context: { ...issuer, webhooks: "on" } },
  {
    context: {
      ...issuer,
      a2a: "true",
      agui: "true",
      openai: "true",
      chat: "true",
      mcp: "true",
      mcpAuth: "builtin",
      publicUrl: "https://agents.example.com",
      telegram: { component: "agents/assistant" },
      slack: { component: "agents/assistant" },
    },
  },
  { option: "StageDev", context: { ...issuer, stage: "dev" } },
  {
    option: "AgentRegistry",
    context: { ...issuer, mcp: "true", agentRegistry: "abcdefgh1234" },
  },
  { option: "AlarmEmail", context: { ...issuer, alarmEmail: "ops@example.com" } },
  {
    option: "CostAlarm",
    context: { ...issuer, alarmTopicArn: "arn:aws:sns:eu-west-1:123456789012:ops", costAlarmUsd: 500 },
  },
  { option: "UserPoolTrue", context: { ...issuer, userPool: "true" } },
  { option: "CustomerKeyTrue", context: { ...issuer, customerKey: "true" } },
  { option: "WorkerRolloutCanary", context: { ...issuer, workerRollout: "canary" } },
  { option: "StreamConcurrency", context: { ...issuer, streamConcurrency: 10 } },
  {
    option: "PermissionsBoundary",
    context: { ...issuer, permissionsBoundary: "arn:aws:iam::123456789012:policy/limits" },
  },
  {
    option: "Vpc",
    context: {
      ...issuer,
      vpcId: "vpc-0123456789abcdef0",
      vpcSubnetIds: "subnet-0123456789abcdef0, subnet-0123456789abcdef1",
    },
  },
  {
    option: "ManyTools",
    needs: manyTools,
    context: {
      ...issuer,
      a2a: "true",
      toolSecrets: Object.fromEntries(
        manyTools.flatMap(({ secrets }) => secrets.map((name) => [name, { secret: `tools/${name}` }])),
      ),
    },
  },
  {
    option: "AWebAcl",
    context: { ...issuer, webAclArn: "arn:aws:wafv2:us-east-1:123456789012:global/webacl/limits/4711" },
  },
  {
    option: "DomainName",
    context: { ...issuer, domainName: "agents.example.com", certificateArn: certificate("us-east-1") },
  },
  {
    option: "DomainName",
    context: {
      ...issuer,
      edge: "http-api",
      domainName: "agents.example.com",
      certificateArn: certificate("eu-west-1"),
    },
  },
];

/**
 * Settings that constructs read although they change no resource type and no property with rights of its own. A new one that a
 * construct reads is added here or above.
 */
export const settingsWithoutRights: readonly string[] = [
  "a2aCardKeySecret",
  "a2aPrefix",
  "alarmCostPerHour",
  "auditExportBucket",
  "auditRetentionDays",
  "console",
  "costMonitorArn",
  "daily_cost_per_deployment",
  "daily_cost_per_user",
  "daily_tokens_per_deployment",
  "daily_tokens_per_user",
  "consoleClientId",
  "consoleColour",
  "consoleIssuer",
  "consoleName",
  "consoleScope",
  "corsAllowedOrigins",
  "embedder",
  "eventBus",
  "embedderApiKeySecret",
  "feedbackLinks",
  "judgeModel",
  "knowledgeBases",
  "logRetentionDays",
  "model",
  "mcpGrantDays",
  "modelApiKeySecret",
  "modelProviders",
  "osId",
  "otlpHeadersSecret",
  // It is a part of the network that `vpcId` names.
  "vpcSecurityGroupIds",
  "withoutIndexes",
  "requestBurst",
  "requestsPerSecond",
  "queuePollers",
  "retained",
  "slackSecret",
  "taskTokens",
  "telegramSecret",
  "tracing",
  "vectorStore",
  "warmWrites",
  "whatsapp",
  "whatsappSecret",
  "xray",
];
