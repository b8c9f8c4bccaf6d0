import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { ServiceError } from "../../../shared/errors.ts";
import { isFailure } from "../../../shared/http/render-error.ts";
import type { McpDeps } from "./mcp-deps.ts";

/**
 * Makes a handler answer what is thrown as an error of the protocol. Only a refusal carries a text for the client: -32602. Every
 * other error is logged and gets a neutral one: -32603.
 */
export const refusedInProtocol =
  <Args extends readonly unknown[], Result>(
    { log }: Pick<McpDeps, "log">,
    work: (...args: Args) => Promise<Result>,
  ): ((...args: Args) => Promise<Result>) =>
  async (...args) => {
    try {
      return await work(...args);
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      if (error instanceof ServiceError && !isFailure(error))
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
      log.error("a request to the MCP server failed", { error });
      throw new ProtocolError(ProtocolErrorCode.InternalError, "Internal server error");
    }
  };
