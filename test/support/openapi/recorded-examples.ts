import { join } from "node:path";
import type { Examples } from "../../../shared/openapi/example.ts";

/** What `npm run record:examples` writes. */
export const examplesFile = join(import.meta.dirname, "../../../shared/openapi/recorded-examples.json");

/** As they are written: an operation a line, so that a difference is one of that operation. */
export const examplesText = (examples: Examples): string =>
  `{\n${Object.entries(examples)
    .map(([operation, example]) => `  ${JSON.stringify(operation)}: ${JSON.stringify(example)}`)
    .join(",\n")}\n}\n`;
