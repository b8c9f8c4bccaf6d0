import { variableName } from "./matcher.ts";

/**
 * A row's path as a route of the HTTP API. Whether an HTTP API accepts a colon in a route is not documented, so a segment
 * with one becomes a variable there, which several rows share; the family's own matcher distinguishes them.
 */
export const gatewayPath = (path: string): string => path.split("/").map(gatewaySegment).join("/");

function gatewaySegment(segment: string): string {
  const name = variableName(segment);
  if (name !== undefined) return `{${name}}`;
  return segment.includes(":") ? "{verb}" : segment;
}
