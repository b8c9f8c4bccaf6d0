import { ServiceError } from "../../errors.ts";
import { type ConfigStage, configStages } from "../../schemas/components/component.ts";

/**
 * The stage that a request names.
 *
 * @throws ServiceError BAD_REQUEST: on this wire a stage that does not exist is no 422
 */
export function stageOf(requested: string): ConfigStage {
  const stage = configStages.find((one) => one === requested);
  if (stage) return stage;
  throw new ServiceError("BAD_REQUEST", `stage must be one of ${configStages.join(", ")}`);
}
