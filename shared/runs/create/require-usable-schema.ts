import { compileSchema } from "../../engine/tool/compile-schema.ts";
import { ServiceError } from "../../errors.ts";

/**
 * Refuses a run whose answer could not be checked, before anything of it is stored.
 *
 * @throws ServiceError BAD_REQUEST when the schema is invalid, or exceeds the limits for schemas of clients
 * @decided  Text that is not even JSON is dropped, as the wire has it; a schema that cannot be used would let the run
 *           be paid for and then fail.
 */
export async function requireUsableSchema(schema: Record<string, unknown> | undefined): Promise<void> {
  if (!schema) return;
  const { $schema: _, ...rest } = schema;
  const compiled = await compileSchema(rest);
  if (!compiled.usable)
    throw new ServiceError("BAD_REQUEST", `output_schema cannot be used. ${compiled.reason}`);
}
