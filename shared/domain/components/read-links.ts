import * as v from "valibot";
import { ServiceError } from "../../errors.ts";
import { GivenLink } from "../../schemas/components/component-bodies.ts";
import type { ComponentLink } from "../../schemas/components/component-record.ts";
import { issueText } from "../../schemas/values/issue-text.ts";
import { jsonBytes } from "./json-bytes.ts";
import { requireShallow } from "./require-shallow.ts";

const MAX_LINKS = 100;
const MAX_LINKS_BYTES = 50_000;

/**
 * The links in a request.
 *
 * @throws ServiceError BAD_REQUEST naming what is wrong: on this wire a malformed link is no 422
 */
export function readLinks(given: readonly Readonly<Record<string, unknown>>[]): ComponentLink[] {
  requireShallow("links", given);
  if (given.length > MAX_LINKS || jsonBytes(given) > MAX_LINKS_BYTES) {
    throw new ServiceError(
      "BAD_REQUEST",
      `a version may have ${MAX_LINKS} links of ${MAX_LINKS_BYTES} bytes together`,
    );
  }
  return given.map((one, at) => {
    const parsed = v.safeParse(GivenLink, one);
    if (parsed.success) return withoutNulls(parsed.output);
    const problems = parsed.issues.map((issue) => issueText(issue, "link"));
    throw new ServiceError("BAD_REQUEST", `links[${at}] is not a link: ${problems.join("; ")}`);
  });
}

function withoutNulls({ position, meta, ...link }: v.InferOutput<typeof GivenLink>): ComponentLink {
  return { ...link, ...(position != null && { position }), ...(meta != null && { meta }) };
}
