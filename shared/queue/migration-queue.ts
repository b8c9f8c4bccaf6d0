import * as v from "valibot";
import { connectMessageQueue, type MessageQueue } from "./message-queue.ts";

/** Names a database that is to be migrated. Its record is the truth. */
export const MigrationMessage = v.object({ db_id: v.string() });
export type MigrationMessage = v.InferOutput<typeof MigrationMessage>;

export type MigrationQueue = MessageQueue<MigrationMessage>;

/** The queue of databases that are being migrated. A lost or duplicate message does no harm: the record is the truth. */
export const connectMigrationQueue = (queueUrl: string): MigrationQueue => connectMessageQueue(queueUrl);
