import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Client, clientOf } from "../support/client.ts";
import { startAzureBlobs } from "../support/clouds/azure-blobs.ts";
import type { Cloud } from "../support/clouds/cloud-server.ts";
import { startGitHub } from "../support/clouds/github.ts";
import { startGoogleStorage } from "../support/clouds/google-storage.ts";
import { startMicrosoftGraph } from "../support/clouds/microsoft-graph.ts";
import { startPlatform, type TestPlatform } from "../support/platform.ts";
import { allScopes, type KnowledgeClient, knowledgeOf } from "./knowledge-client.ts";

type Page = { status?: number; headers?: Record<string, string>; body: string };

/**
 * A platform with three bases whose vectors are in S3 Vectors, and what they are fed from: a bucket, a public repository,
 * four clouds that ask for credentials, and a web server on this machine that may be fetched from.
 */
export type SourcesWorld = {
  readonly platform: TestPlatform;
  readonly maria: Client;
  readonly admin: Client;
  readonly handbook: KnowledgeClient;
  readonly manuals: KnowledgeClient;
  readonly manualsId: string;
  /** The base whose sources are the clouds, each under the id of its setting. */
  readonly shelf: KnowledgeClient;
  readonly shelfId: string;
  readonly clouds: readonly Cloud[];
  /** Pages of the web server by path, which tests may change, and the paths that were asked for. */
  readonly pages: Record<string, Page>;
  readonly asked: readonly string[];
  readonly here: (path: string) => string;
  readonly stop: () => Promise<void>;
};

const somePages = (): Record<string, Page> => ({
  "/tapirs": {
    headers: { "content-type": "text/html" },
    body: "<title>Tapirs</title><p>Tapirs <b>swim</b>.<script>no()</script>",
  },
  "/notes.md": { body: "# Okapis\nOkapis hide in forests." },
  "/moved": { status: 302, headers: { location: "/notes.md" }, body: "" },
  "/to-metadata": { status: 302, headers: { location: "http://169.254.169.254/latest/" }, body: "" },
  "/round": { status: 302, headers: { location: "/round" }, body: "" },
  "/gone": { status: 404, body: "gone" },
  "/blank": { headers: { "content-type": "text/html" }, body: "<script>1</script>" },
  "/repos/acme/docs/git/trees/HEAD": {
    body: JSON.stringify({
      tree: [
        { path: "guides/yak.md", type: "blob" },
        { path: "guides", type: "tree" },
      ],
    }),
  },
  "/repos/acme/docs/contents/guides/yak.md": { body: "Yaks carry loads." },
});

const objects = {
  "manuals/pump.txt": "Ibexes climb pumps.",
  "manuals/2026/valve.md": "# Valve\nIbexes close valves.",
  "manuals/2026/seal.md": "# Seal\nIbexes grease seals.",
  "other.txt": "This was not asked for.",
};

export async function startSourcesWorld(): Promise<SourcesWorld> {
  const pages = somePages();
  const asked: string[] = [];
  const web = await serve(pages, asked);
  const host = `127.0.0.1:${(web.address() as AddressInfo).port}`; // a TCP server's
  const clouds = await Promise.all([
    startGoogleStorage(),
    startAzureBlobs(),
    startMicrosoftGraph(),
    startGitHub(),
  ]);
  const dataDir = mkdtempSync(join(tmpdir(), "platform-"));
  for (const [key, text] of Object.entries(objects)) {
    // As the local bucket keeps objects: a file each, in folders by the key, dots encoded.
    keep(
      join(dataDir, "s3", "team-files", ...key.split("/").map((part) => part.replaceAll(".", "%2E"))),
      text,
    );
  }
  for (const { setting, secret } of clouds) {
    keep(join(dataDir, "secrets", encodeURIComponent(`sources/${setting.id}`)), secret());
  }
  const platform = await startPlatform({
    dataDir,
    env: {
      KNOWLEDGE_BASES: JSON.stringify(basesWith(host, clouds)),
      VECTOR_STORE: "s3-vectors",
      FETCH_ALLOWED_HOSTS: [
        host,
        ...clouds.flatMap((cloud) => [cloud.host, cloud.host.replace("127.0.0.1", "localhost")]),
      ].join(","),
    },
  });
  const maria = clientOf(platform.url, platform.token("maria", [...allScopes, "agents:run", "agents:read"]));
  const admin = clientOf(platform.url, platform.adminToken);
  const { json } = await admin.get("/config");
  const idOf = (name: string) =>
    json.knowledge.knowledge_instances.find((one: { name: string }) => one.name === name)?.id;
  return {
    platform,
    maria,
    admin,
    handbook: knowledgeOf(maria, `knowledge_id=${idOf("handbook")}`),
    manuals: knowledgeOf(maria, `knowledge_id=${idOf("manuals")}`),
    manualsId: idOf("manuals"),
    shelf: knowledgeOf(maria, `knowledge_id=${idOf("shelf")}`),
    shelfId: idOf("shelf"),
    clouds,
    pages,
    asked,
    here: (path) => `http://${host}${path}`,
    stop: async () => {
      await platform.stop();
      web.close();
      await Promise.all(clouds.map((cloud) => cloud.stop()));
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const basesWith = (host: string, clouds: readonly Cloud[]): object[] => [
  { name: "handbook" },
  {
    name: "manuals",
    description: "Device manuals",
    sources: [
      { type: "s3", id: "team-bucket", name: "Team files", bucket: "team-files", prefix: "manuals/" },
      { type: "s3", id: "no-bucket", bucket: "there-is-none" },
      { type: "github", id: "docs", api_url: `http://${host}` },
    ],
  },
  {
    name: "shelf",
    sources: clouds.map(({ setting }) => ({ ...setting, secret: `sources/${setting.id}` })),
  },
];

async function serve(pages: Record<string, Page>, asked: string[]): Promise<Server> {
  const web = createServer((incoming, response) => {
    const path = new URL(incoming.url ?? "/", "http://web").pathname;
    asked.push(path);
    const { status = 200, headers = {}, body } = pages[path] ?? { status: 404, body: "" };
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  return web;
}

function keep(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
