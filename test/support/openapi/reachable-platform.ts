import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startBot } from "../chat-platforms/bot-server.ts";
import { chatEnvironment } from "../chat-platforms/chat-environment.ts";
import { startGraph } from "../chat-platforms/graph-server.ts";
import { startSlack } from "../chat-platforms/slack-server.ts";
import { startPlatform, type TestPlatform } from "../platform.ts";
import { SOURCE_FILE, SOURCE_ID } from "./stages/records.ts";

/** A key that signs agent cards. */
function cardKey(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return JSON.stringify(privateKey.export({ format: "jwk" }));
}

const BUCKET = "reachable-files";

/** A platform with all that some operation needs: all chats, a source of knowledge, and traces. */
export async function startReachablePlatform(
  context: Readonly<Record<string, string>> = {},
): Promise<TestPlatform> {
  const [graph, bot, slack] = await Promise.all([startGraph(), startBot(), startSlack()]);
  const dataDir = mkdtempSync(join(tmpdir(), "platform-"));
  keepObject(dataDir);
  const source = { type: "s3", id: SOURCE_ID, bucket: BUCKET, prefix: `${dirname(SOURCE_FILE)}/` };
  const platform = await startPlatform({
    dataDir,
    context: { tracing: "on", a2aHostAgent: "agents/assistant", ...context },
    env: {
      FEEDBACK_LINKS: "on",
      PUBLIC_URL: "https://agents.example",
      A2A_CARD_KEY: cardKey(),
      KNOWLEDGE_BASES: JSON.stringify([{ name: "handbook", sources: [source] }]),
      ...chatEnvironment(
        { graph, bot, slack },
        { whatsapp: "agents/assistant", telegram: "agents/assistant", slack: "agents/assistant" },
      ),
    },
  });
  return {
    ...platform,
    stop: async () => {
      await platform.stop();
      await Promise.all([graph.stop(), bot.stop(), slack.stop()]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** As the local bucket keeps objects: a file each, in folders by the key, dots encoded. */
function keepObject(dataDir: string): void {
  const parts = SOURCE_FILE.split("/").map((part) => part.replaceAll(".", "%2E"));
  const file = join(dataDir, "s3", BUCKET, ...parts);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "Goods are taken back within 30 days.");
}
