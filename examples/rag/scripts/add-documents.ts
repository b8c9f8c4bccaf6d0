import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "@agentplatform/core/client";

/**
 * Adds the files of a folder to the knowledge base:
 *   TOKEN=$(npx agent-platform token) node scripts/add-documents.ts [folder]
 */
export async function addDocuments(baseUrl: string, token: string, folder: string): Promise<void> {
  const client = createClient({ baseUrl, token });
  for (const name of await readdir(folder)) {
    const file = new Blob([await readFile(join(folder, name))]);
    const { id: content_id } = await client.knowledge.upload(file, { filename: name });
    if (content_id === undefined) throw new Error(`${name} was not accepted`);
    for (let status = "processing"; status !== "completed"; await pause(200)) {
      const found = await client.getContentStatus({ path: { content_id } });
      status = found.status;
      if (status === "failed") throw new Error(`${name}: ${found.status_message}`);
    }
    console.log(`${name} can be found.`);
  }
}

if (import.meta.main) {
  const { PLATFORM_URL = "http://127.0.0.1:7777", TOKEN = "" } = process.env;
  await addDocuments(PLATFORM_URL, TOKEN, process.argv[2] ?? join(import.meta.dirname, "../documents"));
}
