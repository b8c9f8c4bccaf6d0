import { write } from "../../data/write.ts";
import { deleteItem } from "../../data/writes.ts";
import type { StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import type { Db } from "../db.ts";
import { contentKey } from "./content-item.ts";

/** Deletes the record of a content whose chunks are deleted. @returns false when it has been written since */
export async function purgeContent(db: Db, content: StoredContent): Promise<boolean> {
  const { version } = content;
  return (await write(db, deleteItem("knowledge", contentKey(content), { version }))).written;
}
