import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { RetryableResponse } from "../../shared/knowledge/fetch/answers.ts";
import { keysBelow } from "../../shared/knowledge/processing/gather-folder.ts";
import { openSources } from "../../shared/knowledge/sources/open-sources.ts";
import { sharedKeyAuthorization } from "../../shared/knowledge/sources/shared-key.ts";
import type { Listing, SourceQuery, SourceReader } from "../../shared/knowledge/sources/source.ts";
import type { SourceSetting } from "../../shared/settings/values/sources.ts";
import { startAzureBlobs } from "../support/clouds/azure-blobs.ts";
import type { Cloud } from "../support/clouds/cloud-server.ts";
import { startGitHub } from "../support/clouds/github.ts";
import { startGoogleStorage } from "../support/clouds/google-storage.ts";
import { startMicrosoftGraph } from "../support/clouds/microsoft-graph.ts";
import { cloudFiles } from "../support/clouds/object-list.ts";
import { type ManualClock, manualClock } from "../support/manual-clock.ts";

const google = await startGoogleStorage();
const azure = await startAzureBlobs();
const graph = await startMicrosoftGraph();
const github = await startGitHub();
const clouds = {
  "Google Cloud Storage": google,
  "Azure Blob Storage": azure,
  SharePoint: graph,
  GitHub: github,
};
afterAll(async () => {
  await Promise.all(Object.values(clouds).map(({ stop }) => stop()));
});

let clock: ManualClock;
let secretsRead: string[];
beforeEach(() => {
  clock = manualClock(Date.now());
  secretsRead = [];
});

/** A source of a cloud, as a fresh function opens it. @param secret  text of its secret; the right one when absent */
function opened(cloud: Cloud, setting: SourceSetting = cloud.setting, secret = cloud.secret): SourceReader {
  const open = openSources({
    allowedHosts: [cloud.host, cloud.host.replace("127.0.0.1", "localhost")],
    readSecret: async (name) => {
      secretsRead.push(name);
      return secret();
    },
    clock,
  });
  return open(setting, undefined);
}

async function listed(source: SourceReader, asked: Partial<SourceQuery> = {}): Promise<Listing[]> {
  const pages: Listing[] = [];
  for await (const page of source.pages({ prefix: "", limit: 100, delimiter: "/", ...asked }))
    pages.push(page);
  return pages;
}
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("utf8");
const PUMP = "manuals/pump.txt";

describe.each(Object.entries(clouds))("%s", (_name, cloud) => {
  test("shows the files and folders of one level", async () => {
    const pages = await listed(opened(cloud), { prefix: "manuals/" });
    expect(pages.flatMap(({ folders }) => folders)).toEqual(["manuals/2026/"]);
    const last_modified = cloud === github ? null : expect.stringMatching(/^2026-02-01T08:00:00(\.000)?Z$/);
    expect(pages.flatMap(({ files }) => files)).toEqual([
      { key: PUMP, size: cloudFiles[PUMP]?.length, last_modified },
    ]);
    expect(pages.at(-1)?.more).toBe(false);
  });

  test("shows what begins with a prefix that is no folder's", async () => {
    const pages = await listed(opened(cloud), { prefix: "manuals/pu" });
    expect(pages.flatMap(({ files }) => files.map(({ key }) => key))).toEqual([PUMP]);
    expect(pages.flatMap(({ folders }) => folders)).toEqual([]);
  });

  test("is listed page by page, and says whether something follows", async () => {
    const pages = await listed(opened(cloud), { limit: 1 });
    expect(pages.map(({ more }) => more)).toEqual([true, false]);
    expect(pages.map(({ folders, files }) => folders.length + files.length)).toEqual([1, 1]);
    expect(pages.flatMap(({ folders }) => folders)).toEqual(["manuals/"]);
    expect(pages.flatMap(({ files }) => files.map(({ key }) => key))).toEqual(["other.txt"]);
  });

  test("gives all keys below a prefix, whatever their depth, and refuses more than are wanted", async () => {
    const below = Object.keys(cloudFiles).filter((key) => key.startsWith("manuals/"));
    expect((await keysBelow(opened(cloud), "manuals/", 3)).toSorted()).toEqual(below);
    await expect(keysBelow(opened(cloud), "manuals/", 2)).rejects.toThrow("more than 2 files");
  });

  test("gives a file, also one whose name needs encoding", async () => {
    for (const key of [PUMP, "manuals/2026/seal & gasket.md"]) {
      const { bytes, filename } = await opened(cloud).read(key);
      expect([textOf(bytes), filename]).toEqual([cloudFiles[key], key.split("/").at(-1)]);
    }
  });

  test("says which file is not there", async () => {
    await expect(opened(cloud).read("manuals/none.txt")).rejects.toMatchObject({
      name: "ContentFault",
      message: expect.stringMatching(/^There is no (file|object) manuals\/none.txt\.$/),
    });
  });

  test.each(["../team-files/other.txt", "manuals/../../other.txt", "./other.txt"])(
    "asks nothing for %s, which would lead elsewhere",
    async (key) => {
      const source = opened(cloud);
      await source.read(PUMP);
      const before = cloud.asked.length;
      await expect(source.read(key)).rejects.toMatchObject({ kind: "unsupported" });
      expect(cloud.asked).toHaveLength(before);
    },
  );

  test("that is not there is missing", async () => {
    await expect(listed(opened(cloud, cloud.missing))).rejects.toMatchObject({ kind: "missing" });
  });

  test("that is not opened by the secret is refused, after the secret was read a second time", async () => {
    const old = cloud.secret();
    cloud.replaceSecret();
    const source = opened(cloud, cloud.setting, () => old);
    const fault = { name: "ContentFault", kind: "refused" };
    await expect(listed(source)).rejects.toMatchObject(fault);
    await expect(source.read(PUMP)).rejects.toMatchObject(fault);
    expect(new Set(secretsRead)).toEqual(new Set(["the-secret"]));
  });

  test("keeps what gives access from one request to the next, and gets it anew once it was replaced", async () => {
    const source = opened(cloud);
    for (let i = 0; i < 3; i += 1) await source.read(PUMP);
    expect(secretsRead).toHaveLength(1);
    cloud.replaceSecret();
    expect(textOf((await source.read(PUMP)).bytes)).toBe(cloudFiles[PUMP]);
    expect(secretsRead).toHaveLength(2);
    clock.advance(2 * 3_600_000);
    // The real clocks of the servers have not moved: what matters is that the secret is read again.
    await source.read(PUMP).catch(() => {});
    expect(secretsRead.length).toBeGreaterThan(2);
  });

  test("that is asked too much, or is down, may answer later", async () => {
    const source = opened(cloud);
    await source.read(PUMP);
    cloud.answerNext({ status: 429, headers: { "retry-after": "17" } });
    const busy = await source.read(PUMP).catch((error: unknown) => error);
    expect(busy).toBeInstanceOf(RetryableResponse);
    expect(busy).toMatchObject({ status: 429, retryAfterSeconds: 17 });
    cloud.answerNext({ status: 503 });
    await expect(listed(source)).rejects.toMatchObject({ status: 503, retryAfterSeconds: undefined });
    expect(textOf((await source.read(PUMP)).bytes)).toBe(cloudFiles[PUMP]);
  });

  test("is not read past the size that can be processed", async () => {
    const source = opened(cloud);
    await source.read(PUMP);
    cloud.answerNext({ status: 200, body: "x".repeat(50_000_001) });
    await expect(source.read(PUMP)).rejects.toThrow("more than 50000000 bytes");
  });
});

describe("Google Cloud Storage", () => {
  test("is refused with a secret that is no key of a service account", async () => {
    const source = opened(google, google.setting, () => "{}");
    await expect(listed(source)).rejects.toMatchObject({
      kind: "refused",
      message: expect.stringContaining("no key"),
    });
  });

  test("without a secret is asked without a token", async () => {
    const setting = { ...google.setting, secret: undefined } as SourceSetting;
    await expect(listed(opened(google, setting))).rejects.toMatchObject({ kind: "refused" });
    expect(google.asked.at(-1)?.headers.authorization).toBeUndefined();
  });
});

describe("Azure Blob Storage", () => {
  // The text to sign is the example of Microsoft's documentation; the signature is HMAC-SHA256 of it with this key.
  test("signs what the documentation signs", async () => {
    const { createHmac } = await import("node:crypto");
    const key = Buffer.from("a key of an account").toString("base64");
    const text =
      "GET\n\n\n\n\n\n\n\n\n\n\n\nx-ms-date:Fri, 26 Jun 2015 23:39:12 GMT\nx-ms-version:2015-02-21\n" +
      "/myaccount/mycontainer\ncomp:metadata\nrestype:container\ntimeout:20";
    const signature = createHmac("sha256", "a key of an account").update(text).digest("base64");
    const url = new URL(
      "https://myaccount.blob.core.windows.net/mycontainer?restype=container&timeout=20&comp=metadata",
    );
    const headers = { "x-ms-version": "2015-02-21", "x-ms-date": "Fri, 26 Jun 2015 23:39:12 GMT" };
    expect(sharedKeyAuthorization({ url, account: "myaccount", key, headers })).toBe(
      `SharedKey myaccount:${signature}`,
    );
  });

  test("takes a shared access signature too", async () => {
    const setting = { ...azure.setting, secret_kind: "sas" } as SourceSetting;
    const source = opened(azure, setting, azure.sas);
    expect(textOf((await source.read(PUMP)).bytes)).toBe(cloudFiles[PUMP]);
    expect(await keysBelow(source, "", 10)).toHaveLength(4);
    const wrong = opened(azure, setting, () => "sv=1&sig=wrong");
    await expect(wrong.read(PUMP)).rejects.toMatchObject({ kind: "refused" });
  });
});

describe("SharePoint", () => {
  test("finds a library by its name, on a later page too", async () => {
    const library = { ...graph.setting, library: "Team files" } as SourceSetting;
    expect(await keysBelow(opened(graph, library), "manuals/2026/", 10)).toHaveLength(2);
    const none = { ...graph.setting, library: "Nothing" } as SourceSetting;
    await expect(listed(opened(graph, none))).rejects.toMatchObject({ kind: "missing" });
  });

  test("has folders that end with a slash and nothing else", async () => {
    await expect(listed(opened(graph), { delimiter: "-" })).rejects.toMatchObject({ kind: "unsupported" });
  });

  test("shows its token to no other host, whatever an answer names as the next page", async () => {
    const source = opened(graph);
    await source.read(PUMP);
    const next = `${google.setting.type === "gcs" ? google.setting.api_url : ""}/stolen`;
    const before = google.asked.length;
    graph.answerNext({ status: 200, body: JSON.stringify({ value: [], "@odata.nextLink": next }) });
    await expect(listed(source)).rejects.toMatchObject({ kind: "refused" });
    expect(google.asked).toHaveLength(before);
  });
});

describe("GitHub", () => {
  test("is read as an app that is installed there, with one token for many files", async () => {
    const setting = { ...github.setting, app_id: "1234", installation_id: "77" } as SourceSetting;
    const source = opened(github, setting, () => github.appKey);
    const before = github.asked.length;
    for (const key of Object.keys(cloudFiles)) {
      expect(textOf((await source.read(key)).bytes)).toBe(cloudFiles[key]);
    }
    const paths = github.asked.slice(before).map(({ url }) => url.pathname);
    expect(paths.filter((path) => path.startsWith("/app/"))).toHaveLength(1);
    const other = opened(github, { ...setting, app_id: "1" } as SourceSetting, () => github.appKey);
    await expect(other.read(PUMP)).rejects.toMatchObject({ kind: "refused" });
  });

  test("says with 403 that it was asked too much", async () => {
    const source = opened(github);
    github.answerNext({ status: 403, headers: { "x-ratelimit-remaining": "0" } });
    await expect(source.read(PUMP)).rejects.toMatchObject({ name: "PassingAnswer", status: 403 });
  });

  test("that does not list all its files at once cannot be listed", async () => {
    github.answerNext({ status: 200, body: JSON.stringify({ tree: [], truncated: true }) });
    await expect(listed(opened(github))).rejects.toMatchObject({ kind: "unsupported" });
  });
});
