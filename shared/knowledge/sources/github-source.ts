import * as v from "valibot";
import type { SettingOf } from "../../settings/values/sources.ts";
import type { SourcePorts } from "./access.ts";
import { callSource, callSourceForJson, type SourceConnection } from "./call-source.ts";
import { encodedKey } from "./encoded-key.ts";
import { accessToGitHub } from "./github-token.ts";
import { type Listing, nameOfKey, type RemoteEntry, type SourceQuery, type SourceReader } from "./source.ts";
import { SourceFault } from "./source-fault.ts";

type Setting = SettingOf<"github"> & { readonly repo: string };

const Tree = v.object({
  tree: v.array(v.object({ path: v.string(), type: v.string(), size: v.optional(v.number()) })),
  truncated: v.optional(v.boolean(), false),
});

/** Reads a repository by GitHub's API. */
export function githubSource(setting: Setting, ports: SourcePorts): SourceReader {
  const { repo, branch = "HEAD" } = setting;
  const api = (setting.api_url ?? "https://api.github.com").replace(/\/$/, "");
  const what = `the repository ${repo}`;
  const headers = { "x-github-api-version": "2022-11-28" };
  const connection: SourceConnection = { what, access: accessToGitHub(setting, api, ports), ports, headers };
  const below = `${api}/repos/${encodedKey(repo)}`;
  const ref = encodeURIComponent(branch);
  return {
    read: async (key) => {
      const { bytes } = await callSource(connection, {
        url: new URL(`${below}/contents/${encodedKey(key)}?ref=${ref}`),
        missing: `There is no file ${key}.`,
        headers: { accept: "application/vnd.github.raw+json" },
      });
      return { bytes, filename: nameOfKey(key), mime_type: "" };
    },
    async *pages(query) {
      const answer = await callSourceForJson(connection, {
        url: new URL(`${below}/git/trees/${ref}?recursive=1`),
        missing: `There is no repository ${repo}.`,
        headers: { accept: "application/vnd.github+json" },
      });
      const { tree, truncated } = v.parse(Tree, answer);
      if (truncated) {
        throw new SourceFault(
          "unsupported",
          `The repository ${repo} has more files than GitHub lists at once.`,
        );
      }
      const files = tree
        .filter(({ type }) => type === "blob")
        .map(({ path, size }) => ({ key: path, size: size ?? null, last_modified: null }));
      yield* pagesOfKeys(files, query);
    },
  };
}

/** Pages of all files as an object store would list them: folders first, where a delimiter makes any. */
function* pagesOfKeys(
  all: readonly RemoteEntry[],
  { prefix, limit, delimiter }: SourceQuery,
): Generator<Listing> {
  const folders = new Set<string>();
  const files: RemoteEntry[] = [];
  for (const file of all.filter(({ key }) => key.startsWith(prefix))) {
    const end = delimiter === "" ? -1 : file.key.indexOf(delimiter, prefix.length);
    if (end < 0) files.push(file);
    else folders.add(file.key.slice(0, end + delimiter.length));
  }
  const entries = [...[...folders].map((folder) => ({ folder })), ...files.map((file) => ({ file }))];
  for (let from = 0; from === 0 || from < entries.length; from += limit) {
    const some = entries.slice(from, from + limit);
    yield {
      folders: some.flatMap((entry) => ("folder" in entry ? entry.folder : [])),
      files: some.flatMap((entry) => ("file" in entry ? entry.file : [])),
      more: from + limit < entries.length,
    };
  }
}
