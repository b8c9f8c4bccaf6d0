import { VersionNotSupportedError } from "@a2a-js/sdk/errors";
import type { A2aRequest } from "./a2a-deps.ts";

/**
 * The version of the protocol that a request is in, major and minor.
 *
 * @returns undefined where none is named, which stands for 0.3
 * @source docs/interface/a2a.md 2.1
 */
export function versionIn({ headers, query }: Pick<A2aRequest, "headers" | "query">): string | undefined {
  const named = (headers["a2a-version"] ?? query["A2A-Version"] ?? "").trim();
  return named === "" ? undefined : named.split(".").slice(0, 2).join(".");
}

/** @throws VersionNotSupportedError for any version but 0.3 and 1.0 */
export function requireKnownVersion(version: string | undefined): void {
  if (version === undefined || version === "0.3" || version === "1.0") return;
  throw new VersionNotSupportedError(`version ${version} is not supported; 1.0 and 0.3 are`);
}
