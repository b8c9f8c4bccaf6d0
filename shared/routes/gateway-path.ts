import { variableName } from "./matcher.ts";

/**
 * A row's path as the gateway knows it. Whether an HTTP API takes a colon in a route is not documented, so a segment
 * with one is a variable there, which several rows share; the family's own matcher tells them apart.
 */
export const gatewayPath = (path: string): string => path.split("/").map(gatewaySegment).join("/");

function gatewaySegment(segment: string): string {
  const name = variableName(segment);
  if (name !== undefined) return `{${name}}`;
  return segment.includes(":") ? "{verb}" : segment;
}
