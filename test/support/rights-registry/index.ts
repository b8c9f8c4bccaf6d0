import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import * as v from "valibot";
import {
  defineAgent,
  defineTeam,
  defineTool,
  defineWorkflow,
  type Registry,
} from "../../../shared/engine/define/index.ts";

/** A registry of tools with secrets and permissions, for the tests of what they get and what they may do. */
export const METRICS = "arn:aws:dynamodb:us-east-1:000000000000:table/*Metrics*";
export const UPLOADS = "arn:aws:s3:::agent-platform-local-data-*/uploads/*";

const nothing = v.object({});
const texts = (key: Record<string, string>) =>
  Object.fromEntries(Object.entries(key).map(([name, value]) => [name, { S: value }]));

/** Returns the length of its key, and on request the key itself, as a careless tool would. */
const charge = defineTool({
  name: "charge_card",
  description: "Charge a card.",
  parameters: v.object({ leak: v.optional(v.picklist(["answer", "error", "state", "log"])) }),
  effect: "safe",
  secrets: ["STRIPE_KEY"],
  execute: ({ leak }, { secrets: { STRIPE_KEY }, updateSessionState, log }) => {
    if (leak === "answer") return { authorization: `Bearer ${STRIPE_KEY}` };
    if (leak === "error")
      throw new Error(`402 for https://api.example/?key=${encodeURIComponent(STRIPE_KEY)}`);
    if (leak === "state") updateSessionState({ nested: { key: STRIPE_KEY } });
    if (leak === "log") log.warn(`refused ${STRIPE_KEY}`, { header: { authorization: STRIPE_KEY } });
    return `charged with a key of ${STRIPE_KEY.length} characters`;
  },
});

/** Declares no secret: says what it gets all the same. */
const snoop = defineTool({
  name: "snoop",
  description: "Look for secrets.",
  parameters: nothing,
  effect: "safe",
  execute: (_, { secrets }) => `${JSON.stringify(secrets)} ${process.env.STRIPE_KEY}`,
});

const readItem = defineTool({
  name: "read_item",
  description: "Read an item of a table.",
  parameters: v.object({ table: v.string(), key: v.record(v.string(), v.string()) }),
  effect: "safe",
  permissions: [{ actions: ["dynamodb:GetItem"], resources: [METRICS] }],
  execute: async ({ table, key }) => {
    const { Item } = await new DynamoDBClient({}).send(
      new GetItemCommand({ TableName: table, Key: texts(key) }),
    );
    return Item === undefined ? "no such item" : "an item";
  },
});

const readUpload = defineTool({
  name: "read_upload",
  description: "Read an object of a bucket.",
  parameters: v.object({ bucket: v.string(), key: v.string() }),
  effect: "safe",
  permissions: [{ actions: ["s3:GetObject"], resources: [UPLOADS] }],
  execute: async ({ bucket, key }) => {
    const client = new S3Client({ forcePathStyle: true });
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    return (await Body?.transformToString()) ?? "";
  },
});

const whereIs = defineTool({
  name: "where_is",
  description: "Say whether something is there.",
  parameters: nothing,
  effect: "safe",
  secrets: ["MAPS_KEY"],
  execute: (_, { secrets }) => `${secrets.MAPS_KEY.length} characters`,
});

export const cashier = defineAgent({
  id: "cashier",
  name: "Cashier",
  tools: [charge, snoop, readItem, readUpload],
});
/** Only in a team and in a step is it reached. */
const guide = defineAgent({ id: "guide", name: "Guide", tools: [whereIs] });

export const registry: Registry = {
  agents: [cashier],
  teams: [defineTeam({ id: "shop", name: "Shop", members: [cashier, guide] })],
  workflows: [
    defineWorkflow({
      id: "tour",
      name: "Tour",
      steps: [{ type: "Step", name: "guide", executor: guide }],
    }),
  ],
};
