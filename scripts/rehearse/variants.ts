const issuer = {
  stage: "prod",
  model: "scripted",
  jwtIssuers: '[{"issuer":"https://issuer.example","jwks_uri":"https://issuer.example/keys"}]',
};
const slack = '{"component":"agents/assistant"}';

/** Deployments that are rehearsed together: what brings resources of its own, alone and with the rest. */
export const rehearsedVariants: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  prod: issuer,
  dev: { ...issuer, stage: "dev" },
  "user pool, alarms by mail": { ...issuer, userPool: "true", alarmEmail: "ops@example.com" },
  "a key of its own": { ...issuer, customerKey: "true" },
  "without CloudFront": { ...issuer, edge: "http-api", console: "off" },
  "every interface": {
    ...issuer,
    a2a: "true",
    agui: "true",
    openai: "true",
    chat: "true",
    mcp: "true",
    webhooks: "on",
    telegram: slack,
    slack,
  },
  "events and tasks": { ...issuer, eventBus: "orders", taskTokens: "orders" },
  "vectors in a table, bounded roles": {
    ...issuer,
    vectorStore: "dynamodb",
    permissionsBoundary: "arn:aws:iam::123456789012:policy/limits",
  },
  "a tenth of the messages first": { ...issuer, workerRollout: "canary" },
  "10,000 workers, pollers of its own": {
    ...issuer,
    queuePollers: "200",
    warmWrites: "40000",
    worker_concurrency: "10000",
  },
};
