import type { SettingOf, SourceSetting } from "../../settings/values/sources.ts";
import type { SourcePorts } from "./access.ts";
import { azureBlobSource } from "./azure-blob-source.ts";
import { fencedSource } from "./fenced-source.ts";
import { gcsSource } from "./gcs-source.ts";
import { githubSource } from "./github-source.ts";
import { s3Source } from "./s3-source.ts";
import { sharePointSource } from "./sharepoint-source.ts";
import type { SourceReader } from "./source.ts";
import { SourceFault } from "./source-fault.ts";

/**
 * Opens a source for reading.
 *
 * @param repo  repository that the request named, for sources with several
 * @throws      SourceFault when a repository is needed and none is named
 */
export type OpenSource = (source: SourceSetting, repo: string | undefined) => SourceReader;

/** Opens each source once, so that its credentials are cached for the next object. */
export function openSources(ports: SourcePorts): OpenSource {
  const opened = new Map<string, SourceReader>();
  return (source, repo) => {
    const isConfigured = repo === undefined || (source.type === "github" && repo === source.repo);
    const opening = (isConfigured && opened.get(source.id)) || open(source, repo, ports);
    // Requests may name any number of other repositories; those are public and need no cached credentials.
    if (isConfigured) opened.set(source.id, opening);
    return opening;
  };
}

const open = (source: SourceSetting, repo: string | undefined, ports: SourcePorts): SourceReader =>
  fencedSource(reader(source, repo, ports), source.prefix ?? "");

function reader(source: SourceSetting, repo: string | undefined, ports: SourcePorts): SourceReader {
  switch (source.type) {
    case "s3":
      return s3Source(source);
    case "gcs":
      return gcsSource(source, ports);
    case "azureblob":
      return azureBlobSource(source, ports);
    case "sharepoint":
      return sharePointSource(source, ports);
    case "github":
      return openRepository(source, repo, ports);
  }
}

function openRepository(
  source: SettingOf<"github">,
  requested: string | undefined,
  ports: SourcePorts,
): SourceReader {
  const repo = requested ?? source.repo;
  if (repo === undefined) throw new SourceFault("unsupported", "No repository is named.");
  return githubSource({ ...source, repo }, ports);
}
