import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { putItem, write } from "../../data/index.ts";
import type { Db } from "../db.ts";

/** Version of the stored shape; raised with every change of it. */
export const UPLOAD_SHAPE = 1;

/** A file that the client may upload to the bucket itself. */
export const UploadTicket = v.object({
  upload_id: v.string(),
  knowledge_id: v.string(),
  /** Who requested it; only this user can add the file. */
  user_id: v.nullable(v.string()),
  key: v.string(),
  filename: v.string(),
  mime_type: v.string(),
  size: v.number(),
  /** Epoch seconds. */
  expires_at: v.number(),
});
export type UploadTicket = v.InferOutput<typeof UploadTicket>;

const ticketKey = (id: string) => ({ pk: `upload#${id}`, sk: "upload" });

export async function putUploadTicket(db: Db, ticket: UploadTicket): Promise<void> {
  const item = { ...ticketKey(ticket.upload_id), ...ticket, shape: UPLOAD_SHAPE };
  await write(db, putItem("knowledge", item));
}

/** Undefined also if it has expired. */
export async function getUploadTicket(db: Db, id: string, now: number): Promise<UploadTicket | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.knowledge, Key: ticketKey(id), ConsistentRead: true }),
  );
  const ticket = Item && v.parse(UploadTicket, Item);
  return ticket && ticket.expires_at > now ? ticket : undefined;
}
