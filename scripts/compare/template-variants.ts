/** Context values of the CDK app, in the format of its command line. */
export type Context = Readonly<Record<string, string>>;

const issuers = JSON.stringify([{ issuer: "https://id.example", jwks_uri: "https://id.example/jwks.json" }]);
const topic = { alarmTopicArn: "arn:aws:sns:eu-west-1:123456789012:ops", alarmEmail: "ops@example.com" };
const boundary = "arn:aws:iam::123456789012:policy/limits";
const certificate = (region: string): string => `arn:aws:acm:${region}:123456789012:certificate/1b7a`;
const webAclArn = "arn:aws:wafv2:us-east-1:123456789012:global/webacl/limits/4711";
const everything = { stage: "prod", userPool: "true", customerKey: "true", a2a: "true" };
const base = [{ name: "manuals", description: "Manuals", max_results: 5 }];
const source = { type: "s3", id: "shelf", name: "Shelf", bucket: "manuals-of-ours", prefix: "en/" };
const remote = { type: "github", id: "code", name: "Code", repo: "acme/docs", secret: "sources/code" };

/**
 * Every deployment that the tests of the infrastructure (`test/infra`) and `npm run check` use, and every other option.
 * A new option must be added here too.
 */
export const variants: Readonly<Record<string, Context>> = {
  dev: {},
  local: { stage: "local" },
  prod: { stage: "prod" },
  scripted: { model: "scripted", a2a: "true" },
  "model-profile": { model: "amazon-bedrock:eu.amazon.nova-lite-v1:0" },
  "model-direct": { model: "amazon-bedrock:amazon.nova-lite-v1:0" },
  "model-providers": {
    model: "openai:gpt-5",
    modelProviders: '{"anthropic":{"apiKeySecret":"models/anthropic"}}',
  },
  "model-key": { model: "openai:gpt-5", modelApiKeySecret: "models/openai" },
  "model-judge": { model: "openai:gpt-5", judgeModel: "amazon-bedrock:judge-1" },
  "http-api": {
    ...{ stage: "prod", edge: "http-api", domainName: "agents.example.com" },
    ...{ certificateArn: certificate("eu-west-1"), customerKey: "true", userPool: "true" },
    ...{ logRetentionDays: "90", xray: "off" },
  },
  named: {
    ...{ stage: "prod", domainName: "agents.example.com", certificateArn: certificate("us-east-1") },
    ...{ webAclArn, permissionsBoundary: boundary, alarmEmail: "ops@example.com" },
    telegram: '{"component":"agents/assistant"}',
  },
  topic: { stage: "prod", userPool: "true", ...topic },
  everything: { ...everything, alarmEmail: "ops@example.com" },
  issuers: { stage: "prod", jwtIssuers: issuers },
  streams: { stage: "prod", a2a: "true", streamConcurrency: "40" },
  "user-pool": {
    ...{ stage: "prod", jwtIssuers: issuers, userPool: "true" },
    ...{ requestsPerSecond: "50", requestBurst: "70" },
  },
  "queue-settings": { worker_concurrency: "7", worker_batch_size: "3" },
  "full-rate": { warmWrites: "20000", worker_concurrency: "100", queuePollers: "5" },
  instance: {
    ...{ osId: "os-7", adminScope: "ops:admin", corsAllowedOrigins: "https://a.example,https://b.example" },
    ...{ jwtIssuers: issuers, lock_grace_seconds: "30", a2a: "true" },
  },
  "a2a-prefix": { a2a: "true", a2aPrefix: "/partners/agents-api" },
  "a2a-signed": { a2a: "true", a2aCardKeySecret: "cards/key", publicUrl: "https://agents.example" },
  "a2a-prefix-taken": { a2aPrefix: "/agents" },
  chats: {
    ...{ whatsapp: '{"component":"agents/assistant","phone_number_id":"4711"}', whatsappSecret: "chats/wa" },
    ...{ telegram: '{"component":"agents/assistant"}', telegramSecret: "chats/tg" },
    ...{ slack: '{"component":"agents/assistant"}', slackSecret: "chats/sl" },
  },
  knowledge: {
    ...{
      knowledgeBases: JSON.stringify([{ ...base[0], sources: [source, remote] }]),
      vectorStore: "dynamodb",
    },
    ...{ embedder: "openai:text-embedding-3-small", embedderApiKeySecret: "models/embedder" },
    fetchAllowedHosts: "files.example:443",
  },
  events: { eventBus: "default", eventBusContents: "true", taskTokens: "orders" },
  webhooks: { webhooks: "on", callbackUrl: "https://erp.example/hooks" },
  tracing: {
    ...{
      tracing: "on",
      otlpEndpoints: "https://collector.example/v1/traces",
      otlpHeadersSecret: "otlp/headers",
    },
    ...{ traceContent: "off", traceRedact: '["\\\\d{16}"]' },
  },
  check: {
    ...{ stage: "check", jwtIssuers: issuers, userPool: "true", a2a: "true" },
    ...{ alarmEmail: "ops@example.com", customerKey: "true", domainName: "agents.example.com" },
    ...{ certificateArn: certificate("us-east-1"), webAclArn, permissionsBoundary: boundary },
  },
};
