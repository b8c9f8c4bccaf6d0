import * as v from "valibot";
import { ContentFault } from "../content-fault.ts";
import { guardedFetch } from "../fetch/guarded-fetch.ts";
import type { SourceReader } from "./source.ts";

type GitHubSetting = {
  readonly repo: string;
  readonly branch?: string | undefined;
  readonly api_url?: string | undefined;
};

const Tree = v.object({
  tree: v.array(v.object({ path: v.string(), type: v.string() })),
  truncated: v.optional(v.boolean(), false),
});

/** Reads a public repository by GitHub's API, through the same guard as every other address. */
export function githubSource(
  { repo, branch = "HEAD", api_url = "https://api.github.com" }: GitHubSetting,
  allowedHosts: readonly string[],
): SourceReader {
  const below = `${api_url.replace(/\/$/, "")}/repos/${repo.split("/").map(encodeURIComponent).join("/")}`;
  const ask = (path: string, accept: string) =>
    guardedFetch(`${below}${path}`, { allowedHosts, headers: { accept } });
  return {
    read: async (key) => {
      const path = key.split("/").map(encodeURIComponent).join("/");
      const ref = encodeURIComponent(branch);
      const { bytes } = await ask(`/contents/${path}?ref=${ref}`, "application/vnd.github.raw+json");
      return { bytes, filename: key.split("/").at(-1) ?? key, mime_type: "" };
    },
    list: async (prefix, most) => {
      const ref = encodeURIComponent(branch);
      const { bytes } = await ask(`/git/trees/${ref}?recursive=1`, "application/vnd.github+json");
      const { tree, truncated } = v.parse(Tree, JSON.parse(Buffer.from(bytes).toString("utf8")));
      const keys = tree
        .filter(({ path, type }) => type === "blob" && path.startsWith(prefix))
        .map(({ path }) => path);
      if (truncated || keys.length > most)
        throw new ContentFault(`The folder holds more than ${most} files.`);
      return keys;
    },
  };
}
