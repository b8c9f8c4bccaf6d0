import { type Answer, request } from "./requests.ts";
import type { RunningPlatform } from "./running-platform.ts";
import { createStandIns } from "./stand-ins.ts";
import { writeRecord } from "./write-record.ts";

type Description = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };
type Operation = { readonly operationId: string };

const DESCRIPTION = "/openapi.json";
/** Stands for every id in a path. */
const NOBODY = "nobody";

/**
 * Records the description of the interface as it is served, and what every operation in it answers before anything is
 * there: to nobody, to somebody without scopes, and to an admin who sends nothing. So lists, descriptions and all kinds of
 * refusals are recorded for each of them.
 */
export async function recordRoutes({ url, tokens }: RunningPlatform, output: string): Promise<void> {
  const who = {
    nobody: undefined,
    "somebody without scopes": await tokens.token("compare-nothing", []),
    "an admin": await tokens.token("admin", ["platform:admin"]),
  };
  const description = (await request(url, undefined, "GET", DESCRIPTION)).body as Description;
  const { plain } = createStandIns(Date.now() / 1000);
  // In the order in which it is served: clients show it so.
  const served = JSON.stringify(description).replaceAll(url, "http://platform");
  writeRecord(output, "interface", "openapi", JSON.parse(served));
  for (const [path, operations] of Object.entries(description.paths)) {
    const target = path.replace(/\{\w+\}/g, NOBODY);
    for (const [method, { operationId }] of Object.entries(operations)) {
      const answers: Record<string, Answer> = {};
      for (const [name, token] of Object.entries(who)) {
        answers[name] = await request(url, token, method.toUpperCase(), target);
      }
      if (path !== DESCRIPTION) writeRecord(output, "routes", operationId, plain(answers));
    }
  }
}
