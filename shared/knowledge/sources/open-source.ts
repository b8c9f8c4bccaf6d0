import type { SourceSetting } from "../../runtime/knowledge-settings.ts";
import { ContentFault } from "../content-fault.ts";
import { githubSource } from "./github-source.ts";
import { s3Source } from "./s3-source.ts";
import type { SourceReader } from "./source.ts";

/**
 * What reads a source.
 *
 * @param repo  repository that the request named, for sources that have several
 */
export function openSource(
  source: SourceSetting,
  repo: string | undefined,
  allowedHosts: readonly string[],
): SourceReader {
  if (source.type === "s3") return s3Source(source);
  const named = repo ?? source.repo;
  if (named === undefined) throw new ContentFault("No repository is named.");
  return githubSource({ ...source, repo: named }, allowedHosts);
}
