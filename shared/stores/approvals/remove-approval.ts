import { exists } from "../../data/guard.ts";
import { write } from "../../data/write.ts";
import { deleteItem } from "../../data/writes.ts";
import type { Db } from "../db.ts";
import { approvalKey } from "./approval-item.ts";

/** @returns false when there was none */
export async function removeApproval(db: Db, id: string): Promise<boolean> {
  return (await write(db, deleteItem("approvals", approvalKey(id), exists))).written;
}
