import { JSON_LINES } from "../schemas/values/json-lines-type.ts";
import { Reply } from "./handler.ts";

/** A page of a list as lines of JSON, with its cursor in a header. @param next_cursor  null on the last page */
export const jsonLines = (page: readonly unknown[], next_cursor: string | null): Reply =>
  new Reply(200, Buffer.from(page.map((one) => `${JSON.stringify(one)}\n`).join("")), {
    "content-type": JSON_LINES,
    ...(next_cursor !== null && { "x-next-cursor": next_cursor }),
  });
