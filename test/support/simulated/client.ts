import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { forEachTable } from "../../../shared/settings/table-env.ts";
import { type Db, dbOver } from "../../../shared/stores/db.ts";
import { objectsInMemory } from "../objects-in-memory.ts";
import { Refusal, type Request } from "./table.ts";

/** Answers one request, in the service's terms: an answer, a Refusal, or another error for a broken connection. */
export type Answerer = (operation: string, request: Request) => Promise<object>;

/** The real client and the real document client, with a simulated service behind their request handler. */
export function simulatedDb(answer: Answerer, maxAttempts: number): Db {
  const client = new DynamoDBClient({
    endpoint: "http://simulated",
    region: "us-east-1",
    credentials: { accessKeyId: "SIMULATED", secretAccessKey: "simulated" },
    // No signature is checked here, and it is the dearest part of a call.
    signer: { sign: async <T>(request: T): Promise<T> => request },
    maxAttempts,
    requestHandler: {
      handle: async (request: Asked) => ({ response: await responseTo(request, answer) }),
    },
  });
  return dbOver(
    client,
    forEachTable((name) => name),
    objectsInMemory(),
  );
}

type Asked = { readonly headers: Readonly<Record<string, string>>; readonly body?: unknown };

async function responseTo({ headers, body }: Asked, answer: Answerer) {
  const [, operation = ""] = headers["x-amz-target"]?.split(".") ?? [];
  try {
    return response(200, await answer(operation, JSON.parse(textFrom(body))));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return response(400, { __type: `com.amazonaws.dynamodb.v20120810#${error.type}`, ...error.fields });
  }
}

const textFrom = (body: unknown): string =>
  typeof body === "string" ? body : new TextDecoder().decode(body as Uint8Array); // the client sends text or bytes

const response = (statusCode: number, body: object) => ({
  statusCode,
  headers: { "content-type": "application/x-amz-json-1.0" },
  body: new TextEncoder().encode(JSON.stringify(body)),
});
