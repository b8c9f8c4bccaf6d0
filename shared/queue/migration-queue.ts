import { connectMessageQueue, type MessageQueue } from "./message-queue.ts";
import type { MigrationMessage } from "./migration-message.ts";

export type MigrationQueue = MessageQueue<MigrationMessage>;

/** The queue of databases that are being migrated. A lost or duplicate message does no harm: the record is the truth. */
export const connectMigrationQueue = (queueUrl: string): MigrationQueue => connectMessageQueue(queueUrl);
