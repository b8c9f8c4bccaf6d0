/** What calls a function. */
export type Kind = "http" | "authorizer" | "queue" | "other";

const request = (method: string, path: string, more: object = {}) => ({
  version: "2.0",
  routeKey: `${method} ${path}`,
  rawPath: path,
  rawQueryString: "",
  headers: { accept: "*/*", host: "abc123.execute-api.eu-west-1.amazonaws.com", "user-agent": "curl/8.5.0" },
  requestContext: {
    accountId: "123456789012",
    apiId: "abc123",
    domainName: "abc123.execute-api.eu-west-1.amazonaws.com",
    domainPrefix: "abc123",
    http: { method, path, protocol: "HTTP/1.1", sourceIp: "203.0.113.7", userAgent: "curl/8.5.0" },
    requestId: "JKJaXmPLvHcESHA=",
    routeKey: `${method} ${path}`,
    stage: "$default",
    time: "24/Nov/2026:10:00:00 +0000",
    timeEpoch: 1_795_514_400_000,
  },
  isBase64Encoded: false,
  ...more,
});

const message = (body: string) => ({
  messageId: "059f36b4-87a3-44ab-83d2-661975830a7d",
  receiptHandle: "AQEBwJnKyrHigUMZj6rYigCgxlaS3SLy0a",
  body,
  attributes: {
    ApproximateReceiveCount: "1",
    SentTimestamp: "1795514400000",
    SenderId: "AIDAIENQZJOLO23YVJ4VO",
    ApproximateFirstReceiveTimestamp: "1795514400001",
    MessageGroupId: "1",
  },
  messageAttributes: {},
  md5OfBody: "e4e68fb7bd0e697a0ae8f1bb342846b3",
  eventSource: "aws:sqs",
  eventSourceARN: "arn:aws:sqs:eu-west-1:123456789012:queue",
  awsRegion: "eu-west-1",
});
const messages = (...bodies: string[]) => ({ Records: bodies.map(message) });

/** Events as the services send them. @source the services' developer guides: payload format 2.0, SQS as an event source */
export const recorded: Readonly<Record<Kind, readonly unknown[]>> = {
  http: [
    request("GET", "/health"),
    request("GET", "/agents", {
      rawQueryString: "page=1&limit=2",
      queryStringParameters: { page: "1", limit: "2" },
    }),
    request("POST", "/agents/assistant/runs", { body: "bWVzc2FnZT1IZWxsbw==", isBase64Encoded: true }),
    request("GET", "/sessions/unknown", { pathParameters: { session_id: "unknown" } }),
  ],
  authorizer: [
    {
      ...request("GET", "/agents"),
      type: "REQUEST",
      identitySource: null,
      routeArn: "arn:aws:execute-api:eu-west-1:123456789012:abc123/$default/GET/agents",
    },
    { ...request("GET", "/agents"), type: "REQUEST", headers: { authorization: "Bearer no-token" } },
  ],
  queue: [messages(JSON.stringify({ run_id: "unknown" })), messages("{}", "{}")],
  other: [{}],
};

const deep = (levels: number): unknown => (levels === 0 ? "end" : { inner: deep(levels - 1) });

/** Events that no service sends, and those that one sends seldom. A function may fail at them, and must go on. */
export const odd: readonly unknown[] = [
  null,
  {},
  [],
  "text",
  4711,
  { Records: [] },
  { Records: [{}] },
  messages("no JSON"),
  messages("null"),
  messages("\ud800"),
  { version: "2.0" },
  request("GET", "/%ff/%00"),
  request("POST", "/agents/a/runs", { body: "%%%", isBase64Encoded: true }),
  request("BREW", `/${"long".repeat(2_000)}`),
  { ...request("GET", "/agents"), headers: null },
  deep(500),
];
