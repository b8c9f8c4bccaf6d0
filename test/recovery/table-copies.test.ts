import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { dropCopy } from "../../package/recovery/table-copies.ts";
import { startFakeAws } from "../support/fake-aws.ts";

const refusal = (name: string) => ({ status: 400, body: { __type: name, message: name } });

test("a copy that is still being restored is deleted once it is there, and one that is gone is no error", async () => {
  const answers = [
    refusal("ResourceInUseException"),
    refusal("ResourceInUseException"),
    { body: {} },
    refusal("ResourceNotFoundException"),
  ];
  const aws = await startFakeAws(() => ({
    "dynamodb DeleteTable": answers.shift() ?? { status: 501, body: {} },
  }));
  const credentials = { accessKeyId: "LOCAL", secretAccessKey: "local" };
  const client = new DynamoDBClient({ endpoint: aws.address, region: "us-east-1", credentials });
  let waits = 0;
  const sleep = async (): Promise<void> => {
    waits += 1;
  };
  await dropCopy(client, "copy", sleep);
  expect([waits, aws.asked.length]).toEqual([2, 3]);
  await dropCopy(client, "copy", sleep);
  expect(aws.asked.length).toBe(4);
  client.destroy();
  await aws.stop();
});
