import { parseModelSpec, providerLabels } from "../../schemas/values/model-spec.ts";
import type { ModelPrices } from "../../settings/values/model-prices.ts";
import type { Models } from "./models.ts";

/**
 * Shows models by their specification alone. For functions that never call one: unlike `createModels` it brings no
 * provider's code into their bundle.
 *
 * @param configured the default specification
 */
export function describeModels(configured: string, prices: ModelPrices = {}): Pick<Models, "describe"> {
  return {
    describe: (spec = configured) => {
      const parsed = parseModelSpec(spec);
      if (!parsed) return { id: spec, provider: "unknown" };
      const price = prices[spec];
      return { id: parsed.id, provider: providerLabels[parsed.provider], ...(price && { price }) };
    },
  };
}
