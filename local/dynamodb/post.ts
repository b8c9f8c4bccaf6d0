import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";
import { readBody } from "../aws/read-body.ts";

export type PostAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** Posts to a server on this machine. Node's `fetch` takes 60 ms of a start to load. */
export function post(address: string, headers: OutgoingHttpHeaders, body: string): Promise<PostAnswer> {
  return new Promise((resolve, reject) => {
    const asked = request(address, { method: "POST", headers }, (answer) => {
      readBody(answer).then(
        (bytes) =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: bytes.toString("utf8") }),
        reject,
      );
    });
    asked.on("error", reject);
    asked.end(body);
  });
}
