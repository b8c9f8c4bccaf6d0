import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import fc from "fast-check";
import { expect, test } from "vitest";
import { keptKeySigner } from "../../shared/stores/kept-key-signer.ts";

/** The SDK's own signer, for the headers that ours signs. */
async function signedBySdk(credentials: Credentials, request: Request, signingDate: Date) {
  const { config } = new DynamoDBClient({ region: REGION, credentials });
  const signer = await config.signer();
  // The digest of the body is part of what is signed in any case; as a header it is sent twice.
  const unsignableHeaders = new Set(["x-amz-content-sha256"]);
  const signed = await signer.sign(request, { signingDate, signingService: "dynamodb", unsignableHeaders });
  return signed.headers.authorization;
}

type Credentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
};
const REGION = "eu-west-1";
type Request = Parameters<ReturnType<typeof keptKeySigner>["sign"]>[0];

const requestWith = (body: Uint8Array): Request => ({
  method: "POST",
  protocol: "https:",
  hostname: "dynamodb.eu-west-1.amazonaws.com",
  path: "/",
  query: {},
  headers: {
    "content-type": "application/x-amz-json-1.0",
    host: "dynamodb.eu-west-1.amazonaws.com",
    "x-amz-target": "DynamoDB_20120810.GetItem",
  },
  body,
});

test("signs as the SDK's own signer, for any body, day and credentials, one after the other", async () => {
  let credentials: Credentials = { accessKeyId: "", secretAccessKey: "" };
  const signer = keptKeySigner(() => ({ credentials: async () => credentials, region: async () => REGION }));
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 200 }),
      fc.date({ min: new Date("2020-01-01"), max: new Date("2039-12-31"), noInvalidDate: true }),
      fc.record(
        {
          accessKeyId: fc.constantFrom("AKIA1", "AKIA2"),
          secretAccessKey: fc.constantFrom("one", "another"),
          sessionToken: fc.string({ minLength: 1, maxLength: 20, unit: fc.constantFrom(..."aZ09+/=") }),
        },
        { requiredKeys: ["accessKeyId", "secretAccessKey"] },
      ),
      async (body, signingDate, next) => {
        credentials = next;
        const { headers } = await signer.sign(requestWith(body), { signingDate });
        expect(headers.authorization).toBe(await signedBySdk(next, requestWith(body), signingDate));
      },
    ),
    { numRuns: 100 },
  );
});

test("a client sends what it signs, again after a failure", async () => {
  const seen: Record<string, string>[] = [];
  const credentials = { accessKeyId: "AKIA", secretAccessKey: "secret", sessionToken: "token" };
  const client: DynamoDBClient = new DynamoDBClient({
    region: REGION,
    credentials,
    signer: keptKeySigner(() => client.config),
    requestHandler: {
      handle: async ({ headers }: { headers: Record<string, string> }) => {
        seen.push({ ...headers });
        const response = { statusCode: seen.length === 1 ? 500 : 200, headers: {}, body: Buffer.from("{}") };
        return { response };
      },
    },
  });
  await client.send(new GetItemCommand({ TableName: "runs", Key: { pk: { S: "1" } } }));
  expect(seen).toHaveLength(2);
  for (const headers of seen) {
    expect(headers).toMatchObject({
      "x-amz-security-token": "token",
      "x-amz-date": expect.stringMatching(/^\d{8}T\d{6}Z$/),
    });
    expect(headers.authorization).toContain(
      "/eu-west-1/dynamodb/aws4_request, SignedHeaders=content-type;host;x-amz-date;",
    );
  }
});
