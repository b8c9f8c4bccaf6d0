import type { Client } from "../../client/index.ts";

/** All lines that the functions of a platform wrote about a run. */
export async function logLines(client: Client, run_id: string) {
  type Line = Awaited<ReturnType<Client["getRunLog"]>>["data"][number];
  const lines: Line[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = { limit: 100, ...(cursor !== undefined && { cursor }) };
    const { data, meta } = await client.getRunLog({ path: { run_id }, query });
    lines.push(...data);
    cursor = meta.next_cursor;
  }
  return lines;
}
