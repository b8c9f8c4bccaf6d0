import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSecret } from "../../shared/runtime/secrets/read-secret.ts";

const secrets: Record<string, string> = { "prod/openai": "sk-of-the-provider", "prod/empty": "" };
let server: Server;
beforeAll(async () => {
  server = createServer(async (incoming, response) => {
    const { SecretId } = JSON.parse(await text(incoming));
    const found = incoming.headers["x-amz-target"] === "secretsmanager.GetSecretValue" && SecretId in secrets;
    response.writeHead(found ? 200 : 400, { "content-type": "application/x-amz-json-1.1" });
    response.end(
      JSON.stringify(found ? { SecretString: secrets[SecretId] } : { __type: "ResourceNotFoundException" }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = `http://127.0.0.1:${port}`;
  process.env.AWS_REGION = "us-east-1";
  process.env.AWS_ACCESS_KEY_ID = "LOCAL";
  process.env.AWS_SECRET_ACCESS_KEY = "local";
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
});

test("a provider's key comes from the secret that is named", async () => {
  expect(await readSecret("prod/openai")).toBe("sk-of-the-provider");
});

test("a secret that is missing or empty is a fault, not an empty key", async () => {
  await expect(readSecret("prod/none")).rejects.toMatchObject({
    name: "ResourceNotFoundException",
  });
  await expect(readSecret("prod/empty")).rejects.toThrow("prod/empty");
});
